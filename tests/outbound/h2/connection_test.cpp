// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/connection.hpp"

#include "outbound/h2/wire.hpp"

#include <apus/sleep.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;
using namespace apus::test::h2wire;

namespace {

using getting = running_task<client_response>;

std::vector<std::unique_ptr<getting>> get_together(const client& http, const std::string& url, int times) {
    std::vector<std::unique_ptr<getting>> all;
    for (int i = 0; i < times; ++i) all.push_back(std::make_unique<getting>(http.get(url)));
    return all;
}

std::string ok_of(std::uint32_t id, unsigned) { return ok(id, "hi"); }

}  // namespace

TEST_CASE("HTTP/2 client: many requests share a connection, which is closed with GOAWAY when it is idle") {
    own_loop on;
    scripted up(on, ok_of);
    client_options o = prior_knowledge();
    o.idle = milliseconds(30);
    client http(o);
    for (auto& g : get_together(http, up.url(), 50)) CHECK(line_of(g->wait()) == "200 hi");
    CHECK(up.accepts == 1);
    on.turn_until([&] { return up.connections() == 0; });
    CHECK(up.connections() == 0);
    CHECK(up.frames.ends_with("HEADERS:99. GOAWAY:0 "));
}

TEST_CASE("HTTP/2 client: requests over the server's limit use further connections, then wait") {
    own_loop on;
    scripted up(on, ok_of, settings({{3, 2}}));
    client_options o = prior_knowledge();
    o.connections_per_origin = 3;
    client http(o);
    CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");  // the limit on streams is known now
    for (auto& g : get_together(http, up.url(), 40)) CHECK(line_of(g->wait()) == "200 hi");
    CHECK(up.accepts <= 3);
    CHECK(up.frames.find("RST_STREAM") == std::string::npos);
}

TEST_CASE("HTTP/2 client: a request that waits for a stream has a deadline") {
    own_loop on;
    scripted up(on, [](std::uint32_t, unsigned) { return "-"; }, settings({{3, 1}}));
    client_options o = prior_knowledge();
    o.connections_per_origin = 1;
    o.queue = milliseconds(30);
    o.head = milliseconds(80);
    client http(o);
    getting first(http.get(up.url()));
    on.turn_until([&] { return up.requests == 1; });
    for (int i = 0; i < 3; ++i) on.loop.turn(0);  // SETTINGS arrive
    getting second(http.get(up.url()));
    CHECK(line_of(second.wait()) == "error 503 all connections to the upstream server are in use");
    CHECK(line_of(first.wait()) == "error 504 the upstream did not respond in time");
    on.turn_until([&] { return up.frames.starts_with("HEADERS:1. RST_STREAM:1:8 "); });
    CHECK(up.frames.starts_with("HEADERS:1. RST_STREAM:1:8 "));
}

TEST_CASE("HTTP/2 client: a connection on which nothing arrives gets no further requests") {
    own_loop on;
    scripted up(on, [](std::uint32_t id, unsigned n) { return n == 2 ? "-" : ok(id, "hi"); });
    client_options o = prior_knowledge();
    o.head = milliseconds(40);
    client http(o);
    CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");
    CHECK(line_of(on.wait(http.get(up.url()))) == "error 504 the upstream did not respond in time");
    CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");
    CHECK(up.accepts == 2);
}

TEST_CASE("HTTP/2 client: a server that sends no SETTINGS is an error after the connect timeout") {
    own_loop on;
    scripted up(on, [](std::uint32_t, unsigned) { return "-"; }, "");
    client_options o = prior_knowledge();
    o.connect = milliseconds(30);
    client http(o);
    CHECK(line_of(on.wait(http.get(up.url()))) == "error 504 the upstream did not send HTTP/2 SETTINGS in time");
}

TEST_CASE("HTTP/2 client: after GOAWAY, requests use a new connection, and unprocessed ones are repeated") {
    own_loop on;
    // The first two requests are not processed.
    scripted up(on, [](std::uint32_t id, unsigned n) { return n == 2 ? goaway(0) : n < 2 ? "-" : ok(id, "hi"); });
    client http(prior_knowledge());
    std::vector<std::unique_ptr<getting>> all;
    for (int i = 0; i < 2; ++i)  // POST requests are repeated too
        all.push_back(std::make_unique<getting>(http.post(up.url(), "body", "text/plain")));
    for (auto& g : all) CHECK(line_of(g->wait()) == "200 hi");
    CHECK(up.accepts == 2);
    CHECK(up.requests == 4);
}

