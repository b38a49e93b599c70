// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::fields {

/// Cache-Control directives of a response (RFC 9111, 5.2.2; RFC 5861) that a cache needs.
struct cache_control {
    bool no_store = false;
    bool no_cache = false;    ///< Also for `no-cache` with field names: a cache may ignore the names.
    bool is_private = false;  ///< Also for `private` with field names.
    bool is_public = false;
    bool must_revalidate = false;              ///< must-revalidate or proxy-revalidate.
    std::optional<std::uint32_t> max_age;      ///< Seconds.
    std::optional<std::uint32_t> s_maxage;     ///< Seconds.
    std::uint32_t stale_while_revalidate = 0;  ///< Seconds.
};

/// Parses a Cache-Control field.
/// Ignores unknown directives. Replaces invalid numbers by 0, and too large numbers by 2^31 (RFC 9111, 1.2.2 and
/// 4.2.1).
cache_control read_cache_control(std::string_view value) noexcept;

}  // namespace apus::codec::fields
