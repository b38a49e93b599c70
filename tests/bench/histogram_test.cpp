// SPDX-License-Identifier: Apache-2.0
#include "load/histogram.hpp"

#include <doctest/doctest.h>

#include <random>

using load::histogram;

TEST_CASE("a histogram keeps three digits of every value") {
    for (std::uint64_t value = 1; value < histogram::longest; value = value * 17 / 16 + 1) {
        histogram h;
        h.record(value);
        h.record(histogram::longest);
        CHECK(h.at(50) >= value);
        CHECK(double(h.at(50)) <= double(value) * 1.001);
    }
}

TEST_CASE("percentiles agree with the sorted values") {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> values(10'000);
    histogram h;
    for (auto& value : values) h.record(value = random() >> (20 + random() % 40));
    for (auto& value : values) value = std::min(value, histogram::longest);
    std::sort(values.begin(), values.end());
    for (const double percent : {0.01, 1.0, 50.0, 90.0, 99.0, 99.9, 99.99}) {
        const auto exact = values[std::size_t(percent / 100 * 10'000 + 0.5) - 1];
        CHECK(h.at(percent) >= exact);
        CHECK(double(h.at(percent)) <= double(exact) * 1.001);
    }
    CHECK(h.at(100) == values.back());
    CHECK(h.max() == values.back());
    CHECK(h.total() == 10'000);
}

TEST_CASE("histograms add up") {
    histogram a, b;
    a.record(10, 3);
    b.record(40);
    a.add(b);
    CHECK(a.total() == 4);
    CHECK(a.max() == 40);
    CHECK(a.mean() == 17.5);
    CHECK(a.at(75) == 10);
    CHECK(a.at(76) == 40);
}

TEST_CASE("an empty histogram has no percentiles") {
    const histogram h;
    CHECK(h.at(50) == 0);
    CHECK(h.max() == 0);
    CHECK(h.mean() == 0);
    CHECK(h.corrected(10).total() == 0);
}

TEST_CASE("a corrected histogram includes the requests that a stall delayed") {
    histogram h;
    h.record(100, 99);
    h.record(1000);
    const auto corrected = h.corrected(100);
    CHECK(corrected.total() == 109);  // includes the corrected values 900, 800 ... 100
    CHECK(corrected.at(100.0 * 100 / 109) == 100);
    CHECK(corrected.at(100.0 * 101 / 109) == 200);
    CHECK(corrected.max() == 1000);
    CHECK(h.corrected(0).total() == 100);
    CHECK(h.corrected(5000).total() == 100);
}