TEST_CASE("HTTP/2 client: no request is lost when Apus drains connections under load") {
    own_loop on;
    app a;
    a.get("/", []() -> task<std::string> {
        co_await apus::sleep_for(milliseconds(2));
        co_return "hi";
    });
    app_server up(on, std::move(a));
    client http(prior_knowledge());
    std::vector<std::unique_ptr<getting>> all;
    for (int round = 0; round < 10; ++round) {
        for (auto& g : get_together(http, up.url(), 50)) all.push_back(std::move(g));
        on.loop.turn(1);
        if (round % 3 == 1) up.drain();
    }
    for (auto& g : all) CHECK(line_of(g->wait()) == "200 hi");
    CHECK(up.accepts > 1);
}

TEST_CASE("HTTP/2 client: a server that refuses each request gets it four times") {
    own_loop on;
    scripted up(on, [](std::uint32_t id, unsigned) { return reset(id, 7); });
    client http(prior_knowledge());
    CHECK(line_of(on.wait(http.get(up.url()))) == "error 502 the upstream refused the request: REFUSED_STREAM");
    CHECK(up.requests == 4);
    CHECK(up.accepts == 1);
}

TEST_CASE("HTTP/2 client: a connection that ends before a response: only idempotent requests are repeated") {
    for (const bool post : {false, true}) {
        own_loop on;
        scripted up(on, [](std::uint32_t id, unsigned n) { return n == 2 ? "" : ok(id, "hi"); });
        client http(prior_knowledge());
        CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");
        const auto line = line_of(on.wait(post ? http.post(up.url(), "x", "") : http.get(up.url())));
        CHECK(line ==
              (post ? "error 502 the upstream closed the connection before the end of the response" : "200 hi"));
        CHECK(up.accepts == (post ? 1 : 2));
    }
}

TEST_CASE("HTTP/2 client: a cancelled request is reset, and its connection is reused") {
    own_loop on;
    scripted up(on, [](std::uint32_t id, unsigned n) { return n == 1 ? "-" : ok(id, "hi"); });
    client http(prior_knowledge());
    {
        getting cancelled(http.get(up.url()));
        on.turn_until([&] { return up.requests == 1; });
    }
    CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");
    CHECK(up.frames == "HEADERS:1. RST_STREAM:1:8 HEADERS:3. ");
    CHECK(up.accepts == 1);
}

TEST_CASE("HTTP/2 client: a violation ends all requests of its connection, but not of other connections") {
    own_loop on;
    scripted up(on, [](std::uint32_t id, unsigned n) {
        return n == 3 ? frame(push_type, end_headers, id, number(2, 4)) : n < 3 ? "-" : ok(id, "hi");
    });
    client http(prior_knowledge());
    for (auto& g : get_together(http, up.url(), 3))
        CHECK(line_of(g->wait()) == "error 502 the upstream violates HTTP/2: PUSH_PROMISE although push is disabled");
    CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");
    CHECK(up.accepts == 2);
    CHECK(up.frames.find("GOAWAY:1 ") != std::string::npos);
}

TEST_CASE("HTTP/2 client: the end of a client or of a loop closes its connections") {
    {
        client http(prior_knowledge());
        for (int i = 0; i < 2; ++i) {
            own_loop on;
            scripted up(on, ok_of);
            CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");
        }
    }
    own_loop on;
    scripted up(on, ok_of);
    CHECK(line_of(on.wait(client(prior_knowledge()).get(up.url()))) == "200 hi");
    on.turn_until([&] { return up.connections() == 0; });
    CHECK(up.connections() == 0);
}

TEST_CASE("HTTP/2 client: a server without HTTP/2 is an error") {
    own_loop on;
    scripted_server up(on, {scripted_reply("HTTP/1.1 400 Bad Request\r\n\r\n", true)});
    client http(prior_knowledge());
    CHECK(on.wait(http.get(up.url())).error().status() == 502);
}
