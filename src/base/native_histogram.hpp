// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace apus::base {

/// Counts of durations in buckets of exponential width: a native histogram of Prometheus.
/// Bucket `i` of schema 3 has durations in seconds from 2^((i - 1) / 8), exclusive, to 2^(i / 8), inclusive. So a
/// quantile is exact within 4.5 %. One thread writes, any thread reads.
class native_histogram {
public:
    static constexpr int schema = 3;
    static constexpr int first = -159;                  ///< Index of the bucket of cell 1. Its lower bound is 2^-20 s.
    static constexpr unsigned cells = 257;              ///< The last bucket also has all durations over 2^12 s.
    static constexpr double zero_threshold = 0x1.p-20;  ///< Seconds. Durations up to this (954 ns) are in cell 0.

    /// Returns the cell of a duration, from the exponent and the mantissa of its floating-point value.
    static constexpr unsigned cell_of(std::uint64_t nanoseconds) noexcept {
        constexpr unsigned bits_of_mantissa = 52;
        // Signed numbers are converted by fewer instructions. Durations of more than 292 years are negative, which sets
        // the highest bit, and so are in the last cell.
        const auto bits =
            std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(nanoseconds)) * 1e-9);
        const int octave = static_cast<int>(bits >> bits_of_mantissa) - exponent_of_first;
        if (octave < 0) return 0;
        if (octave >= octaves) return cells - 1;
        const std::uint64_t mantissa = bits & ((std::uint64_t{1} << bits_of_mantissa) - 1);
        const unsigned below = bounds_below[mantissa >> (bits_of_mantissa - 4)];
        return static_cast<unsigned>(octave) * per_octave + below + (mantissa > bounds[below] ? 1 : 0);
    }

    void add(unsigned cell, std::uint64_t number) noexcept { counts_[cell] += number; }
    std::uint64_t load(unsigned cell) const noexcept { return counts_[cell]; }

private:
    static constexpr unsigned per_octave = 8;
    static constexpr int octaves = 32, exponent_of_first = 1023 - 20;

    // Mantissas of 2^0, 2^(1/8), ..., 2^(7/8), as Prometheus rounds them. No mantissa is above the last element.
    static constexpr std::array<std::uint64_t, per_octave + 1> bounds = [] {
        constexpr double powers[] = {0.5,
                                     0.5452538663326288,
                                     0.5946035575013605,
                                     0.6484197773255048,
                                     0.7071067811865475,
                                     0.7711054127039704,
                                     0.8408964152537144,
                                     0.9170040432046711};
        std::array<std::uint64_t, per_octave + 1> made{};
        for (unsigned i = 0; i < per_octave; ++i) made[i] = std::bit_cast<std::uint64_t>(powers[i]) << 12U >> 12U;
        made[per_octave] = std::numeric_limits<std::uint64_t>::max();
        return made;
    }();
    // For the upper four bits of a mantissa: the number of bounds that are lower than all mantissas with these bits.
    // At most one further bound has the same bits, since the bounds are more than 1/16 apart.
    static constexpr std::array<unsigned char, 16> bounds_below = [] {
        std::array<unsigned char, 16> made{};
        for (unsigned i = 0; i < made.size(); ++i)
            while (bounds[made[i]] < std::uint64_t{i} << 48U) ++made[i];
        return made;
    }();

    base::counter counts_[cells];
};

}  // namespace apus::base
