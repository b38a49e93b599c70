// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::http {

/// One of the lines that `response::field_lines` gives.
struct line_parts {
    std::string_view name, value;
    std::size_t next;  ///< Where the line behind it begins.
};

/// The line that begins at `at`, which is none of a client's: each is "name: value" and CRLF.
inline line_parts split_line(std::string_view lines, std::size_t at) noexcept {
    const auto colon = lines.find(':', at);
    const auto end = lines.find("\r\n", colon);
    return {lines.substr(at, colon - at), lines.substr(colon + 2, end - colon - 2), end + 2};
}

/// Adds a field line of a response. Throws `std::invalid_argument` as `response::header` does.
void append_field(std::string& lines, std::string_view name, std::string_view value);

}  // namespace apus::http
