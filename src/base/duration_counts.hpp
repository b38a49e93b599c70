// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/duration_histogram.hpp"
#include "base/native_histogram.hpp"

#include <atomic>
#include <cstdint>

namespace apus::base {

/// Counts of durations on one core, in buckets with fixed bounds and in a native histogram.
/// The native histogram, 2,056 bytes, is allocated for the first duration. One thread writes, any thread reads.
class duration_counts {
public:
    /// Where a duration is counted.
    struct place {
        unsigned bucket, cell;

        explicit place(std::uint64_t nanoseconds) noexcept
            : bucket(duration_histogram::bucket_of(nanoseconds)), cell(native_histogram::cell_of(nanoseconds)) {}
    };

    duration_counts() = default;
    duration_counts(const duration_counts&) = delete;
    duration_counts& operator=(const duration_counts&) = delete;
    ~duration_counts();

    /// Adds `number` equal durations. If memory is exhausted, the native histogram does not have them.
    void add(place at, std::uint64_t nanoseconds, std::uint64_t number) noexcept {
        auto* to = native_.load(std::memory_order_relaxed);
        if (!to) [[unlikely]]
            to = make_native();
        if (to) to->add(at.cell, number);
        fixed_.add(at.bucket, nanoseconds, number);
    }

    const duration_histogram& fixed() const noexcept { return fixed_; }
    /// Null before the first duration.
    const native_histogram* native() const noexcept { return native_.load(std::memory_order_acquire); }

private:
    [[gnu::noinline, gnu::cold]] native_histogram* make_native() noexcept;

    duration_histogram fixed_;
    std::atomic<native_histogram*> native_ = nullptr;
};

}  // namespace apus::base
