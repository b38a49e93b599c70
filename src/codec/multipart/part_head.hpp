// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

namespace apus::codec::multipart {

/// Parsed header of a part (RFC 7578, 4.2 to 4.5).
/// The views refer to the header. Names are as sent; see `plain_name`.
struct part_head {
    std::string_view name;
    std::string_view file_name;   ///< May be empty for files too.
    std::string_view media_type;  ///< With parameters. Empty if not sent, which means text/plain.
    bool is_file = false;         ///< Has `filename`, or `filename*` with an ignored value (RFC 7578, 4.2).
};

/// Reads the lines of a part's header, each with its CRLF.
/// Ignores fields that forms do not use, but rejects lines that are not fields. The outcome is never `partial`.
parsed<part_head> read_part_head(std::string_view lines) noexcept;

/// Decodes a name or file name into `to`, which must have room for `sent.size()` bytes.
/// Browsers encode only quote, CR and LF, as %22, %0D and %0A (WHATWG HTML, 4.10.21.8). Other clients send a backslash
/// before quotes and backslashes.
std::string_view plain_name(std::string_view sent, char* to) noexcept;

}  // namespace apus::codec::multipart
