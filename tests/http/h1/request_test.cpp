// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace apus;
using test::statuses;
using test::wire;

namespace {

// Counts running handlers.
struct presence {
    int* n;
    explicit presence(int& of) : n(&of) { ++*n; }
    presence(const presence&) = delete;
    presence& operator=(const presence&) = delete;
    ~presence() { --*n; }
};

// Values that the handlers record for the test.
struct seen {
    int inside = 0;
    int entered = 0;
    std::string body;
};

app make_app(seen& s) {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/wait", [&s]() -> task<std::string> {
        presence here(s.inside);
        ++s.entered;
        co_await apus::sleep_for(seconds(3600));
        co_return "never";
    });
    a.post("/read", [&s](request& in) -> task<std::string> {
        presence here(s.inside);
        ++s.entered;
        s.body = co_await in.body();
        co_return s.body;
    });
    a.post("/whole", [&s](body_text in) {
        ++s.entered;
        return std::string(in.bytes);
    });
    a.get("/stream", [&s] {
        return stream("text/plain", [&s](writer& out) -> task<> {
            presence here(s.inside);
            ++s.entered;
            const std::string piece(10'000, 'x');
            while (true) co_await out.write(piece);
        });
    });
    a.get("/drip", [&s] {
        return stream("text/plain", [&s](writer& out) -> task<> {
            presence here(s.inside);
            ++s.entered;
            while (true) {
                co_await out.write("x");
                co_await apus::sleep_for(milliseconds(1));
            }
        });
    });
    return a;
}

constexpr std::string_view head_end = " HTTP/1.1\r\nHost: a\r\n\r\n";
std::string get(std::string_view path) { return "GET " + std::string(path) + std::string(head_end); }

}  // namespace

TEST_CASE("a client reset cancels the waiting handler") {
    for (auto path : {"/wait", "/stream", "/drip"}) {
        CAPTURE(path);
        seen s;
        wire w(make_app(s));
        w.send(get(path));
        w.turn_until([&] { return s.entered == 1; });
        CHECK(s.inside == 1);
        w.turn(3);  // closing with unread data sends a reset
        w.hang_up();
        w.wait_for_close();
        CHECK(s.inside == 0);
        CHECK(w.core().counts.cancelled == 1);
        w.connect();
        w.send(get("/"));
        CHECK(w.until("hello").contains("200 OK"));
    }
}

TEST_CASE("a client that disconnects cancels the handler that reads its body") {
    seen s;
    wire w(make_app(s));
    w.send("POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    w.turn_until([&] { return s.entered == 1; });
    CHECK(s.inside == 1);
    w.hang_up();
    w.wait_for_close();
    CHECK(s.inside == 0);
    CHECK(s.body.empty());
}

TEST_CASE("a handler does not run if the client disconnects before the body is complete") {
    seen s;
    wire w(make_app(s));
    w.send("POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    w.turn(3);
    w.hang_up();
    w.wait_for_close();
    CHECK(s.entered == 0);
}

TEST_CASE("a half-closed client gets an immediate response") {
    seen s;
    wire w(make_app(s));
    w.send(get("/") + get("/"));
    w.half_close();
    CHECK(statuses(w.rest()) == "200 200");
    w.wait_for_close();
}

TEST_CASE("100 Continue is sent when the body is wanted, and only then") {
    struct {
        std::string_view path, fields, body;
        bool waits;  // the client sends the body only after 100 Continue
        std::string_view said;
    } const cases[] = {
        {"/read", "Content-Length: 3\r\n", "abc", true, "100 200"},
        {"/whole", "Content-Length: 3\r\n", "abc", true, "100 200"},
        {"/whole", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n", true, "100 200"},
        {"/read", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n", true, "100 200"},
        {"/whole", "Content-Length: 3\r\n", "abc", false, "200"},
        {"/none", "Content-Length: 3\r\n", "", true, "404"},
        {"/", "Content-Length: 3\r\n", "", true, "405"},
        {"/whole", "Content-Length: 3000000\r\n", "", true, "413"},
        {"/whole", "Content-Length: 0\r\n", "", true, "200"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.path);
        CAPTURE(c.fields);
        seen s;
        wire w(make_app(s));
        std::string head = "POST " + std::string(c.path) +
                           " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n" +
                           std::string(c.fields) + "\r\n";
        std::string all;
        if (c.waits) {
            w.send(head);
            all = w.until("\r\n\r\n");
            if (all.starts_with("HTTP/1.1 100")) w.send(c.body);
        } else {
            w.send(head + std::string(c.body));
        }
        all += w.rest();
        CHECK(statuses(all) == c.said);
        if (statuses(all).ends_with("200") && !c.body.empty()) CHECK(all.ends_with("\r\n\r\nabc"));
    }
}

TEST_CASE("the head outlives its buffer, as long as its handler") {
    app a;
    bool go = false;
    a.get("/{name}", [&go](request& in, std::string_view name) -> task<std::string> {
        while (!go) co_await apus::sleep_for(milliseconds(1));
        co_return std::string(name) + " " + std::string(in.header("x-a")) + " " + std::string(in.query()) + " " +
            std::string(in.host());
    });
    wire w(std::move(a));
    w.send("GET /caf%C3%A9?q=1 HTTP/1.1\r\nHost: there\r\nX-A: b\r\n\r\n");
    w.turn(3);
    for (int i = 0; i < 50; ++i)
        w.send("GET /" + std::string(200, 'z') + " HTTP/1.1\r\nHost: zzzzz\r\nX-A: z\r\n\r\n"), w.turn(1);
    go = true;
    CHECK(w.until("there").contains("caf\xc3\xa9 b q=1 there"));
}

TEST_CASE("exceptions and errors of handlers are responses") {
    app a;
    a.get("/throws", []() -> std::string { throw std::runtime_error("a secret"); });
    a.get("/throws/later", []() -> task<std::string> {
        co_await apus::sleep_for(milliseconds(1));
        throw std::runtime_error("a secret");
        co_return "";
    });
    a.get("/fails", []() -> task<std::string> {
        co_await fail(409, "gr\xc3\xbc\xc3\x9f dich");
        co_return "";
    });
    a.get("/odd", [] { return response(99); });
    wire w(std::move(a));
    w.send(get("/throws") + get("/throws/later") + get("/fails") + get("/odd"));
    std::string all;
    w.turn_until([&] { return statuses(all += w.take()).size() >= 15; });
    CHECK(statuses(all) == "500 500 409 500");
    CHECK(all.contains("gr\xc3\xbc\xc3\x9f dich"));
    CHECK_FALSE(all.contains("secret"));
}
