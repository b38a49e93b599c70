// SPDX-License-Identifier: Apache-2.0
#include "telemetry/otlp_exporter.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Sets environment variables until the end of the scope.
class environment {
public:
    explicit environment(std::vector<std::pair<const char*, const char*>> all) : all_(std::move(all)) {
        for (const auto& [name, value] : all_) setenv(name, value, 1);
    }
    environment(const environment&) = delete;
    environment& operator=(const environment&) = delete;
    ~environment() {
        for (const auto& [name, value] : all_) unsetenv(name);
    }

private:
    std::vector<std::pair<const char*, const char*>> all_;
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

TEST_CASE("tracer: endpoints of the environment") {
    const struct {
        std::vector<std::pair<const char*, const char*>> variables;
        std::string_view url, logs_url;
    } cases[] = {
        {{}, "http://127.0.0.1:4318/v1/traces", "http://127.0.0.1:4318/v1/logs"},
        {{{"OTEL_EXPORTER_OTLP_ENDPOINT", ""}}, "http://127.0.0.1:4318/v1/traces", "http://127.0.0.1:4318/v1/logs"},
        {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"}}, "http://a:1/v1/traces", "http://a:1/v1/logs"},
        {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1/otlp"}}, "http://a:1/otlp/v1/traces", "http://a:1/otlp/v1/logs"},
        {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1/otlp/"}}, "http://a:1/otlp/v1/traces", "http://a:1/otlp/v1/logs"},
        {{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1/x"}, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://b:2/y"}},
         "http://b:2/y",
         "http://a:1/x/v1/logs"},
        {{{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://b:2"}, {"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://c:3/z"}},
         "http://b:2/",
         "http://c:3/z"},
    };
    for (const auto& c : cases) {
        const environment given(c.variables);
        const apus::tracing_options options{.logs = apus::log::level::info};
        CHECK(apus::telemetry::checked(options).url == c.url);
        CHECK(apus::telemetry::checked(options).logs_url == c.logs_url);
        const apus::tracing_options own{.endpoint = "http://own:1", .logs = apus::log::level::info};
        CHECK(apus::telemetry::checked(own).url == "http://own:1/v1/traces");
        CHECK(apus::telemetry::checked(own).logs_url == "http://own:1/v1/logs");
    }
    const environment query({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1/?key=1"}});
    CHECK_THROWS_AS(apus::telemetry::checked({}), std::invalid_argument);
}

TEST_CASE("tracer: headers and resource attributes of the environment") {
    const environment given(
        {{"OTEL_EXPORTER_OTLP_HEADERS", "x-token=a%20b, X-Tenant = 7"},
         {"OTEL_RESOURCE_ATTRIBUTES", "service.name=by_list,deployment.environment.name=test,k=v"}});
    const auto shown = [](const apus::telemetry::export_options& o) {
        std::string all;
        for (const auto& [name, text] : o.headers) all += name + ":" + text + " ";
        return all;
    };
    CHECK(shown(apus::telemetry::checked({})) == "x-token:a b X-Tenant:7 ");
    CHECK(shown(apus::telemetry::checked({.headers = {{"x-tenant", "1"}}})) == "x-tenant:1 x-token:a b ");
    const std::string resource = apus::telemetry::checked({.resource = {{"k", "own"}}}).resource;
    for (const char* text : {"by_list", "deployment.environment.name", "test", "own"}) CHECK(resource.contains(text));
    CHECK(!resource.contains("unknown_service"));
    const environment name({{"OTEL_SERVICE_NAME", "by_name"}});
    CHECK(apus::telemetry::checked({}).resource.contains("by_name"));
    CHECK(!apus::telemetry::checked({}).resource.contains("by_list"));
    CHECK(apus::telemetry::checked({.service = "by_option"}).resource.contains("by_option"));
}

TEST_CASE("tracer: an invalid variable is named, without its value") {
    for (const char* variable : {"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_RESOURCE_ATTRIBUTES"}) {
        const environment given({{variable, "token"}});
        try {
            apus::telemetry::checked({});
            FAIL("accepted");
        } catch (const std::invalid_argument& e) {
            CHECK(std::string(e.what()) == std::string(variable) + " is not a list such as name=text,name=text");
        }
    }
}
