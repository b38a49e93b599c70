// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

namespace apus::codec::multipart {

/// What the header of a part says (RFC 7578, 4.2 to 4.5). The views are of the header; names are as
/// sent, see `plain_name`.
struct part_head {
    std::string_view name;
    std::string_view file_name;   ///< May be empty for a file too.
    std::string_view media_type;  ///< With its parameters. Empty: none was sent, which means text/plain.
    bool is_file = false;         ///< There is a file name; `filename*` counts, but its value does not (RFC 7578, 4.2).
};

/// Reads the lines of a part's header, each with its CRLF. Fields that forms have no use for are
/// passed over, if they are fields. Never partial.
parsed<part_head> read_part_head(std::string_view lines) noexcept;

/// A name or file name as it was before it was sent, written to `to`, which has room for `sent.size()` bytes:
/// browsers write %22, %0D and %0A for a quote, CR and LF, and nothing else that way (WHATWG HTML,
/// 4.10.21.8); others write a backslash before quotes and backslashes.
std::string_view plain_name(std::string_view sent, char* to) noexcept;

}  // namespace apus::codec::multipart
