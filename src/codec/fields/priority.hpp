// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace apus::codec::fields {

/// Priority of a response (RFC 9218, 4).
struct priority {
    std::uint8_t urgency = 3;  ///< From 0, the most urgent, to 7.
    bool incremental = false;  ///< The client can use parts of the response before the whole has arrived.
};

/// Sets the parameters given by a Priority field or PRIORITY_UPDATE frame.
/// Ignores unknown, malformed and out-of-range parameters.
void read_priority(std::string_view value, priority& out) noexcept;

}  // namespace apus::codec::fields
