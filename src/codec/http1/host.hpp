// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii_scan.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::http1 {

enum class host_shape : std::uint8_t {
    malformed,
    empty,
    without_port,
    with_port
};

/// What `text` is of `uri-host [ ":" port ]` (RFC 9110, 7.2; RFC 3986, 3.2.2). Strict where the
/// grammar is lax: no comma, no port above 65,535, no port behind an empty host. A colon without
/// digits is `without_port`. `text` lies in `around`, bytes of which may be looked at.
host_shape shape_of_host(std::string_view text, base::readable around) noexcept;

/// An address as it stands between the brackets of a URI (RFC 3986, 3.2.2); no zone.
bool is_ipv6(std::string_view text) noexcept;

}  // namespace apus::codec::http1
