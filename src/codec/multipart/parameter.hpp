// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

namespace apus::codec::multipart {

/// A parameter of a media type or of a Content-Disposition.
struct parameter {
    std::string_view name;   ///< Case-insensitive.
    std::string_view value;  ///< without surrounding quotes, escapes not removed
};

/// Parses `; name=value` at the front (RFC 2045, 5.1; RFC 2183, 2).
/// `done` with an empty name: only white space is left. `bad`, without a reason: the parameter is malformed. In quoted
/// strings, a backslash escapes only a quote or a backslash, and is literal otherwise, as in file names from Windows.
parsed<parameter> read_parameter(std::string_view text) noexcept;

}  // namespace apus::codec::multipart
