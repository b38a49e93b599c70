// SPDX-License-Identifier: Apache-2.0
#include "telemetry/otlp_exporter.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace {

struct endpoint_case {
    std::string_view given, url;  // no url: rejected
};
constexpr endpoint_case endpoints[] = {
    {"http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"},
    {"http://collector:4318/", "http://collector:4318/v1/traces"},
    {"http://collector/other/path", "http://collector/other/path"},
    {"https://collector", ""},  // without `tls`
    {"grpc://collector", ""},
    {"collector:4318", ""},
    {"http://user:password@collector", ""},
};

struct logs_case {
    std::string_view endpoint, logs_endpoint, url;  // no url: rejected
};

}  // namespace

TEST_CASE("tracer: endpoints") {
    for (const auto& [given, url] : endpoints) {
        CAPTURE(given);
        const apus::tracing_options options{.endpoint = std::string(given)};
        if (url.empty()) CHECK_THROWS_AS(apus::tracer{options}, std::invalid_argument);
        else CHECK(apus::telemetry::checked(options).url == url);
    }
}

TEST_CASE("tracer: endpoints of logs") {
    constexpr logs_case cases[] = {
        {"http://collector:4318", "", "http://collector:4318/v1/logs"},
        {"http://collector/v1/traces", "", "http://collector/v1/logs"},
        {"http://collector/tenant/v1/traces", "", "http://collector/tenant/v1/logs"},
        {"http://collector/other", "", ""},
        {"http://collector/other", "http://logs/receive", "http://logs/receive"},
        {"http://collector", "http://logs", "http://logs/v1/logs"},
        {"http://collector", "https://logs", ""},
        {"http://collector", "logs", ""},
    };
    for (const auto& [endpoint, logs_endpoint, url] : cases) {
        CAPTURE(endpoint);
        apus::tracing_options options{.endpoint = std::string(endpoint),
                                      .logs = apus::log::level::info,
                                      .logs_endpoint = std::string(logs_endpoint)};
        if (url.empty()) CHECK_THROWS_AS(apus::tracer{options}, std::invalid_argument);
        else CHECK(apus::telemetry::checked(options).logs_url == url);
        options.logs = apus::log::level::off;
        CHECK(apus::telemetry::checked(options).logs_url.empty());
    }
}

TEST_CASE("tracer: invalid options are rejected with their name") {
    const auto why = [](const apus::tracing_options& options) {
        try {
            apus::tracer made(options);
            return std::string();
        } catch (const std::invalid_argument& e) {
            return std::string(e.what());
        }
    };
    CHECK(why({}).empty());
    CHECK(why({.sample = -0.1}).contains("sample"));
    CHECK(why({.sample = 1.1}).contains("sample"));
    CHECK(why({.keep_slower = apus::seconds(-1)}).contains("keep_slower"));
    CHECK(why({.queue = 1000}).contains("queue"));
    CHECK(why({.batch = 0}).contains("batch"));
    CHECK(why({.interval = {}}).contains("interval"));
    CHECK(why({.timeout = {}}).contains("timeout"));
    CHECK(why({.flush = apus::seconds(-1)}).contains("flush"));
    CHECK(why({.headers = {{"a b", "c"}}}).contains("a b"));
}
