// SPDX-License-Identifier: Apache-2.0
#include "outbound/send_request.hpp"

#include "outbound/servers.hpp"

#include <span>
#include <string>

using namespace apus;
using namespace apus::test;

namespace {

const char* hi = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";

client_request to(const char* verb, const std::string& url) {
    client_request req(verb, url);
    req.body("data", "text/plain").header("authorization", "secret").header("cookie", "a=b").header("x-mine", "1");
    return req;
}

}  // namespace

TEST_CASE("a kept connection closed by the server is not an error for idempotent requests") {
    struct row {
        const char* verb;
        const char* line;
    };
    // The server answers the first request, and closes the connection when the second one arrives.
    for (const auto& [verb, line] : {row{"GET", "200 hi"},
                                     {"PUT", "200 hi"},
                                     {"DELETE", "200 hi"},
                                     {"POST", "error 502 the upstream closed the connection without a response"},
                                     {"PATCH", "error 502 the upstream closed the connection without a response"}}) {
        CAPTURE(verb);
        own_loop on;
        scripted_server up(on, {scripted_reply(hi), scripted_reply("", true), scripted_reply(hi)});
        client http;
        CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");
        CHECK(line_of(on.wait(http.send(client_request(verb, up.url())))) == line);
    }
}

TEST_CASE("an idle connection that the server has closed is detected, for any method") {
    own_loop on;
    app a;
    a.post("/", [] { return "done"; });
    app_server up(on, std::move(a));
    client http;
    for (int i = 0; i < 3; ++i) {
        CHECK(line_of(on.wait(http.post(up.url(), "", ""))) == "200 done");
        up.hang_up();
    }
    CHECK(up.accepts == 3);
}

TEST_CASE("no retry after the first byte of the response, or on a new connection") {
    own_loop on;
    scripted_server up(
        on, {scripted_reply(hi), scripted_reply("HTTP/1.1 2", true), scripted_reply("", true), scripted_reply(hi)});
    client http;
    CHECK(line_of(on.wait(http.get(up.url()))) == "200 hi");
    CHECK(line_of(on.wait(http.get(up.url()))) == "error 502 the upstream's response ends within its head");
    CHECK(line_of(on.wait(http.get(up.url()))) == "error 502 the upstream closed the connection without a response");
    CHECK(up.heads.size() == 3);
}

TEST_CASE("retries repeat safe requests, and respect Retry-After") {
    struct row {
        const char* verb;
        std::vector<scripted_reply> script;
        const char* line;
        std::size_t requests;
    };
    const char* busy = "HTTP/1.1 503 Busy\r\ncontent-length: 4\r\n\r\nbusy";
    const char* at_once = "HTTP/1.1 503 Busy\r\nretry-after: 0\r\ncontent-length: 4\r\n\r\nbusy";
    const char* much_later = "HTTP/1.1 429 Slow\r\nretry-after: 3600\r\ncontent-length: 4\r\n\r\nbusy";
    const char* by_date =
        "HTTP/1.1 503 Busy\r\nretry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\ncontent-length: 0\r\n\r\n";
    const row table[] = {
        {"GET", {busy, at_once, hi}, "200 hi", 3},
        {"PUT", {busy, hi}, "200 hi", 2},
        {"POST", {busy, hi}, "503 busy", 1},
        {"GET", {at_once, at_once, at_once, hi}, "503 busy", 3},
        {"GET", {much_later, hi}, "429 busy", 1},
        {"GET", {by_date, hi}, "200 hi", 2},
        {"GET", {"HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n", hi}, "500 ", 1},
        {"GET", {scripted_reply("", true), hi}, "200 hi", 2},
        {"GET", {"broken\r\n\r\n", hi}, "200 hi", 2},
        {"POST", {scripted_reply("", true), hi}, "error 502 the upstream closed the connection without a response", 1},
    };
    for (const auto& r : table) {
        own_loop on;
        scripted_server up(on, r.script);
        client http;
        client_request req(r.verb, up.url());
        req.retries(2);
        CAPTURE(r.verb);
        CHECK(line_of(on.wait(http.send(std::move(req)))) == r.line);
        CHECK(up.heads.size() == r.requests);
    }
}

TEST_CASE("retries have a budget, which protects a failing server") {
    own_loop on;
    std::vector<scripted_reply> script(
        100, scripted_reply("HTTP/1.1 503 Busy\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n"));
    scripted_server up(on, std::move(script));
    client_options eager;
    eager.retries = 5;
    client http(eager);
    for (int i = 0; i < 20; ++i) CHECK(line_of(on.wait(http.get(up.url()))) == "503 ");
    CHECK(up.heads.size() >= 30);
    CHECK(up.heads.size() <= 32);  // the retry budget: ten retries, and one more per ten requests
}

