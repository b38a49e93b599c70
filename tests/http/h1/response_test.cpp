// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

using namespace apus;
using test::statuses;
using test::wire;

namespace {

app make_app() {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/large", [] { return std::string(300'000, 'L'); });
    a.get("/stream", [] {
        return stream("text/x-own", [](writer& out) -> task<> {
            co_await out.write("one ");
            co_await out.write("");
            co_await apus::sleep_for(milliseconds(1));
            co_await out.write("two");
            out.trailer("x-sum", "7");
        });
    });
    a.get("/nothing", [] { return stream("text/plain", [](writer&) -> task<> { co_return; }); });
    a.get("/broken", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            co_await out.write("half");
            co_await fail(500, "no more");
        });
    });
    a.get("/broken/later", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            co_await out.write("half");
            co_await apus::sleep_for(milliseconds(5));
            co_await fail(500, "no more");
        });
    });
    a.get("/status/{code}", [](int code) {
        response res(code);
        res.header("x-a", "b").body("body", "text/plain");
        return res;
    });
    a.get("/gone", []() -> no_content { return {}; });
    return a;
}

// Returns the response to a request that is followed by a half-close.
std::string answer_to(wire& w, std::string_view request) {
    w.connect();
    w.send(request);
    std::string all = w.rest();
    // Removes the Date field, which differs each time.
    if (auto date = all.find("Date: "); date != all.npos) all.erase(date, all.find("\r\n", date) + 2 - date);
    return all;
}

}  // namespace

TEST_CASE("framing of a response follows from the request and its status") {
    struct {
        std::string_view request, answer;
    } const cases[] = {
        {"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 6\r\nConnection: "
         "close\r\n\r\nhello\n"},
        {"HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 6\r\nConnection: "
         "close\r\n\r\n"},
        {"GET / HTTP/1.0\r\n\r\n",
         "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 6\r\nConnection: "
         "close\r\n\r\nhello\n"},
        {"GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 200 OK\r\ncontent-type: text/x-own\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
         "4\r\none \r\n3\r\ntwo\r\n0\r\nx-sum: 7\r\n\r\n"},
        {"GET /stream HTTP/1.0\r\n\r\n",
         "HTTP/1.1 200 OK\r\ncontent-type: text/x-own\r\nConnection: close\r\n\r\none two"},
        {"GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
         "HTTP/1.1 200 OK\r\ncontent-type: text/x-own\r\nConnection: close\r\n\r\none two"},
        {"HEAD /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 200 OK\r\ncontent-type: text/x-own\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"},
        {"GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: "
         "close\r\n\r\n0\r\n\r\n"},
        {"GET /gone HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"},
        {"GET /status/304 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 304 Not Modified\r\nx-a: b\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"},
        {"GET /status/599 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 599 Unknown\r\nx-a: b\r\nContent-Type: text/plain\r\nContent-Length: 4\r\nConnection: "
         "close\r\n\r\nbody"},
    };
    wire w(make_app());
    for (const auto& c : cases) {
        CAPTURE(c.request);
        auto lower = [](std::string s) {
            const auto end = s.find("\r\n\r\n");
            for (std::size_t i = 8; i < end; ++i)
                if (s[i] >= 'A' && s[i] <= 'Z') s[i] = static_cast<char>(s[i] + 32);
            return s;
        };
        auto lines = [&](std::string s) {  // sorts the field lines, whose order is not significant
            s = lower(std::move(s));
            std::vector<std::string> all;
            const auto end = s.find("\r\n\r\n");
            for (std::size_t at = 0; at < end;) {
                const auto next = std::min(s.find("\r\n", at), end);
                all.push_back(s.substr(at, next - at));
                at = next + 2;
            }
            std::sort(all.begin() + 1, all.end());
            all.push_back(s.substr(end));
            return all;
        };
        CHECK(lines(answer_to(w, c.request)) == lines(std::string(c.answer)));
    }
}

