// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace load {

/// Histogram of durations in nanoseconds with 3 significant digits, in the log-linear layout of HDR
/// histograms: each power of two has 1,024 equal buckets.
class histogram {
public:
    static constexpr std::uint64_t longest = 60'000'000'000;  ///< longer durations are recorded as this value

    histogram() : counts_(index(longest) + 1) {}

    void record(std::uint64_t nanoseconds, std::uint64_t times = 1) {
        nanoseconds = std::min(nanoseconds, longest);
        counts_[index(nanoseconds)] += times;
        total_ += times;
        sum_ += double(nanoseconds) * double(times);
        max_ = std::max(max_, nanoseconds);
    }

    void add(const histogram&);

    /// Returns a copy corrected for coordinated omission at a fixed request `interval`.
    /// For each value of more than one interval, adds the latencies of the requests that should have been sent during
    /// that time: the value minus one interval, minus two intervals, and so on.
    histogram corrected(std::uint64_t interval) const;

    /// Returns the smallest recorded value that at least `percent` % of the values do not exceed; 0 if
    /// empty.
    std::uint64_t at(double percent) const;

    std::uint64_t total() const { return total_; }
    std::uint64_t max() const { return max_; }
    double mean() const { return total_ ? sum_ / double(total_) : 0; }

private:
    static constexpr unsigned bits = 10;

    static std::size_t index(std::uint64_t value) {
        const auto shift = unsigned(std::bit_width(value | ((2U << bits) - 1))) - (bits + 1);
        return (std::size_t(shift) << bits) + std::size_t(value >> shift);
    }

    static std::uint64_t highest_in(std::size_t index);

    std::vector<std::uint64_t> counts_;
    std::uint64_t total_ = 0, max_ = 0;
    double sum_ = 0;
};

}  // namespace load