TEST_CASE("redirects change method and body as in RFC 9110") {
    struct row {
        const char* verb;
        int status;
        const char* next;
        bool body;
    };
    const row table[] = {{"POST", 301, "GET", false},    {"POST", 302, "GET", false}, {"POST", 303, "GET", false},
                         {"POST", 307, "POST", true},    {"POST", 308, "POST", true}, {"PUT", 301, "PUT", true},
                         {"PUT", 303, "GET", false},     {"GET", 302, "GET", true},   {"HEAD", 303, "HEAD", true},
                         {"DELETE", 302, "DELETE", true}};
    for (const auto& r : table) {
        CAPTURE(r.verb);
        CAPTURE(r.status);
        own_loop on;
        scripted_server up(on, {scripted_reply("HTTP/1.1 " + std::to_string(r.status) +
                                               " x\r\nlocation: b?c\r\ncontent-length: 0\r\n\r\n"),
                                scripted_reply("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")});
        client http;
        auto got = on.wait(http.send(to(r.verb, up.url() + "/a/")));
        REQUIRE(got.has_value());
        CHECK(got->url() == up.url() + "/a/b?c");
        REQUIRE(up.heads.size() == 2);
        CHECK(up.heads[1].starts_with(std::string(r.next) + " /a/b?c HTTP/1.1\r\n"));
        CHECK(up.heads[1].contains("Content-Type") == r.body);
        CHECK(up.heads[1].contains("Content-Length: 4") == r.body);
        CHECK(up.heads[1].contains("authorization: secret"));
        CHECK(up.accepts == 1);
    }
}

TEST_CASE("a redirect to another origin drops fields with secrets") {
    const std::string_view harmless[] = {"accept: text/plain", "Accept-Language: de", "user-agent: me",
                                         "Range: bytes=0-9", "cache-control: no-cache"};
    const std::string_view secrets[] = {"authorization: secret",  "Cookie: a=b",     "x-api-key: k", "X-Mine: 1",
                                        "proxy-authorization: p", "accept-secret: s"};
    for (const bool named : {false, true}) {
        own_loop on;
        scripted_server other(on, {scripted_reply(hi)});
        scripted_server up(
            on, {scripted_reply("HTTP/1.1 307 x\r\nlocation: " + other.url() + "/there\r\ncontent-length: 0\r\n\r\n")});
        client http(
            {.fields_to_other_origins = named ? std::vector<std::string>{"x-mine"} : std::vector<std::string>{}});
        client_request asked("GET", up.url());
        for (const auto& all :
             {std::span<const std::string_view>(harmless), std::span<const std::string_view>(secrets)})
            for (const auto line : all) asked.header(line.substr(0, line.find(':')), line.substr(line.find(':') + 2));
        CHECK(line_of(on.wait(http.send(std::move(asked)))) == "200 hi");
        REQUIRE(up.heads.size() == 1);
        REQUIRE(other.heads.size() == 1);
        for (const auto line : harmless) CHECK(other.heads[0].contains(line));
        for (const auto line : secrets) {
            CAPTURE(line);
            CHECK(up.heads[0].contains(line));
            CHECK(other.heads[0].contains(line) == (named && line == "X-Mine: 1"));
        }
        CHECK(other.heads[0].contains("Host: " + other.url().substr(7) + "\r\n"));
    }
}

TEST_CASE("the number of redirects is limited, and their addresses are checked") {
    own_loop on;
    std::vector<scripted_reply> round(
        10, scripted_reply("HTTP/1.1 302 x\r\nlocation: /again\r\ncontent-length: 3\r\n\r\nmov"));
    scripted_server up(on, round);
    client http;
    CHECK(line_of(on.wait(http.get(up.url()))) == "error 502 too many redirects from the upstream");
    CHECK(up.heads.size() == 6);
    client_request as_it_is("GET", up.url());
    as_it_is.redirects(0);
    CHECK(line_of(on.wait(http.send(std::move(as_it_is)))) == "302 mov");

    scripted_server evil(
        on, {scripted_reply("HTTP/1.1 302 x\r\nlocation: http://169.254.169.254/latest\r\ncontent-length: 0\r\n\r\n"),
             scripted_reply("HTTP/1.1 302 x\r\nlocation: gopher://x/\r\ncontent-length: 0\r\n\r\n"),
             scripted_reply("HTTP/1.1 302 x\r\ncontent-length: 0\r\n\r\n")});
    client guarded;
    guarded.allow([](const peer_address& a) { return a.address() == "127.0.0.1"; });
    CHECK(line_of(on.wait(guarded.get(evil.url()))) == "error 403 the upstream's address is not allowed");
    CHECK(
        line_of(on.wait(guarded.get(evil.url()))) ==
        "error 502 the upstream redirects to an invalid URL: the upstream URL does not begin with http:// or https://");
    CHECK(line_of(on.wait(guarded.get(evil.url()))) == "302 ");
}
