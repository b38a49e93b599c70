// SPDX-License-Identifier: Apache-2.0
#include "operations/program_metrics.hpp"

#include "operations/route_metrics.hpp"

#include <apus/app.hpp>
#include <apus/metrics.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace apus;

namespace {

std::string written(const operations::program_metrics& all) {
    operations::exposition to(operations::exposition_format::text);
    all.write(to);
    std::string text = std::move(to).finish(), samples;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = text.find('\n', at);
        if (text[at] != '#') samples += text.substr(at, end - at) + '\n';
        at = end + 1;
    }
    return samples;
}

// Adds a metric, and returns the message of its exception.
template <class F>
std::string refusal(F add) {
    app a;
    try {
        add(a);
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "";
}

std::string refused_counter(std::string_view name, const metrics::labels& by = {}) {
    return refusal([&](app& a) { metrics::counter(a, name, "help", by); });
}

}  // namespace

TEST_CASE("values of cores are combined") {
    operations::program_metrics all;
    std::vector<std::unique_ptr<web::application>> apps;
    for (int core = 0; core < 3; ++core) {
        app a;
        const metrics::counter orders(a, "orders_total", "Orders", {{"way", {"card", "cash"}}, {"ok", {"yes"}}});
        const metrics::gauge sum(a, "sum", "Sum"), most(a, "most", "Most", {}, metrics::combine::max),
            least(a, "least", "Least", {}, metrics::combine::min), unset(a, "unset", "U", {}, metrics::combine::min);
        constexpr double bounds[] = {1, 2};
        const metrics::histogram sizes(a, "sizes", "Sizes", bounds);
        orders.with("card", "yes").add();
        orders.with("cash", "no").add(10);
        orders.with("gold", "yes").add(100);
        orders.add(1000);
        sum.add(1.5);
        sum.subtract();
        if (core != 1) most.set(core - 5), least.set(core + 5);
        for (const double value : {1.0, 1.5, 2.5}) sizes.observe(value);
        apps.push_back(std::make_unique<web::application>(std::move(a)));
        all.add(*apps.back());
    }
    CHECK(written(all) ==
          "least 5.0\nmost -3.0\n"
          "orders_total{way=\"card\",ok=\"yes\"} 3\norders_total{way=\"card\",ok=\"other\"} 0\n"
          "orders_total{way=\"cash\",ok=\"yes\"} 0\norders_total{way=\"cash\",ok=\"other\"} 30\n"
          "orders_total{way=\"other\",ok=\"yes\"} 300\norders_total{way=\"other\",ok=\"other\"} 3000\n"
          "sizes_bucket{le=\"1.0\"} 3\nsizes_bucket{le=\"2.0\"} 6\nsizes_bucket{le=\"+Inf\"} 9\n"
          "sizes_sum 15.0\nsizes_count 9\nsum 1.5\nunset 0.0\n");
}

TEST_CASE("a metric of a mounted app has one series with that of the outer app") {
    app inner, outer;
    metrics::counter(inner, "a_total", "A").add(2);
    metrics::counter(outer, "a_total", "A").add(3);
    metrics::counter(outer, "a_total", "A").add(4);  // defines the same metric again
    outer.mount("/inner", std::move(inner));
    const web::application served(std::move(outer));
    operations::program_metrics all;
    all.add(served);
    CHECK(written(all) == "a_total 9\n");
}

TEST_CASE("metrics whose labels have different values are written together") {
    operations::program_metrics all;
    app inner, outer;
    const metrics::counter a(outer, "a_total", "A", {{"of", {"first"}}, {"way", {"card"}}});
    const metrics::counter b(outer, "a_total", "A", {{"of", {"second"}}, {"way", {"card", "cash"}}});
    const metrics::counter c(inner, "a_total", "A", {{"of", {"first"}}, {"way", {"card"}}});
    a.with("first", "card").add(1);
    b.with("second", "cash").add(10);
    c.with("first", "card").add(100);
    for (const auto* each : {&a, &b, &c}) each->add(1000);
    outer.mount("/inner", std::move(inner));
    const web::application served(std::move(outer));
    all.add(served);
    CHECK(written(all) ==
          "a_total{of=\"first\",way=\"card\"} 101\na_total{of=\"first\",way=\"other\"} 0\n"
          "a_total{of=\"other\",way=\"card\"} 0\na_total{of=\"other\",way=\"cash\"} 0\n"
          "a_total{of=\"other\",way=\"other\"} 3000\na_total{of=\"second\",way=\"card\"} 0\n"
          "a_total{of=\"second\",way=\"cash\"} 10\na_total{of=\"second\",way=\"other\"} 0\n");
}

