// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace apus::runtime {

/// Which versions of HTTP a listener lets its clients speak. Each connection is told by which it came.
enum class protocols : std::uint8_t {
    every,
    http1,
    http2
};

}  // namespace apus::runtime
