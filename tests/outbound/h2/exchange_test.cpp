// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/exchange.hpp"

#include "outbound/h2/wire.hpp"

#include <apus/sleep.hpp>

#include <string>

using namespace apus;
using namespace apus::test;
using namespace apus::test::h2wire;

namespace {

struct cut_row {
    std::string said;
    const char* line;
};

// The server sends these bytes, and then closes the connection.
const cut_row cut_responses[] = {
    {"", "error 502 the upstream closed the connection before the end of the response"},
    {head(1, {{":status", "200"}}).substr(0, 5),
     "error 502 the upstream closed the connection before the end of the response"},
    {head(1, {{":status", "200"}}), "error 502 the upstream closed the connection before the end of the response"},
    {head(1, {{":status", "200"}}) + data(1, "half"),
     "error 502 the upstream closed the connection before the end of the response"},
    {ok(1, "whole"), "200 whole"},
    {ok(1, "whole") + goaway(1), "200 whole"},
};

task<std::string> read_all(client http, client_request req) {
    auto got = co_await http.open(std::move(req));
    std::string all;
    while (true) {
        const std::string_view piece = co_await got.read();
        if (piece.empty()) break;
        all += piece;
        co_await apus::yield();  // more bytes arrive while this piece is in use
        if (!all.ends_with(piece)) co_return "the piece has changed";
    }
    co_return all;
}

}  // namespace

TEST_CASE("HTTP/2 client: responses that are truncated after each byte") {
    for (const auto& c : cut_responses) {
        own_loop on;
        scripted up(on, [&](std::uint32_t, unsigned) { return c.said.empty() ? "" : c.said; });
        client http(prior_knowledge());
        running_task<client_response> got(http.get(up.url()));
        on.turn_until([&] { return up.requests == 1; });
        for (int i = 0; i < 3; ++i) on.loop.turn(0);
        up.hang_up();
        CAPTURE(c.said);
        CHECK(line_of(got.wait()) == c.line);
    }
}

TEST_CASE("HTTP/2 client: a response that stalls times out") {
    for (const auto& said : {head(1, {{":status", "200"}}), head(1, {{":status", "200"}}) + data(1, "half")}) {
        own_loop on;
        scripted up(on, [&](std::uint32_t, unsigned) { return said; });
        client_options o = prior_knowledge();
        o.between_bytes = milliseconds(30);
        CHECK(line_of(on.wait(client(o).get(up.url()))) ==
              "error 504 the rest of the upstream's response did not arrive in time");
        CHECK(up.frames == "HEADERS:1. ");
    }
}

TEST_CASE("HTTP/2 client: a request body that the server does not read times out") {
    for (const bool streamed : {false, true}) {
        own_loop on;
        scripted up(on, [&](std::uint32_t, unsigned) { return "-"; });
        client_options o = prior_knowledge();
        o.between_bytes = milliseconds(30);
        client http(o);
        client_request req("POST", up.url());
        if (streamed)
            req.stream("", [](client_writer& out) -> task<> {
                for (int i = 0; i < 100; ++i) co_await out.write(std::string(10'000, 'x'));
            });
        else req.body(std::string(1'000'000, 'x'), "");
        CHECK(line_of(on.wait(http.send(std::move(req)))) ==
              "error 504 the upstream did not receive the request body in time");
    }
}

TEST_CASE("HTTP/2 client: pieces are valid until the next read, and large bodies are not buffered") {
    own_loop on;
    app a;
    a.get("/{size}", [](std::uint32_t size) { return std::string(size, 'b'); });
    app_server up(on, std::move(a));
    CHECK(on.wait(read_all(client(prior_knowledge()), client_request("GET", up.url() + "/3000000"))).value().size() ==
          3'000'000);
}

TEST_CASE("HTTP/2 client: a stream that is dropped early is reset, and other streams continue") {
    own_loop on;
    app a;
    a.get("/{size}", [](std::uint32_t size) { return std::string(size, 'b'); });
    app_server up(on, std::move(a));
    client http(prior_knowledge());
    for (int i = 0; i < 20; ++i) {  // more than the window of the connection in total
        auto got = on.wait(http.open(client_request("GET", up.url() + "/3000000")));
        REQUIRE(got);
        CHECK(got->status() == 200);
    }
    CHECK(line_of(on.wait(http.get(up.url() + "/2"))) == "200 bb");
    CHECK(up.accepts == 1);
}

TEST_CASE("HTTP/2 client: the body is sent after 100 (Continue), but not after a final response") {
    own_loop on;
    scripted up(on, [](std::uint32_t id, unsigned n) {
        return n == 1 ? head(id, {{":status", "100"}}) + ok(id, "taken") : head(id, {{":status", "413"}}, ends_all);
    });
    client http(prior_knowledge());
    const auto post = [&] {
        client_request req("POST", up.url());
        req.body("body", "text/plain").expect_continue();
        return line_of(on.wait(http.send(std::move(req))));
    };
    CHECK(post() == "200 taken");
    CHECK(post() == "413 ");
    for (int i = 0; i < 3; ++i) on.loop.turn(0);
    CHECK(up.frames.find("HEADERS:3 RST_STREAM:3:8 ") != std::string::npos);
    CHECK(up.frames.find("DATA:3") == std::string::npos);
}
