// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::fields {

/// What Cache-Control says of a response (RFC 9111, 5.2.2; RFC 5861), as far as a cache needs it.
struct cache_control {
    bool no_store = false;
    bool no_cache = false;    ///< With or without field names: the stricter reading is always allowed.
    bool is_private = false;  ///< Likewise.
    bool is_public = false;
    bool must_revalidate = false;              ///< Or proxy-revalidate.
    std::optional<std::uint32_t> max_age;      ///< Seconds.
    std::optional<std::uint32_t> s_maxage;     ///< Seconds.
    std::uint32_t stale_while_revalidate = 0;  ///< Seconds.
};

/// Reads the value of a Cache-Control field. Directives that are not known are passed over. A number
/// that is none counts as 0, one that is too large as 2^31 (RFC 9111, 1.2.2 and 4.2.1).
cache_control read_cache_control(std::string_view value) noexcept;

}  // namespace apus::codec::fields
