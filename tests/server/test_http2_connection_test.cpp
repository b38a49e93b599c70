// SPDX-License-Identifier: Apache-2.0
#include "server/test_http2_connection.hpp"

#include <apus/events.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace {

constexpr std::size_t mib = 1024 * 1024;

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "hello"; });
    app.get("/host", [](apus::request& req) { return std::string(req.host()); });
    app.post("/echo", [](apus::body_text body) { return std::string(body.bytes); });
    app.get("/large", [] { return std::string(mib, 'x'); });
    app.get("/stream", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> {
            co_await out.write("one ");
            co_await out.write("two");
            out.trailer("x-sum", "7");
        });
    });
    app.get("/cut", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> {
            co_await out.write("begin");
            co_await apus::sleep_for(apus::milliseconds(1));
            throw std::runtime_error("the source is gone");
        });
    });
    app.get("/late", []() -> apus::task<std::string> {
        co_await apus::sleep_for(apus::seconds(5));
        co_return "late";
    });
    app.get("/events", [] {
        return apus::events([](apus::event_writer& out) -> apus::task<> {
            co_await out.send("1", "", "a");
            co_await apus::sleep_for(apus::seconds(5));
            co_await out.send("2", "", "b");
        });
    });
    return app;
}

apus::test::client http2_client(apus::limits limits = {}) { return {make_app(), {.limits = limits, .http2 = true}}; }

}  // namespace

TEST_CASE("a test client sends requests by HTTP/2") {
    apus::test::client client(make_app(), {.http2 = true});
    const auto first = client.get("/");
    CHECK(first.head.starts_with("HTTP/2 200\r\n"));
    CHECK(first.body == "hello");
    CHECK(first.head.ends_with("\r\n\r\n"));
    CHECK(first.header("Content-Length") == "5");
    CHECK_FALSE(first.closed);
    CHECK(client.get("/host", {{"host", "there"}}).body == "there");
    CHECK(client.get("/none").status == 404);
    CHECK(client.post("/echo", "").body == "");
    CHECK(client.head("/").header("content-length") == "5");
    CHECK(client.head("/").body.empty());
    CHECK(client.options("/echo").header("allow") == "POST, OPTIONS");
    for (int i = 0; i < 200; ++i) REQUIRE(client.get("/").status == 200);
}

TEST_CASE("bodies larger than the flow-control windows pass in both directions") {
    auto client = http2_client();
    CHECK(client.get("/large").body.size() == mib);
    const std::string body(mib, 'b');
    CHECK(client.post("/echo", body).body == body);
}

TEST_CASE("a response by HTTP/2 is read incrementally") {
    auto client = http2_client();
    CHECK(client.get("/stream").trailer_field("x-sum") == "7");
    auto late = client.open("GET", "/late");
    CHECK_FALSE(late.has_begun());
    auto events = client.open("GET", "/events");
    CHECK(events.status() == 200);
    CHECK(events.next_event()->id == "a");
    client.advance(apus::seconds(5));
    CHECK(events.next_event()->id == "b");
    CHECK_FALSE(events.next_event());
    CHECK(late.rest().body == "late");
}

TEST_CASE("an aborted response by HTTP/2 has no status, and the connection goes on") {
    auto client = http2_client();
    CHECK(client.get("/cut").status == 0);
    auto cut = client.open("GET", "/cut");
    CHECK(cut.read() == "begin");
    CHECK(cut.rest().body.empty());
    CHECK(client.get("/").status == 200);
}

TEST_CASE("a connection that the app ends is replaced") {
    apus::limits limits;
    limits.requests_per_connection = 2;
    auto client = http2_client(limits);
    CHECK_FALSE(client.get("/").closed);
    CHECK(client.get("/").closed);
    CHECK(client.get("/").head.starts_with("HTTP/2 200"));
}

TEST_CASE("raw bytes are sent by HTTP/1.1 between requests by HTTP/2") {
    auto client = http2_client();
    CHECK(client.get("/").head.starts_with("HTTP/2 200"));
    CHECK(client.send_raw("GET / HTTP/1.1\r\nhost: a\r\n\r\n").head.starts_with("HTTP/1.1 200"));
    CHECK(client.get("/").head.starts_with("HTTP/2 200"));
    CHECK(client.send_raw("nonsense\r\n\r\n").status == 400);
}
