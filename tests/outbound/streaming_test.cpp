// SPDX-License-Identifier: Apache-2.0
#include <apus/client.hpp>

#include "outbound/servers.hpp"

#include <apus/redirect.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <string>

using namespace apus;
using namespace apus::test;

namespace {

// Echoes the body as it arrives.
app make_mirror() {
    app a;
    a.post("/mirror",
           [] {
               return stream("text/plain", [](request& in, writer& out) -> task<> {
                   while (true) {
                       const std::string_view piece = co_await in.read();
                       if (piece.empty()) break;
                       co_await out.write(piece);
                   }
               });
           },
           {.body = 1 << 30});
    a.post("/refuse", [] { return response(403); });
    a.post("/count",
           [](request& in) -> task<std::string> {
               std::size_t n = 0;
               while (true) {
                   const std::string_view piece = co_await in.read();
                   if (piece.empty()) break;
                   n += piece.size();
               }
               co_return std::string(in.header("content-length")) + "/" + std::to_string(n);
           },
           {.body = 1 << 30});
    return a;
}

// Writes `size` bytes as the connection accepts them.
auto bytes_of(std::size_t size) {
    return [size](client_writer& out) -> task<> {
        const std::string piece(10'000, 'z');
        for (std::size_t at = 0; at < size; at += piece.size())
            co_await out.write(std::string_view(piece).substr(0, size - at));
    };
}

task<std::size_t> size_of_answer(client http, client_request req) {
    auto got = co_await http.open(std::move(req));
    std::size_t size = 0;
    while (true) {
        const std::string_view piece = co_await got.read();
        if (piece.empty()) break;
        size += piece.size();
    }
    co_return size;
}

}  // namespace

TEST_CASE("bodies stream in both directions at once, with and without a length") {
    own_loop on;
    app_server up(on, make_mirror());
    client http;
    for (std::size_t size : {0U, 1U, 10'000U, 5'000'000U}) {
        for (bool sized : {false, true}) {
            CAPTURE(size);
            client_request req("POST", up.url() + "/mirror");
            req.stream("text/plain", bytes_of(size), sized ? size : client_request::unknown_length);
            CHECK(on.wait(size_of_answer(http, std::move(req))) == size);
            client_request count("POST", up.url() + "/count");
            count.stream("text/plain", bytes_of(size), sized ? size : client_request::unknown_length);
            CHECK(line_of(on.wait(http.send(std::move(count)))) ==
                  "200 " + (sized ? std::to_string(size) : "") + "/" + std::to_string(size));
        }
    }
    CHECK(up.accepts == 1);
}

TEST_CASE("an upload of a wrong length, or an upload that fails, fails the request") {
    own_loop on;
    app_server up(on, make_mirror());
    client http;
    struct row {
        std::size_t size, said;
        const char* line;
    };
    for (const auto& [size, said, line] : {row{5, 6, "error 500 the request body is shorter than its declared length"},
                                           {6, 5, "error 500 the request body is longer than its declared length"}}) {
        client_request req("POST", up.url() + "/count");
        req.stream("text/plain", bytes_of(size), said);
        CHECK(line_of(on.wait(http.send(std::move(req)))) == line);
    }
    client_request req("POST", up.url() + "/count");
    req.stream("text/plain", [](client_writer& out) -> task<> {
        co_await out.write("some");
        co_await apus::sleep_for(milliseconds(5));
        co_await fail(418, "no more tea");
    });
    CHECK(line_of(on.wait(http.send(std::move(req)))) == "error 418 no more tea");
    CHECK(line_of(on.wait(http.post(up.url() + "/count", "1", ""))) == "200 1/1");
}

TEST_CASE("a redirect that would repeat an upload is returned as the response") {
    struct row {
        const char* verb;
        int status;
        const char* line;
    };
    const row table[] = {{"POST", 301, "200 GET"}, {"POST", 302, "200 GET"}, {"POST", 303, "200 GET"},
                         {"POST", 307, "307 "},    {"POST", 308, "308 "},    {"PUT", 301, "301 "},
                         {"PUT", 302, "302 "},     {"PUT", 303, "200 GET"},  {"PUT", 307, "307 "},
                         {"PATCH", 301, "301 "},   {"PATCH", 302, "302 "},   {"PATCH", 308, "308 "}};
    for (const auto& r : table) {
        CAPTURE(r.verb);
        CAPTURE(r.status);
        own_loop on;
        app a;
        const auto moved = [&r](request&) -> task<response> { co_return redirect(r.status, "/new"); };
        a.post("/old", moved), a.put("/old", moved), a.patch("/old", moved);
        const auto note = [](request& req) { return std::string(req.method_text()); };
        a.get("/new", note), a.post("/new", note), a.put("/new", note), a.patch("/new", note);
        app_server up(on, std::move(a));
        client http;
        client_request req(r.verb, up.url() + "/old");
        req.stream("text/plain", bytes_of(10), 10);
        CHECK(line_of(on.wait(http.send(std::move(req)))) == r.line);
    }
}

TEST_CASE("a response before the upload's end is used, and ends the upload") {
    own_loop on;
    app_server up(on, make_mirror());
    client http;
    bool ended = false;
    struct told {
        bool& flag;
        ~told() { flag = true; }
    };
    client_request req("POST", up.url() + "/refuse");
    req.stream("text/plain", [&ended](client_writer& out) -> task<> {
        told t{ended};
        co_await out.write("some");
        co_await apus::sleep_for(seconds(100));
    });
    CHECK(line_of(on.wait(http.send(std::move(req)))) == "403 ");
    CHECK(ended);
}

TEST_CASE("backpressure reaches the server while the response is not read") {
    own_loop on;
    app a;
    std::size_t written = 0;
    a.get("/", [&written] {
        return stream("text/plain", [&written](writer& out) -> task<> {
            const std::string piece(50'000, 'x');
            for (int i = 0; i < 400; ++i) {
                co_await out.write(piece);
                written += piece.size();
            }
        });
    });
    app_server up(on, std::move(a));
    client http;
    auto opened = on.wait(http.open(client_request("GET", up.url())));
    REQUIRE(opened.has_value());
    for (int i = 0; i < 300; ++i) on.loop.turn(0);
    CHECK(written < 15'000'000);  // limited by the sizes of the socket buffers
    CHECK(on.wait(opened->read()).value().size() > 0);
}

TEST_CASE("dropping a stream closes its connection; reading to the end keeps it") {
    own_loop on;
    app_server up(on, make_mirror());
    client http;
    {
        client_request req("POST", up.url() + "/mirror");
        req.body("0123456789", "text/plain");
        auto opened = on.wait(http.open(std::move(req)));
        REQUIRE(opened.has_value());
        CHECK(opened->status() == 200);
        CHECK(on.wait(opened->rest()) == "0123456789");
        CHECK(on.wait(opened->read()) == "");
    }
    CHECK(line_of(on.wait(http.post(up.url() + "/count", "", ""))) == "200 0/0");
    CHECK(up.accepts == 1);
    {
        client_request req("POST", up.url() + "/mirror");
        req.stream("text/plain", bytes_of(10'000'000));
        auto opened = on.wait(http.open(std::move(req)));
        REQUIRE(opened.has_value());
    }
    CHECK(line_of(on.wait(http.post(up.url() + "/count", "", ""))) == "200 0/0");
    CHECK(up.accepts == 2);
}

TEST_CASE("a body waits for 100 Continue, a rejection, or one second") {
    own_loop on;
    app_server up(on, make_mirror());
    client usual;
    client_request agreed("POST", up.url() + "/count");
    agreed.body("the body", "text/plain").expect_continue();
    CHECK(line_of(on.wait(usual.send(std::move(agreed)))) == "200 8/8");

    scripted_server no(on, {scripted_reply("HTTP/1.1 417 No\r\ncontent-length: 2\r\n\r\nno")});
    client_request refused("POST", no.url());
    refused.body("the body", "text/plain").expect_continue();
    CHECK(line_of(on.wait(usual.send(std::move(refused)))) == "417 no");
    for (int i = 0; i < 5; ++i) on.loop.turn(1);
    CHECK(no.heads[0].contains("Expect: 100-continue"));
    CHECK_FALSE(no.got.contains("the body"));

    scripted_server silent(on, {});
    client_options quick;
    quick.head = milliseconds(30);
    client http(quick);
    client_request req("POST", silent.url());
    req.body("the body", "text/plain").expect_continue();
    CHECK(line_of(on.wait(http.send(std::move(req)))) == "error 504 the upstream did not respond in time");
    CHECK(silent.got.contains("the body"));
}
