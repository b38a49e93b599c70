// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"

#include <cstdint>
#include <iterator>

namespace apus::base {

/// Counts of durations per bucket, by upper bounds in nanoseconds.
/// One thread writes, any thread reads.
struct duration_histogram {
    static constexpr std::uint64_t bounds[] = {
        100'000,    250'000,     500'000,     1'000'000,   2'500'000,     5'000'000,     10'000'000,    25'000'000,
        50'000'000, 100'000'000, 250'000'000, 500'000'000, 1'000'000'000, 2'500'000'000, 5'000'000'000, 10'000'000'000};
    static constexpr unsigned buckets = std::size(bounds) + 1;  ///< The last bucket has no bound.

    static unsigned bucket_of(std::uint64_t nanoseconds) noexcept {
        unsigned at = 0;
        while (at + 1 < buckets && nanoseconds > bounds[at]) ++at;
        return at;
    }
    /// Adds `number` equal durations.
    void add(unsigned bucket, std::uint64_t nanoseconds, std::uint64_t number) noexcept {
        counts[bucket] += number;
        sum += nanoseconds * number;
    }

    base::counter sum;  ///< Nanoseconds of all durations together.
    base::counter counts[buckets];
};

}  // namespace apus::base
