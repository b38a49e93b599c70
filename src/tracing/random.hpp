// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace apus::tracing {

/// Pseudo-random numbers for ids and sampling (xoshiro256**). Not for secrets.
class random {
public:
    explicit random(const std::array<std::uint64_t, 4>& seed) noexcept : state_(seed) { state_[0] |= 1; }

    /// Returns random numbers of the kernel; if it has none, the time and the thread.
    static std::array<std::uint64_t, 4> seed() noexcept;

    std::uint64_t next() noexcept {
        const std::uint64_t made = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return made;
    }

private:
    std::array<std::uint64_t, 4> state_;
};

}  // namespace apus::tracing
