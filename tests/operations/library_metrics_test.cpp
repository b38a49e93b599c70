// SPDX-License-Identifier: Apache-2.0
#include "operations/library_metrics.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

using namespace apus;
using runtime::instrument;

namespace {

constexpr std::string_view labels[] = {"database", "engine"};
constexpr instrument rows[] = {
    instrument::counter("statements_total", "Statements", 0, "outcome", "good"),
    instrument::counter("statements_total", {}, 1, "outcome", "bad"),
    instrument::seconds("wait_seconds_total", "Waits", 2),
    instrument::gauge("open", "Open", 3),
};
constexpr runtime::instrument_set set{labels, rows, 4};
constexpr instrument histogram_row[] = {instrument::durations("took_seconds", "Took", 0)};
constexpr runtime::instrument_set histogram_set{{}, histogram_row, 0};

std::string written(const operations::library_metrics& all) {
    operations::exposition to(operations::exposition_format::text);
    all.write(to);
    return std::move(to).finish();
}

}  // namespace

TEST_CASE("numbers of libraries are added up over cores, family by family") {
    runtime::instrument_list first, second;
    first.of(set, {"shop", "sqlite"}).add(0, 2);
    first.of(histogram_set).observe(0, 300'000);
    first.of(set, {"log", "postgres"}).add(1);
    second.of(set, {"shop", "sqlite"}).add(0, 3);
    second.of(set, {"shop", "sqlite"}).add(2, 1'500'000'000);
    first.of(set, {"shop", "sqlite"}).add(3, 1);
    second.of(set, {"shop", "sqlite"}).subtract(3, 1);
    second.of(set, {"log", "postgres"}).subtract(3, 1);  // read before the core that increased it
    operations::library_metrics all;
    all.add(first);
    all.add(second);
    const std::string text = written(all);
    CHECK(text.starts_with(R"(# HELP statements_total Statements
# TYPE statements_total counter
statements_total{database="shop",engine="sqlite",outcome="good"} 5
statements_total{database="shop",engine="sqlite",outcome="bad"} 0
statements_total{database="log",engine="postgres",outcome="good"} 0
statements_total{database="log",engine="postgres",outcome="bad"} 1
# HELP wait_seconds_total Waits
# TYPE wait_seconds_total counter
wait_seconds_total{database="shop",engine="sqlite"} 1.5
wait_seconds_total{database="log",engine="postgres"} 0.0
# HELP open Open
# TYPE open gauge
open{database="shop",engine="sqlite"} 0.0
open{database="log",engine="postgres"} 0.0
# HELP took_seconds Took
# TYPE took_seconds histogram
took_seconds_bucket{le="0.0001"} 0
took_seconds_bucket{le="0.00025"} 0
took_seconds_bucket{le="0.0005"} 1
)"));
    CHECK(text.ends_with("took_seconds_sum 0.0003\ntook_seconds_count 1\n"));
}

TEST_CASE("without libraries, nothing is written") { CHECK(written({}).empty()); }
