// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace apus::runtime {

/// Something to do at a time. Lives inside what it belongs to; at most one wheel holds it.
struct timer {
    timer* next = nullptr;
    timer* before = nullptr;
    std::uint64_t due = 0;                  ///< In milliseconds of the wheel's clock.
    void (*fire)(timer&) noexcept = nullptr;

    bool waits() const noexcept { return next != nullptr; }
};

}  // namespace apus::runtime
