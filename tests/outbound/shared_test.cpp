// SPDX-License-Identifier: Apache-2.0
#include "outbound/pool.hpp"

#include "outbound/secure_server.hpp"

#include <apus/sleep.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

app make_waiting() {
    app a;
    a.get("/", []() -> task<std::string> {
        co_await apus::sleep_for(milliseconds(5));
        co_return "hi";
    });
    return a;
}

struct protocol_row {
    client_protocols wanted;
    bool server_has_http2;
    const char* line;
    unsigned connections;  // used by ten concurrent requests
};

const protocol_row protocol_rows[] = {
    {client_protocols::automatic, true, "200 hi", 1},
    {client_protocols::automatic, false, "200 hi", 10},
    {client_protocols::http1, true, "200 hi", 10},
    {client_protocols::http2, true, "200 hi", 1},
    // The server selects no protocol at all, or aborts the handshake.
    {client_protocols::http2, false, "error 502 ", 10},
};

std::vector<std::string> lines_of(const client& http, const std::string& url, int times) {
    std::vector<std::unique_ptr<running_task<client_response>>> all;
    for (int i = 0; i < times; ++i) all.push_back(std::make_unique<running_task<client_response>>(http.get(url)));
    std::vector<std::string> lines;
    for (auto& one : all) lines.push_back(line_of(one->wait()));
    return lines;
}

}  // namespace

TEST_CASE("https: the protocol is negotiated by ALPN; one connection is dialed first") {
    for (const auto& r : protocol_rows) {
        secure_server s(make_waiting(), r.server_has_http2);
        client_options o = s.options;
        o.protocols = r.wanted;
        client http(o);
        CAPTURE(r.line);
        CAPTURE(r.connections);
        for (const auto& line : lines_of(http, s.url("localhost") + "/", 10)) CHECK(line.starts_with(r.line));
        CHECK(s.up.accepts == r.connections);
    }
}

TEST_CASE("many requests to a server that is not reachable fail together") {
    own_loop on;
    std::string url;
    {
        app_server gone(on, make_waiting());
        url = gone.url();
    }
    client_options o;
    o.protocols = client_protocols::http2;
    client http(o);
    for (const auto& line : lines_of(http, url + "/", 50))
        CHECK(line == "error 502 cannot connect to the upstream: Connection refused");
}

TEST_CASE("idle HTTP/2 connections are closed when other origins need connections") {
    own_loop on;
    client_options o;
    o.protocols = client_protocols::http2;
    o.connections = 2;
    client http(o);
    std::vector<std::unique_ptr<app_server>> servers;
    for (int i = 0; i < 5; ++i) servers.push_back(std::make_unique<app_server>(on, make_waiting()));
    for (int round = 0; round < 2; ++round)
        for (auto& s : servers) CHECK(lines_of(http, s->url() + "/", 3) == std::vector<std::string>(3, "200 hi"));
    CHECK(await_connections(on, servers, 2) == 2);
}
