// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::http {

/// Name and value of a line in `response::field_lines`.
struct line_parts {
    std::string_view name, value;
    std::size_t next;  ///< position of the next line
};

/// Parses the line at position `at`.
/// Only for lines in the form of `append_field`: "name: value" and CRLF.
inline line_parts split_line(std::string_view lines, std::size_t at) noexcept {
    const auto colon = lines.find(':', at);
    const auto end = lines.find("\r\n", colon);
    return {lines.substr(at, colon - at), lines.substr(colon + 2, end - colon - 2), end + 2};
}

/// Appends a field line of a response. Throws `std::invalid_argument` like `response::header`.
void append_field(std::string& lines, std::string_view name, std::string_view value);

}  // namespace apus::http
