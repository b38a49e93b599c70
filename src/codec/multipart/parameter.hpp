// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

namespace apus::codec::multipart {

/// A parameter of a media type or of a Content-Disposition.
struct parameter {
    std::string_view name;   ///< Case-insensitive.
    std::string_view value;  ///< Without surrounding quotes. Escapes are not decoded.
};

/// Parses `; name=value` at the front (RFC 2045, 5.1; RFC 2183, 2).
/// If only white space remains, the outcome is `done`, with an empty name. If the parameter is malformed, the outcome
/// is `bad`, without a reason. In quoted strings, a backslash escapes only a quote or a backslash. Any other backslash
/// is literal, as in file names from Windows.
parsed<parameter> read_parameter(std::string_view text) noexcept;

}  // namespace apus::codec::multipart
