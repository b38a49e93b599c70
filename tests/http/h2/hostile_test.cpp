// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/blocks.hpp"
#include "http/connection.hpp"
#include "http/h2/app.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <malloc.h>

// Clients that disconnect, read or send at the worst moment for the server.

using namespace apus;
using namespace apus::test::h2;

namespace {

std::vector<std::string> logged_targets;

void log_target(const http::access_record& r) { logged_targets.emplace_back(r.target); }

app large_heads() {
    app a;
    a.get("/head", [] {
        response res(204);
        res.header("x-large", std::string(4'000, 'h'));
        return res;
    });
    return a;
}

long bytes_in_use() { return static_cast<long>(mallinfo2().uordblks); }

}  // namespace

TEST_CASE("http2: a path with a space is rejected, not truncated") {
    made m;
    client c(m.make());
    c.greet();
    std::uint32_t stream = 1;
    for (const std::string_view path : {"/ ", "/ x", "/ HTTP/1.1", "/? ", "/?a b", "/said/a b", "/said/%61 b"}) {
        CAPTURE(std::string(path));
        c.send(get(stream, path));
        CHECK(c.of(stream).field(":status") != "200");
        stream += 2;
    }
    CHECK(c.counts().refusals == 7);
    c.send(get(stream, "/said/%61?b"));
    CHECK(c.of(stream).body.starts_with("a|b|"));
}

TEST_CASE("http2: empty Huffman strings before any other field, and in trailers") {
    using namespace std::string_literals;
    const std::string empty[] = {"\x00\x80\x80"s, "\x40\x80\x80"s, "\x53\x80"s, "\x41\x80"s, "\x01\x80"s};
    for (const std::string& block : empty) {
        CAPTURE(test::hex_of(block));
        made m;
        client c(m.make());
        c.greet();
        c.send(frame(NGHTTP2_HEADERS, ends_all, 1, block));
        c.send(head(3, "POST", "/echo", end_headers, {{"content-length", "0"}}) +
               frame(NGHTTP2_HEADERS, ends_all, 3, block));
        c.send(get(5, "/"));
        CHECK(c.of(5).body == "hello\n");
    }
}

TEST_CASE("http2: trailers that arrive long after a reset are ignored, unless they are many") {
    made m;
    client c(m.make());
    c.greet();
    c.send(head(1, "POST", "/echo", end_headers, {{"content-length", "3"}}) + data(1, "12345"));
    c.until([&] { return c.streams[1].over(); });
    c.pass(1000);
    const std::string trailers = frame(NGHTTP2_HEADERS, ends_all, 1, literals({{"x-sum", "1"}}));
    c.send(trailers);
    c.send(get(3, "/"));
    CHECK(c.of(3).body == "hello\n");
    CHECK(c.goaway == -1);
    for (int i = 0; i < 10'000 && c.goaway < 0; ++i) {
        c.send(trailers);
        c.turn();
    }
    CHECK(c.goaway == NGHTTP2_ENHANCE_YOUR_CALM);
}

TEST_CASE("http2: an extended CONNECT for a route without a tunnel fails") {
    made m;
    client c(m.make());
    c.greet();
    std::uint32_t stream = 1;
    for (const std::string_view path : {"/", "/empty", "/pieces", "/echo"}) {
        CAPTURE(std::string(path));
        c.send(frame(NGHTTP2_HEADERS, ends_all, stream,
                     literals({{":method", "CONNECT"},
                               {":protocol", "echo"},
                               {":scheme", "http"},
                               {":path", path},
                               {":authority", "a"}})));
        c.until([&] { return !c.streams[stream].heads.empty(); });
        CHECK(c.streams[stream].field(":status") == (path == "/echo" ? "200" : "501"));
        stream += 2;
    }
}

TEST_CASE("http2: a request whose head never ends is not logged") {
    made m;
    client c(m.make());
    c.line().core().log_access = log_target;
    logged_targets.clear();
    c.greet();
    c.send(get(1, "/empty"));
    c.of(1);
    // Reuses the exchange of the previous request, although this request's fields need more memory.
    c.send(head(3, "GET", "/", end_stream, {{"x", std::string(4'000, 'x')}}));
    c.turn();
    c.line().half_close();
    c.to_end();
    CHECK(logged_targets == std::vector<std::string>{"/empty"});
}

TEST_CASE("http2: a half-closed client gets all pending responses") {
    client c(large_heads());
    c.greet();
    std::string asked;
    for (std::uint32_t i = 0; i < 100; ++i) asked += get(2 * i + 1, "/head");
    c.line().send(asked);
    c.line().half_close();
    c.to_end();
    int answered = 0;
    for (std::uint32_t i = 0; i < 100; ++i) answered += c.streams[2 * i + 1].ended;
    CHECK(answered == 100);
}

TEST_CASE("http2: the window of a stream counts a response that was sent at once") {
    made m;
    client c(m.make());
    c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 0x7fffffff}});
    c.send(head(1, "POST", "/ignored", end_headers));
    c.of(1);
    c.send(window_update(1, 9));  // exactly the length of "not read\n"
    c.turn();
    CHECK(c.streams[1].code == -1);
}

TEST_CASE("http2: a window reduced by the server's SETTINGS does not apply to frames without data") {
    made m;
    client c(m.make(), {.h2_stream_window = 1000});
    c.send(std::string(preface) + settings() + head(1, "POST", "/echo", end_headers) + data(1, std::string(3000, 'b')) +
           frame(NGHTTP2_SETTINGS, ack, 0) + data(1, "", end_stream));
    CHECK(c.of(1).body.size() == 3000);
}

TEST_CASE("http2 memory: an incomplete head is counted") {
    made m;
    client c(m.make());
    c.greet();
    c.turn();
    const std::size_t before = c.line().core().first->held();
    // A Huffman-coded value of 60,000 bytes. The decoder detects that the value is too large when it is complete.
    const std::string value(60'000, '\0');
    const std::string block = literals({{":method", "GET"}}) + std::string("\0\1x\xff\xe1\xd3\x03", 7) + value;
    c.send(frame(NGHTTP2_HEADERS, end_stream, 1, block.substr(0, 16'000)));
    for (std::size_t at = 16'000; at < block.size(); at += 16'000)
        c.send(frame(NGHTTP2_CONTINUATION, no_flags, 1, block.substr(at, 16'000)));
    c.until([&] { return c.line().core().first->held() - before > 90'000; });
    CHECK(c.goaway == -1);
}

TEST_CASE("http2 memory: fields of completed requests are released") {
    made m;
    client c(m.make(), {.h2_streams = 250});
    c.greet();
    c.turn();
    const std::string cookie(7'000, 'c'), other(7'000, 'o');
    const auto ask = [&](std::uint32_t from, bool large) {
        for (std::uint32_t i = 0; i < 200; ++i)
            c.send(large ? head(from + 2 * i, "GET", "/late", ends_all, {{"cookie", cookie}, {"x", other}})
                         : get(from + 2 * i, "/late"));
        c.turn();
        m.go = true;
        for (std::uint32_t i = 0; i < 200; ++i) CHECK(c.of(from + 2 * i).body == "late\n");
        m.go = false;
        c.turn(10);
    };
    ask(1, false);
    const long before = bytes_in_use();
    ask(1001, true);
    CHECK(bytes_in_use() - before < 1'000'000);
}