TEST_CASE("an invalid status is a handler error") {
    for (auto code : {"0", "99", "100", "101", "199", "600", "999", "-1"}) {
        CAPTURE(code);
        wire w(make_app());
        w.send("GET /status/" + std::string(code) + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        CHECK(statuses(w.rest()) == "500");
    }
}

TEST_CASE("HTTP/1.0 is kept alive only on request and with a known length") {
    wire w(make_app());
    w.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    CHECK(w.until("hello\n").contains("onnection: keep-alive\r\n"));
    w.send("GET / HTTP/1.0\r\n\r\n");
    CHECK(w.rest().contains("onnection: close\r\n"));
}

TEST_CASE("an aborted stream does not look complete") {
    for (auto version : {"1.0", "1.1"}) {
        CAPTURE(version);
        wire w(make_app(), {}, test::over::tcp);
        w.send("GET /broken HTTP/" + std::string(version) + "\r\nHost: a\r\n\r\n");
        const auto all = w.rest();
        CHECK_FALSE(all.contains("0\r\n\r\n"));
        // Without framing, only a reset shows that the body is incomplete (RFC 9112, 8).
        if (version == std::string_view("1.0")) CHECK(w.was_reset);
    }
}

TEST_CASE("a stream aborted after its output was sent does not look complete") {
    for (auto version : {"1.0", "1.1"}) {
        CAPTURE(version);
        wire w(make_app(), {}, test::over::tcp);
        w.send("GET /broken/later HTTP/" + std::string(version) + "\r\nHost: a\r\n\r\n");
        std::string all = w.until("half");
        all += w.rest();
        CHECK_FALSE(all.contains("0\r\n\r\n"));
        if (version == std::string_view("1.0")) CHECK(w.was_reset);
    }
}

TEST_CASE("HEAD, GET, streams and large responses on one connection") {
    wire w(make_app());
    std::string text;
    for (auto line :
         {"HEAD /stream", "HEAD /large", "GET /large", "HEAD /gone", "GET /stream", "HEAD /nothing", "GET /status/304"})
        text += std::string(line) + " HTTP/1.1\r\nHost: a\r\n\r\n";
    w.send(text + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const auto all = w.rest();
    CHECK(statuses(all) == "200 200 200 204 200 200 304 200");
    CHECK(std::count(all.begin(), all.end(), 'L') >= 300'000);
    CHECK(all.ends_with("\r\n\r\nhello\n"));
}

TEST_CASE("a stream follows the pace of a slow reader") {
    app a;
    std::size_t written = 0;
    a.get("/", [&written] {
        return stream("text/plain", [&written](writer& out) -> task<> {
            for (int i = 0; i < 2000; ++i) {
                co_await out.write(std::string(1000, static_cast<char>('a' + i % 26)));
                written += 1000;
            }
        });
    });
    wire w(std::move(a));
    w.send("GET / HTTP/1.0\r\n\r\n");
    w.turn(100);
    CHECK(written < 1'500'000);  // at most the high-water mark and the socket buffers
    std::string all;
    w.turn_until([&] {
        all += w.take(30'000);
        return w.ended;
    });
    CHECK(written == 2'000'000);
    const auto body = all.substr(all.find("\r\n\r\n") + 4);
    REQUIRE(body.size() == 2'000'000);
    bool right = true;
    for (std::size_t i = 0; i < body.size(); ++i) right = right && body[i] == static_cast<char>('a' + i / 1000 % 26);
    CHECK(right);
}

TEST_CASE("trailers reject line breaks and framing fields") {
    app a;
    std::string refused;
    a.get("/", [&refused] {
        return stream("text/plain", [&refused](writer& out) -> task<> {
            for (auto value : {"a\r\nb: c", "a\n"}) {
                try {
                    out.trailer("x-a", value);
                } catch (const std::invalid_argument&) {
                    refused += 'v';
                }
            }
            try {
                out.trailer("Content-Length", "1");
            } catch (const std::invalid_argument&) {
                refused += 'n';
            }
            co_await out.write("x");
        });
    });
    wire w(std::move(a));
    w.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    CHECK(w.rest().ends_with("\r\n\r\n1\r\nx\r\n0\r\n\r\n"));
    CHECK(refused == "vvn");
}

TEST_CASE("a half-closed client gets all its responses") {
    wire w(make_app());
    std::string text;
    for (int i = 0; i < 20; ++i) text += "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";
    w.send(text);
    w.half_close();
    const std::string all = w.rest();
    std::size_t answers = 0;
    for (auto at = all.find("HTTP/1.1 200"); at != all.npos; at = all.find("HTTP/1.1 200", at + 1)) ++answers;
    CHECK(answers == 20);
    CHECK(w.ended);
}

TEST_CASE("a status without a body turns a streamed response into a 500") {
    app a;
    a.get("/{status}", [](int status) {
        response res = stream("text/plain", [](writer& out) -> task<> { co_await out.write("body"); });
        res.status(status);
        return res;
    });
    wire w(std::move(a));
    for (const auto status :
         {"-2147483648", "-1", "0", "99", "100", "103", "600", "999", "1234", "100000000", "2147483647"}) {
        w.connect();
        w.send("GET /" + std::string(status) + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        const std::string all = w.rest();
        CHECK(statuses(all) == "500");
        CHECK(all.contains("the handler set an invalid status"));
    }
    CHECK(w.core().counts.responses[5] == 11);
}
