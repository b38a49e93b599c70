// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <algorithm>
#include <cstdint>
#include <random>

namespace apus::runtime {

/// Delays before attempts to connect again.
/// The delay doubles with each failure, up to half a second, so that a restarted server is reconnected within a second.
/// Jitter reduces each delay by up to half, so that cores and processes do not connect simultaneously. Belongs to one
/// core.
class reconnect_delay {
public:
    /// `unit`: half of the delay after the first failure, in milliseconds.
    reconnect_delay(loop& on, std::uint64_t unit)
        : unit_(unit), random_(static_cast<unsigned>(on.io().clock().nanoseconds()) | 1U) {}

    /// Returns the delay in milliseconds after this number of consecutive failures.
    std::uint64_t after(unsigned failures) {
        const std::uint64_t wait = std::min<std::uint64_t>(unit_ << std::min(failures, 8U), 500);
        return wait - random_() % (wait / 2 + 1);
    }

private:
    const std::uint64_t unit_;
    std::minstd_rand random_;
};

}  // namespace apus::runtime
