// SPDX-License-Identifier: Apache-2.0
#include "operations/exposition.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

using namespace apus::operations;

namespace {

std::string one(double value) {
    exposition to(exposition_format::text);
    to.family("a", metric_type::gauge, "b");
    to.sample({}, value);
    const std::string text = std::move(to).finish();
    const auto at = text.rfind(' ');
    return text.substr(at + 1, text.size() - at - 2);
}

}  // namespace

TEST_CASE("counters have their suffix in names of families only in the text format") {
    for (const bool openmetrics : {false, true}) {
        exposition to(openmetrics ? exposition_format::openmetrics : exposition_format::text);
        to.family("orders_total", metric_type::counter, "Orders");
        const sample_label label{"way", "card"};
        to.sample({&label, 1}, std::uint64_t{18'446'744'073'709'551'615U});
        const std::string family = openmetrics ? "orders" : "orders_total", end = openmetrics ? "# EOF\n" : "";
        CHECK(std::move(to).finish() == "# HELP " + family + " Orders\n# TYPE " + family +
                                            " counter\norders_total{way=\"card\"} 18446744073709551615\n" + end);
    }
}

TEST_CASE("label values and helps are escaped, and are valid UTF-8") {
    const std::string hostile = "a\"b\\c\nd\xff\xc3(\xe2\x82\xac";
    for (const bool openmetrics : {false, true}) {
        exposition to(openmetrics ? exposition_format::openmetrics : exposition_format::text);
        to.family("a", metric_type::gauge, hostile);
        const sample_label labels[] = {{"x", hostile}, {"y", ""}};
        to.sample(labels, 1.0);
        const std::string quoted = "a\\\"b\\\\c\\nd\xEF\xBF\xBD\xEF\xBF\xBD(\xe2\x82\xac";
        const std::string help = openmetrics ? quoted : "a\"b\\\\c\\nd\xEF\xBF\xBD\xEF\xBF\xBD(\xe2\x82\xac";
        CHECK(std::move(to).finish() == "# HELP a " + help + "\n# TYPE a gauge\na{x=\"" + quoted + "\",y=\"\"} 1.0\n" +
                                            (openmetrics ? "# EOF\n" : ""));
    }
}

TEST_CASE("numbers are written in a form that both formats accept") {
    const std::pair<double, std::string> rows[] = {
        {0, "0.0"},      {-1, "-1.0"},       {.0001, "0.0001"},   {.00025, "0.00025"},
        {10, "10.0"},    {1e300, "1e+300"},  {-2.5, "-2.5"},      {1795475571.48, "1795475571.48"},
        {1e-9, "1e-09"}, {INFINITY, "+Inf"}, {-INFINITY, "-Inf"}, {std::numeric_limits<double>::quiet_NaN(), "NaN"},
    };
    for (const auto& [value, text] : rows) CHECK(one(value) == text);
}

TEST_CASE("buckets of histograms are cumulative") {
    exposition to(exposition_format::text);
    to.family("h", metric_type::histogram, "H");
    const double bounds[] = {.5, 1};
    const std::uint64_t counts[] = {3, 0, 4};
    const sample_label label{"k", "v"};
    to.histogram({&label, 1}, {.bounds = bounds, .counts = counts, .sum = 6.25});
    CHECK(std::move(to).finish() ==
          "# HELP h H\n# TYPE h histogram\nh_bucket{k=\"v\",le=\"0.5\"} 3\n"
          "h_bucket{k=\"v\",le=\"1.0\"} 3\nh_bucket{k=\"v\",le=\"+Inf\"} 7\n"
          "h_sum{k=\"v\"} 6.25\nh_count{k=\"v\"} 7\n");
}

TEST_CASE("exemplars are written in OpenMetrics only") {
    for (const bool openmetrics : {false, true}) {
        exposition to(openmetrics ? exposition_format::openmetrics : exposition_format::text);
        to.family("h", metric_type::histogram, "H");
        const double bounds[] = {1};
        const std::uint64_t counts[] = {3, 4};
        const sample_exemplar exemplars[] = {{}, {.trace = "00ff", .value = 2.5, .time = 1795475571.4876}};
        to.histogram({}, {.bounds = bounds, .counts = counts, .sum = 6, .exemplars = exemplars});
        const std::string text = std::move(to).finish();
        CHECK(text.contains("h_bucket{le=\"1.0\"} 3\n"));
        const std::string last = openmetrics ? " # {trace_id=\"00ff\"} 2.5 1795475571.488\n" : "\n";
        CHECK(text.contains("h_bucket{le=\"+Inf\"} 7" + last));
    }
}
