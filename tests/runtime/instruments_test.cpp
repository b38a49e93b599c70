// SPDX-License-Identifier: Apache-2.0
#include "base/duration_histogram.hpp"
#include "base/native_histogram.hpp"
#include "runtime/instruments.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace apus::runtime;

namespace {

constexpr std::string_view pool_name[] = {"pool"};
constexpr instrument rows[] = {
    instrument::counter("calls_total", "Calls", 0),
    instrument::gauge("waiting", "Waiting calls", 1),
    instrument::durations("took_seconds", "Durations", 0),
    instrument::durations("waited_seconds", "Waits", 1),
};
constexpr instrument_set set{pool_name, rows, 2};
constexpr instrument_set without_labels{{}, rows, 2};

std::vector<std::string> names(const instrument_list& all) {
    std::vector<std::string> found;
    all.each([&](const instrument_group& g) { found.push_back(g.labels().empty() ? "" : g.labels()[0]); });
    return found;
}

}  // namespace

TEST_CASE("a group is created once per set and labels") {
    instrument_list all;
    auto& first = all.of(set, {"first"});
    CHECK(&all.of(set, {"second"}) != &first);
    CHECK(&all.of(set, {"first"}) == &first);
    CHECK(&all.of(without_labels) == &all.of(without_labels));
    CHECK(names(all) == std::vector<std::string>{"first", "second", ""});
}

TEST_CASE("cells count, and a gauge may fall below zero on one core") {
    instrument_list all;
    auto& one = all.of(set, {"a"});
    auto& other_core = all.of(set, {"b"});
    one.add(0, 5);
    one.add(1);
    other_core.subtract(1, 1);
    CHECK(one.load(0) == 5);
    CHECK(one.load(1) + other_core.load(1) == 0);
}

TEST_CASE("durations are counted in fixed and in native buckets") {
    instrument_list all;
    auto& one = all.of(set, {"a"});
    CHECK(!one.durations(0).native());
    one.observe(0, 200'000);
    one.observe(0, 60'000'000'000);
    one.observe(1, 1'000'000'000);
    const auto& took = one.durations(0);
    CHECK(took.fixed().sum == 60'000'200'000);
    CHECK(took.fixed().counts[1] == 1);                                            // up to 250 us
    CHECK(took.fixed().counts[apus::base::duration_histogram::buckets - 1] == 1);  // above all bounds
    using native = apus::base::native_histogram;
    CHECK(took.native()->load(native::cell_of(200'000)) == 1);
    CHECK(took.native()->load(native::cell_of(60'000'000'000)) == 1);
    CHECK(one.durations(1).fixed().sum == 1'000'000'000);
    CHECK(one.durations(1).native()->load(160) == 1);
    CHECK(!all.of(set, {"b"}).durations(0).native());
}

TEST_CASE("the number of groups of a set is limited") {
    instrument_list all;
    for (std::size_t i = 0; i < instrument_list::max_groups + 10; ++i) all.of(set, {std::to_string(i)}).add(0);
    const auto found = names(all);
    CHECK(found.size() == instrument_list::max_groups + 1);
    CHECK(found.back() == "other");
    CHECK(all.of(set, {"new"}).load(0) == 10);
    CHECK(all.of(set, {"0"}).load(0) == 1);
}
