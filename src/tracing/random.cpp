// SPDX-License-Identifier: Apache-2.0
#include "tracing/random.hpp"

#include <ctime>

#include <sys/random.h>
#include <unistd.h>

namespace apus::tracing {

std::array<std::uint64_t, 4> random::seed() noexcept {
    std::array<std::uint64_t, 4> made{};
    if (getrandom(made.data(), sizeof made, 0) == sizeof made) return made;
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return {static_cast<std::uint64_t>(now.tv_nsec), static_cast<std::uint64_t>(now.tv_sec),
            static_cast<std::uint64_t>(getpid()), static_cast<std::uint64_t>(gettid())};
}

}  // namespace apus::tracing
