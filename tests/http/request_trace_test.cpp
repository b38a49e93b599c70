// SPDX-License-Identifier: Apache-2.0
#include "http/request_trace.hpp"
#include "support/decoded_spans.hpp"

#include <apus/app.hpp>
#include <apus/secret.hpp>
#include <apus/sleep.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

using apus::test::ended_spans;
using apus::tracing::recorder;

#define APUS_TEST_TRACE "4bf92f3577b34da6a3ce929d0e0e4736"
#define APUS_TEST_SPAN "00f067aa0ba902b7"
constexpr std::string_view sampled_parent = "00-" APUS_TEST_TRACE "-" APUS_TEST_SPAN "-01";

apus::app traced_app() {
    apus::app app;
    app.get("/todos/{id}", [](int id) { return std::to_string(id) + "\n"; });
    app.get("/later", []() -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(1));
        co_return "later\n";
    });
    app.get("/fail", []() -> std::string { throw std::runtime_error("the disk is full"); });
    app.get("/fail-later", []() -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(1));
        co_await apus::fail(503, "the disk is full");
        co_return "";
    });
    return app;
}

struct span_case {
    std::string_view method, target;
    int status;
    std::string_view name, route;
};
constexpr span_case request_spans[] = {
    {"GET", "/todos/7", 200, "GET /todos/{id}", "/todos/{id}"},
    {"HEAD", "/todos/7", 200, "HEAD /todos/{id}", "/todos/{id}"},
    {"GET", "/todos/x?q=1", 400, "GET /todos/{id}", "/todos/{id}"},
    {"GET", "/later", 200, "GET /later", "/later"},
    {"GET", "/none", 404, "GET", ""},
    {"POST", "/later", 405, "POST", ""},
    {"M1", "/todos/7", 501, "HTTP", ""},
    {"GET", "/fail", 500, "GET /fail", "/fail"},
    {"GET", "/fail-later", 503, "GET /fail-later", "/fail-later"},
};

struct hostile_case {
    std::vector<apus::field_view> fields;
    bool continued;
};
const hostile_case hostile_fields[] = {
    {{{"traceparent", sampled_parent}}, true},
    {{{"TraceParent", sampled_parent}}, true},
    {{{"traceparent", "cc-" APUS_TEST_TRACE "-" APUS_TEST_SPAN "-01-future"}}, true},
    {{{"traceparent", sampled_parent}, {"traceparent", sampled_parent}}, false},
    {{{"traceparent", ""}}, false},
    {{{"traceparent", "ff-" APUS_TEST_TRACE "-" APUS_TEST_SPAN "-01"}}, false},
    {{{"traceparent", "00-00000000000000000000000000000000-" APUS_TEST_SPAN "-01"}}, false},
    {{{"traceparent", "00-" APUS_TEST_TRACE "-0000000000000000-01"}}, false},
    {{{"traceparent", "00-" APUS_TEST_TRACE "-" APUS_TEST_SPAN "-01-more"}}, false},
    {{{"traceparent", "\xff\xfe"}}, false},
};

}  // namespace

TEST_CASE("tracing: each request has a span with its route, status and failure") {
    recorder by({});
    apus::test::client client(traced_app());
    for (const auto& [method, target, status, name, route] : request_spans) {
        CAPTURE(target);
        const auto got = client.send(method, target, "", {{"user-agent", "test\xff"}}).expect(status);
        const auto spans = ended_spans(by);
        REQUIRE(spans.size() == 1);
        auto attributes = spans[0].attributes;
        CHECK(spans[0].name == name);
        CHECK(spans[0].kind == 2);
        CHECK(spans[0].parent.empty());
        CHECK(spans[0].flags == 0x101);
        CHECK(spans[0].start <= spans[0].end);
        CHECK(spans[0].failed == (status >= 500));
        CHECK(attributes["http.response.status_code"] == std::to_string(status));
        CHECK(attributes["http.request.method"] == (name == "HTTP" ? "_OTHER" : method));
        CHECK(attributes["http.route"] == route);
        CHECK(attributes["url.path"] == target.substr(0, target.find('?')));
        CHECK(attributes["url.query"] == (target.contains('?') ? "q=1" : ""));
        CHECK(attributes["url.scheme"] == "http");
        CHECK(attributes["server.address"] == "localhost");
        CHECK(attributes["user_agent.original"] == "test\xef\xbf\xbd");
        CHECK(attributes["error.type"] == (status >= 500 ? std::to_string(status) : ""));
        // Problem documents of failures name the trace.
        const std::string member = "\"trace_id\":\"" + spans[0].trace + "\"";
        CHECK(got.body.contains(member) == (status >= 500));
        if (target == "/fail-later") CHECK(spans[0].why == "the disk is full");
    }
}

