// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <string_view>

namespace apus::codec::multipart {

/// A parameter behind a media type or a disposition.
struct parameter {
    std::string_view name;   ///< In any case.
    std::string_view value;  ///< Without the quotes around it, but with what is escaped in it.
};

/// Takes `; name=value` off the front (RFC 2045, 5.1; RFC 2183, 2). Done: with an empty name at the
/// end, where only white space is left. Bad, without a reason, if it is no parameter.
///
/// In quotes a backslash escapes a quote and itself, and stands for itself before all else: file names
/// of Windows come with theirs as they are.
parsed<parameter> read_parameter(std::string_view text) noexcept;

}  // namespace apus::codec::multipart
