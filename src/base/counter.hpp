// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace apus::base {

/// A counter that one thread writes and any thread reads.
/// Costs as much as a plain integer: with only one writer, no locked instruction is needed.
class counter {
public:
    void add(std::uint64_t n) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    counter& operator++() noexcept { return add(1), *this; }
    counter& operator+=(std::uint64_t n) noexcept { return add(n), *this; }
    void set(std::uint64_t n) noexcept { value_.store(n, std::memory_order_relaxed); }
    operator std::uint64_t() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_ = 0;
};

}  // namespace apus::base