TEST_CASE("metrics of one name and different definitions are refused") {
    CHECK(refusal([](app& a) {
              metrics::counter(a, "a_total", "A");
              metrics::counter(a, "a_total", "B");
          }) == "metric `a_total`: already exists with another definition");
    app inner, outer;
    metrics::gauge(inner, "a", "A");
    metrics::gauge(outer, "a", "B");
    outer.mount("/inner", std::move(inner));
    CHECK_THROWS_WITH_AS(web::application(std::move(outer)), "two metrics with different definitions are named `a`",
                         std::logic_error);
}

TEST_CASE("invalid definitions are refused with a reason") {
    CHECK(refused_counter("orders") == "metric `orders`: the name of a counter must end in `_total`");
    for (const auto* name : {"", "1_total", "a-b_total", "\xff_total", "a b_total"})
        CHECK(refused_counter(name).contains("a name must consist of"));
    for (const auto* name : {"apus_x_total", "process_x_total", "http_server_x_total"})
        CHECK(refused_counter(name).contains("reserved"));
    for (const auto* label : {"le", "__a", "1", "a:b", ""})
        CHECK(refused_counter("a_total", {{label, {"v"}}}).contains("invalid label name"));
    CHECK(refused_counter("a_total", {{"l", {"v", "v"}}}).contains("twice"));
    CHECK(refused_counter("a_total", {{"l", {"other"}}}).contains("twice"));
    CHECK(refused_counter("a_total", {{"l", {"v\xff"}}}).contains("invalid UTF-8"));
    CHECK(refused_counter("a_total", {{"l", {"v"}}, {"l", {"v"}}}).contains("two labels are named `l`"));
    CHECK(refusal([](app& a) { metrics::gauge(a, "a_total", "A"); }).contains("only names of counters"));
    CHECK(refusal([](app& a) { metrics::gauge(a, "a_count", "A"); }).contains("must not end"));
    constexpr double descending[] = {2, 1}, endless[] = {1, INFINITY};
    CHECK(refusal([&](app& a) { metrics::histogram(a, "a", "A", descending); }).contains("ascending"));
    CHECK(refusal([&](app& a) { metrics::histogram(a, "a", "A", endless); }).contains("finite"));
}

TEST_CASE("the number of series is limited, and labels must be complete") {
    std::vector<std::string> texts;
    for (int i = 0; i < 100; ++i) texts.push_back(std::to_string(i));
    const std::vector<std::string_view> hundred(texts.begin(), texts.end());
    CHECK(refused_counter("a_total", {{"a", hundred}, {"b", hundred}}).contains("more than 10,000 series"));
    app a;
    const metrics::counter labelled(a, "b_total", "B", {{"a", {"x"}}});
    CHECK_THROWS_AS(labelled.with(), std::invalid_argument);
    CHECK_THROWS_AS(labelled.with("x", "y"), std::invalid_argument);
}

TEST_CASE("observations that are not numbers are in the last bucket") {
    app a;
    constexpr double bounds[] = {0};
    const metrics::histogram h(a, "h", "H", bounds);
    for (const double value : {double(NAN), double(INFINITY), -double(INFINITY)}) h.observe(value);
    const web::application served(std::move(a));
    operations::program_metrics all;
    all.add(served);
    CHECK(written(all) == "h_bucket{le=\"0.0\"} 1\nh_bucket{le=\"+Inf\"} 3\nh_sum NaN\nh_count 3\n");
}

TEST_CASE("routes are counted under their patterns") {
    app inner, outer;
    inner.get("/{id}", [](int) { return ""; });
    outer.mount("/items", std::move(inner));
    const web::application served(std::move(outer));
    auto measured = served.measured_routes();
    REQUIRE(measured.size() == 1);
    auto& counters = const_cast<http::route_counters&>(*measured[0].counters);
    ++counters.responses[2];
    counters.durations.add(base::duration_counts::place(250'001), 250'001, 1);
    operations::route_metrics all;
    for (int core = 0; core < 2; ++core) all.add(served, http::metrics());
    operations::exposition to(operations::exposition_format::text);
    all.write(to);
    const std::string text = std::move(to).finish();
    const std::string labels = R"({method="GET",route="/items/{id}")";
    CHECK(text.contains("http_server_requests_total" + labels + ",status=\"2xx\"} 2\n"));
    CHECK(text.contains("_bucket" + labels + ",le=\"0.00025\"} 0\n"));
    CHECK(text.contains("_bucket" + labels + ",le=\"0.0005\"} 2\n"));
    CHECK(text.contains("_sum" + labels + "} 0.000500002\n"));
    CHECK(text.contains(R"(http_server_requests_total{method="other",route="unmatched",status="2xx"} 0)"));

    operations::exposition messages(operations::exposition_format::protobuf);
    all.write(messages);
    // One native bucket with two requests: bucket -95 ends at 2^(-95 / 8) s = 0.000266 s.
    CHECK(std::move(messages).finish().contains("\x62\x05\x08\xbd\x01\x10\x01\x6a\x01\x04"));
}
