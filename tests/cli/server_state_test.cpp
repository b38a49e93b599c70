// SPDX-License-Identifier: Apache-2.0
#include "cli/watching/metrics_text.hpp"
#include "cli/watching/screen.hpp"
#include "cli/watching/server_state.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace {

using namespace apus::cli::watching;

constexpr std::string_view metrics = R"(# HELP a A
http_server_requests_total{method="GET",route="/a\"\\\n",status="2xx"} 90
http_server_requests_total{method="GET",route="/a\"\\\n",status="5xx"} 10
http_server_request_duration_seconds_bucket{method="GET",route="/a\"\\\n",le="0.001"} 50
http_server_request_duration_seconds_bucket{method="GET",route="/a\"\\\n",le="0.01"} 100
http_server_request_duration_seconds_bucket{method="GET",route="/a\"\\\n",le="+Inf"} 100
apus_core_cpu_seconds_total{core="1"} 2.5
apus_core_cpu_seconds_total{core="99999999"} 2.5
apus_connections{protocol="http1",state="active"} 1
apus_connections{protocol="http1",state="idle"} 4
apus_connections{protocol="http2",state="active"} 2
apus_connections{protocol="http2",state="idle"} 8
apus_connections{protocol="unknown",state="handshake"} 16
apus_build_info{version="0.1.0",io="epoll"} 1
)";
constexpr std::string_view requests =
    R"({"in_flight_count":1,"tunnel_count":0,"cores":[{"answered":false,"busy_ms":1500}],"in_flight":[],"new":{},)"
    R"("routes":[{"route":"/a","method":"GET","slowest":[],"failed":[{"time":"2026-11-27T14:41:44.055Z",)"
    R"("method":"GET","path":"/a\u001b[31m\u00e9","status":500,"duration_ms":1.5}],"rejected":[]}]})";

}  // namespace

TEST_CASE("the reports of a server are read") {
    const auto state = read_state(metrics, requests);
    REQUIRE(state.has_value());
    CHECK(state->version == "0.1.0");
    CHECK(state->cores.size() == 2);
    CHECK(state->http1 == 21);
    CHECK(state->http2 == 10);
    const auto& route = state->routes.at({"/a\"\\\n", "GET"});
    CHECK(route.requests == 100);
    CHECK(route.failed == 10);
    CHECK(quantile(0.5, route, nullptr) == doctest::Approx(0.001));
    CHECK(quantile(0.75, route, nullptr) == doctest::Approx(0.0055));
    CHECK(quantile(0.75, route, &route) == doctest::Approx(0.0055));  // no new requests: since the start
    CHECK(!quantile(0.5, {}, nullptr).has_value());
}

TEST_CASE("what is not a report of an Apus server is rejected") {
    constexpr std::string_view malformed[] = {"a",    "a{",     "a{b}", "a{b=\"c\"", "a{b=\"\\", "a{b=\"c\"} x",
                                              "{} 1", "<html>", "a 1x"};
    for (const auto text : malformed) {
        CAPTURE(text);
        CHECK(!parse_metrics(text).has_value());
    }
    CHECK(!read_state("", requests).has_value());  // no build info
    CHECK(!read_state(metrics, "[]").has_value());
    CHECK(!read_state(metrics, "").has_value());
}

TEST_CASE("texts of clients cannot control the terminal, and fit any screen") {
    const auto state = read_state(metrics, requests);
    REQUIRE(state.has_value());
    view how;
    CHECK(how.press('f'));
    CHECK(!how.press('?'));
    for (const std::size_t columns : {1U, 40U, 80U, 200U})
        for (const std::size_t rows : {0U, 1U, 5U, 24U, 100U}) {
            const std::string text = draw(*state, nullptr, how, {columns, rows}, false);
            for (const char c : text) REQUIRE((c == '\n' || (c >= ' ' && c <= '~')));
            if (rows) CHECK(static_cast<std::size_t>(std::ranges::count(text, '\n')) < rows);
        }
    const std::string whole = draw(*state, nullptr, how, {80, 24}, false);
    CHECK(whole.contains("GET /a?[31m??"));
    CHECK(whole.contains("0: blocked 1.50 s"));
    CHECK(draw(*state, nullptr, how, {80, 24}, true).contains("\033[31m"));
}

TEST_CASE("a narrow screen omits columns, and a high screen has all lists") {
    const auto state = read_state(metrics, requests);
    REQUIRE(state.has_value());
    const std::string narrow = draw(*state, nullptr, view(), {44, 40}, false);
    CHECK(narrow.contains("5XX       P99\n"));
    CHECK(!narrow.contains("REQUESTS"));
    CHECK(narrow.contains("q quit"));
    const std::string wide = draw(*state, nullptr, view(), {80, 40}, false);
    CHECK(wide.contains("REQUESTS    4XX    5XX       P50       P99\n"));
    for (const auto& screen : {wide, draw(*state, nullptr, view(), {80, 0}, false)})
        for (const std::string_view list : {"IN FLIGHT", "SLOWEST (15 MIN)", "FAILED (5XX)", "REJECTED (4XX)"})
            CHECK(screen.contains(list));
}
