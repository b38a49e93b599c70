// SPDX-License-Identifier: Apache-2.0
#include "base/native_histogram.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>

using apus::base::native_histogram;

namespace {

// Returns the upper bound of a cell in seconds.
double bound_of(unsigned cell) { return std::exp2((native_histogram::first + static_cast<int>(cell) - 1) / 8.0); }

}  // namespace

TEST_CASE("native histogram: bounds are powers of the eighth root of two") {
    CHECK(bound_of(0) == native_histogram::zero_threshold);
    CHECK(bound_of(native_histogram::cells - 1) == 4096);
    const struct {
        std::uint64_t nanoseconds;
        unsigned cell;
    } rows[] = {
        {0, 0},
        {1, 0},
        {953, 0},  // 2^-20 s are 953.67 ns
        {954, 1},
        {1'953'125, 88},  // 2^-9 s: bounds belong to the lower bucket
        {1'953'126, 89},
        {500'000'000, 152},
        {500'000'001, 153},
        {1'000'000'000, 160},  // index 0
        {1'000'000'001, 161},
        {1'090'507'732, 161},  // 2^(1/8) s are 1.0905077326 s
        {1'090'507'733, 162},
        {4'096'000'000'000, 256},
        {4'096'000'000'001, 256},
        {~std::uint64_t{0}, 256},
    };
    for (const auto& row : rows) {
        CAPTURE(row.nanoseconds);
        CHECK(native_histogram::cell_of(row.nanoseconds) == row.cell);
    }
}

TEST_CASE("native histogram: each duration is between the bounds of its cell") {
    unsigned last = 0, seen = 0;
    for (int step = 0; step < 7'400; ++step) {
        const double d = 900 * std::pow(1.003, step);  // up to 3.8e12 ns
        for (const int near : {-1, 0, 1}) {
            const std::uint64_t nanoseconds = static_cast<std::uint64_t>(d + near);
            const unsigned cell = native_histogram::cell_of(nanoseconds);
            const double seconds = static_cast<double>(nanoseconds) * 1e-9;
            const bool inside =
                seconds <= bound_of(cell) * (1 + 1e-15) && (cell == 0 || seconds > bound_of(cell - 1) * (1 - 1e-15));
            if (!inside) FAIL_CHECK(nanoseconds << " ns are in cell " << cell);
            if (near == 0) seen += cell != last, last = cell;
        }
    }
    CHECK(seen == native_histogram::cells - 1);
}
