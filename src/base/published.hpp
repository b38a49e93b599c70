// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace apus::base {

/// A value that one thread replaces and any thread copies, without a lock (a sequence lock).
/// The writer never waits. A reader gets either a complete value, or none while the writer is replacing it.
template <class T>
class published {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0);

public:
    void write(const T& value) noexcept {
        std::array<std::uint64_t, words> copy;
        std::memcpy(copy.data(), &value, sizeof value);
        const std::uint64_t before = version_.load(std::memory_order_relaxed);
        version_.store(before + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        for (std::size_t i = 0; i < words; ++i) words_[i].store(copy[i], std::memory_order_relaxed);
        version_.store(before + 2, std::memory_order_release);
    }

    /// Copies the value.
    /// Returns false if nothing was written yet, or if the writer replaces the value in the meantime.
    bool read(T& to) const noexcept {
        const std::uint64_t before = version_.load(std::memory_order_acquire);
        if (before == 0 || before % 2 != 0) return false;
        std::array<std::uint64_t, words> copy;
        for (std::size_t i = 0; i < words; ++i) copy[i] = words_[i].load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (version_.load(std::memory_order_relaxed) != before) return false;
        std::memcpy(static_cast<void*>(&to), copy.data(), sizeof to);
        return true;
    }

private:
    static constexpr std::size_t words = sizeof(T) / sizeof(std::uint64_t);

    std::atomic<std::uint64_t> version_ = 0;  // odd while the value is being replaced; 0: no value
    std::array<std::atomic<std::uint64_t>, words> words_{};
};

}  // namespace apus::base
