// SPDX-License-Identifier: Apache-2.0
#include "outbound/client_span.hpp"
#include "support/decoded_spans.hpp"

#include <apus/app.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <string_view>

namespace {

using apus::test::decoded_span;
using apus::tracing::recorder;

#define APUS_TEST_IDS "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"
constexpr std::string_view traced_caller = APUS_TEST_IDS "-01";
constexpr std::string_view untraced_caller = APUS_TEST_IDS "-00";

apus::app upstream_app() {
    apus::app app;
    const auto seen = [](apus::request& req) {
        return std::string(req.header("traceparent")) + " " + std::string(req.header("tracestate")) + " " +
               std::string(req.header("baggage"));
    };
    app.get("/seen", seen);
    app.get("/fail", [] { return apus::response(503); });
    app.get("/moved", [] { return apus::response(302).header("location", "http://other.test/seen"); });
    return app;
}

apus::app asking_app() {
    apus::app app;
    app.get("/ask/{path}", [http = apus::client()](std::string path) -> apus::task<std::string> {
        auto got = co_await http.get("http://up.test/" + path + "?token=secret");
        co_return std::move(got).body();
    });
    app.get("/own", [http = apus::client()]() -> apus::task<std::string> {
        apus::client_request req("GET", "http://up.test/seen");
        req.header("traceparent", "mine");
        co_return (co_await http.send(std::move(req))).body();
    });
    app.get("/unreachable", [http = apus::client()]() -> apus::task<std::string> {
        co_return (co_await http.get("http://127.0.0.1:1/")).body();
    });
    return app;
}

std::string ids_of(const decoded_span& one, std::string_view flags) {
    return "00-" + one.trace + "-" + one.id + "-" + std::string(flags);
}

struct client_fixture {
    explicit client_fixture(const apus::tracing::recording_options& options) : by(options), client(asking_app()) {
        client.upstream("up.test", upstream_app());
        client.upstream("other.test", upstream_app());
    }
    // Returns the last client span. The upstream apps record spans too, of another kind.
    decoded_span client_span() {
        decoded_span found;
        for (auto& one : apus::test::ended_spans(by))
            if (one.kind == 3) found = one;
        return found;
    }
    recorder by;
    apus::test::client client;
};

}  // namespace

TEST_CASE("client spans: requests carry the trace, and have a span") {
    client_fixture f({.pass_baggage = true});
    auto got = f.client.get("/ask/seen", {{"traceparent", traced_caller}, {"tracestate", "a=1"}, {"baggage", "user=7"}})
                   .expect(200);
    auto span = f.client_span();
    CHECK(span.trace == traced_caller.substr(3, 32));
    CHECK(got.body == ids_of(span, "01") + " a=1 user=7");
    CHECK(span.name == "GET");
    CHECK(span.attributes["url.full"] == "http://up.test/seen");  // without the query
    CHECK(span.attributes["server.address"] == "up.test");
    CHECK(span.attributes["server.port"] == "80");
    CHECK(span.attributes["http.response.status_code"] == "200");
    CHECK(!span.failed);

    f.client.get("/ask/fail").expect(200);
    span = f.client_span();
    CHECK(span.failed);
    CHECK(span.attributes["error.type"] == "503");

    f.client.get("/unreachable").expect(502);
    span = f.client_span();
    CHECK(span.failed);
    CHECK(span.attributes["error.type"] == "unreachable");
}

TEST_CASE("client spans: trace fields are passed on without recording, and to other origins") {
    client_fixture f({.sample = 0});
    // The sampling decision of the caller is passed on. The caller's baggage is passed on only if configured.
    auto got = f.client.get("/ask/seen", {{"traceparent", untraced_caller}, {"baggage", "user=7"}}).expect(200);
    CHECK(got.body.starts_with(untraced_caller.substr(0, 36)));
    CHECK(got.body.ends_with("-00  "));
    got = f.client.get("/ask/seen").expect(200);
    CHECK(got.body.size() == traced_caller.size() + 2);
    CHECK(got.body.ends_with("-00  "));
    CHECK(f.client.get("/own").expect(200).body == "mine  ");
    CHECK(f.client.get("/ask/moved").expect(200).body == "  ");
    CHECK(f.by.waiting() == 0);
}

TEST_CASE("client spans: outside of traces, a request begins a new trace") {
    struct new_trace {
        apus::tracing::recording_options how;
        bool untraced;
        int status;
        std::size_t spans;
        std::string_view flags;  // none: no field is added
    };
    const new_trace cases[] = {
        {{}, false, 200, 1, "01"},
        {{.sample = 0}, false, 200, 0, "00"},
        {{.sample = 0, .keep_errors = true}, false, 200, 0, "00"},
        {{.sample = 0, .keep_errors = true}, false, 503, 1, "00"},
        {{}, true, 200, 0, ""},
    };
    for (const auto& [how, untraced, status, count, flags] : cases) {
        CAPTURE(flags);
        CAPTURE(status);
        recorder by(how);
        apus::detail::asked req;
        req.method = "GET";
        req.url = "http://up.test/";
        req.untraced = untraced;
        {
            apus::outbound::client_span one(req);
            one.end(status);
        }
        const auto spans = apus::test::ended_spans(by);
        REQUIRE(spans.size() == count);
        CHECK(req.fields.starts_with("traceparent: 00-") == !flags.empty());
        if (flags.empty()) continue;
        CHECK(req.fields.ends_with("-" + std::string(flags) + "\r\n"));
        if (count == 0) continue;
        CHECK(spans[0].parent.empty());
        CHECK(spans[0].kind == 3);
        CHECK(req.fields == "traceparent: " + ids_of(spans[0], flags) + "\r\n");
    }
}

TEST_CASE("client spans: nothing is added without tracing") {
    apus::detail::asked req;
    req.method = "GET";
    req.url = "http://up.test/";
    { const apus::outbound::client_span none(req); }
    CHECK(req.fields.empty());
}
