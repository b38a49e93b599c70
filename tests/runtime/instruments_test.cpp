// SPDX-License-Identifier: Apache-2.0
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
    instrument::durations("took_seconds", "Durations", 2),
};
constexpr instrument_set set{pool_name, rows, 2 + instrument::duration_cells};
constexpr instrument_set without_labels{{}, rows, 2 + instrument::duration_cells};

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
    one.observe(2, 200'000);
    one.observe(2, 60'000'000'000);
    CHECK(one.load(2) == 60'000'200'000);
    CHECK(one.load(2 + 1 + 1) == 1);                           // up to 250 us
    CHECK(one.load(2 + instrument::duration_cells - 1) == 1);  // above all bounds
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
