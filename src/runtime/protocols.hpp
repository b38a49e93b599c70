// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace apus::runtime {

/// HTTP versions that a listener accepts. A connection has the value of its listener.
enum class protocols : std::uint8_t {
    every,
    http1,
    http2
};

}  // namespace apus::runtime