TEST_CASE("tracing: the trace of the caller is continued, unless its fields are invalid") {
    recorder by({});
    apus::test::client client(traced_app());
    for (const auto& [fields, continued] : hostile_fields) {
        CAPTURE(fields[0].value);
        std::string raw = "GET /todos/1 HTTP/1.1\r\nhost: a\r\ntracestate: a=1\r\ntracestate: b=2\r\n";
        for (const auto& f : fields) raw.append(f.name).append(": ").append(f.value).append("\r\n");
        if (client.send_raw(raw + "\r\n").status != 200) continue;  // the field itself was invalid
        const auto spans = ended_spans(by);
        REQUIRE(spans.size() == 1);
        CHECK((spans[0].trace == APUS_TEST_TRACE) == continued);
        CHECK(spans[0].parent == (continued ? APUS_TEST_SPAN : ""));
        CHECK(spans[0].state == (continued ? "a=1,b=2" : ""));
        CHECK(spans[0].flags == (continued ? 0x301 : 0x101));
    }
}

TEST_CASE("tracing: HTTP/2 requests continue the trace of the caller") {
    recorder by({.sample = 0});
    apus::test::client client(traced_app(), {.http2 = true});
    for (const bool traced : {true, false, true}) {
        if (traced) client.get("/todos/1", {{"traceparent", sampled_parent}}).expect(200);
        else client.get("/todos/1", {{"trace-parent", sampled_parent}}).expect(200);
        const auto spans = ended_spans(by);
        REQUIRE(spans.size() == (traced ? 1 : 0));
        if (traced) CHECK(spans[0].parent == APUS_TEST_SPAN);
    }
}

TEST_CASE("tracing: callers decide, and can be ignored") {
    const std::string unsampled = std::string(sampled_parent.substr(0, sampled_parent.size() - 1)) + "0";
    for (const bool follows : {true, false})
        for (const double share : {0.0, 1.0}) {
            recorder by({.sample = share, .continue_traces = follows});
            apus::test::client client(traced_app());
            client.get("/todos/1", {{"traceparent", sampled_parent}});
            CHECK(ended_spans(by).size() == (follows || share == 1 ? 1 : 0));
            client.get("/todos/1", {{"traceparent", unsampled}});
            CHECK(ended_spans(by).size() == (!follows && share == 1 ? 1 : 0));
        }
}

TEST_CASE("tracing: failed and slow requests are kept by the tail rules") {
    {
        recorder by({.sample = 0, .keep_errors = true});
        apus::test::client client(traced_app());
        client.get("/todos/1");
        client.get("/none");
        CHECK(ended_spans(by).empty());
        client.get("/fail");
        CHECK(ended_spans(by).size() == 1);
    }
    recorder by({.sample = 0, .keep_slower = 60'000'000'000});
    apus::test::client client(traced_app());
    client.get("/fail");
    client.get("/later");
    CHECK(ended_spans(by).empty());
}

TEST_CASE("tracing: a request whose client disconnects has a failed span") {
    recorder by({});
    {
        apus::test::client client(traced_app());
        auto left = client.open("GET", "/later");
    }
    const auto spans = ended_spans(by);
    REQUIRE(spans.size() == 1);
    CHECK(spans[0].failed);
    CHECK(spans[0].attributes.at("error.type") == "cancelled");
}

TEST_CASE("tracing: without a recorder, requests have no trace") {
    apus::app app;
    app.get("/", []() -> std::string {
        apus::http::exchange* const x = apus::http::exchange_here();
        return x && !x->trace && !apus::http::trace_to_pass_on() && !apus::http::recorded_trace(x) ? "none" : "some";
    });
    apus::test::client client(std::move(app));
    CHECK(client.get("/", {{"traceparent", sampled_parent}}).body == "none");
    CHECK(!recorder::here());
    CHECK(!apus::http::exchange_here());
    CHECK(!apus::http::recorded_trace(nullptr));
    CHECK(!apus::http::trace_to_pass_on());
}
