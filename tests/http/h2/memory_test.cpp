// SPDX-License-Identifier: Apache-2.0
#include "http/connection.hpp"
#include "http/h2/app.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

// Limits for the memory of one connection's streams and of the core.

using namespace apus;
using namespace apus::test::h2;

namespace {

constexpr std::uint32_t no_window = 0, much = 1 << 30;

limits with_bound(std::uint64_t bytes) {
    limits l;
    l.connection_memory = bytes;
    return l;
}

int answered(client& c, std::uint32_t streams, const char* status) {
    int n = 0;
    for (std::uint32_t i = 0; i < streams; ++i) n += c.streams[2 * i + 1].field(":status") == status;
    return n;
}

}  // namespace

TEST_CASE("http2 memory: bodies over a connection's limit are refused, and the oldest continues") {
    made m;
    client c(m.make(), with_bound(256 * 1024));
    c.greet();
    constexpr std::uint32_t streams = 12;
    for (std::uint32_t i = 0; i < streams; ++i) c.send(head(2 * i + 1, "POST", "/echo", end_headers));
    for (int round = 0; round < 4; ++round)
        for (std::uint32_t i = 0; i < streams; ++i) c.send(data(2 * i + 1, std::string(16'000, 'b')));
    c.turn(20);
    CHECK(answered(c, streams, "503") >= 6);
    CHECK(c.streams[2 * streams - 1].field("retry-after") == "1");
    CHECK(c.line().core().first->held() <= 512 * 1024);
    CHECK(c.counts().memory_refusals == static_cast<std::uint64_t>(answered(c, streams, "503")));
    c.send(data(1, "end", end_stream));
    CHECK(c.of(1).field(":status") == "200");
    CHECK(c.of(1).body.size() == 64'003);
    c.send(get(101, "/"));
    CHECK(c.of(101).body == "hello\n");
}

TEST_CASE("http2 memory: handlers wait while a client does not read the responses of others") {
    made m;
    client c(m.make(), with_bound(256 * 1024));
    c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, no_window}});
    constexpr std::uint32_t streams = 20;
    for (std::uint32_t i = 0; i < streams; ++i) c.send(get(2 * i + 1, "/big/100000"));
    c.turn(20);
    CHECK(answered(c, streams, "200") <= 4);
    CHECK(c.line().core().first->held() <= 512 * 1024);
    c.send(window_update(0, much) + settings({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, much}}));
    const std::uint64_t begin = c.line().loop().now();
    for (std::uint32_t i = 0; i < streams; ++i) CHECK(c.of(2 * i + 1).body.size() == 100'000);
    CHECK(c.counts().memory_refusals == 0);
    constexpr std::uint64_t second = 1000;
    CHECK(c.line().loop().now() - begin < 5 * second);  // no response waited for a timer
}

TEST_CASE("http2 memory: a client that resets streams whose handlers wait leaves nothing behind") {
    made m;
    client c(m.make(), with_bound(100'000));
    c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, no_window}});
    for (std::uint32_t i = 0; i < 20; ++i) c.send(get(2 * i + 1, "/big/100000"));
    c.turn(10);
    for (std::uint32_t i = 0; i < 20; ++i) c.send(reset(2 * i + 1));
    c.turn(10);
    CHECK(c.line().core().first->held() <= 32 * 1024);
    c.send(get(101, "/") + window_update(101, 1000));
    CHECK(c.of(101).body == "hello\n");
}

TEST_CASE("http2 memory: near the core's memory limit, bodies are refused, and small requests are served") {
    runtime::memory_budget budget(16 * 1024 * 1024, 1);
    made m;
    client c(m.make());
    auto& memory = c.line().loop().memory();
    memory.use(budget);
    runtime::memory_charge others(memory);
    c.greet();
    others.set(budget.usable() / 16 * 14 + 1);
    c.send(head(1, "POST", "/echo", end_headers) + get(3, "/"));
    CHECK(c.of(1).field(":status") == "503");
    CHECK(c.of(1).field("retry-after") == "1");
    CHECK(c.of(3).field(":status") == "200");
    others.set(0);
    c.send(head(5, "POST", "/echo", end_headers) + data(5, "body", end_stream));
    CHECK(c.of(5).body == "body");
}

TEST_CASE("http2 memory: a closed connection returns its memory, however it ends") {
    const auto bodies = [](std::uint8_t how) {
        std::string all(preface);
        all += settings();
        for (std::uint32_t i = 0; i < 8; ++i)
            all += head(2 * i + 1, "POST", "/echo", end_headers) + data(2 * i + 1, std::string(16'000, 'b'), how);
        return all;
    };
    const std::string cases[] = {
        bodies(no_flags),
        bodies(end_stream),
        std::string(preface) + settings({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, no_window}}) + get(1, "/big/500000") +
            get(3, "/late") + get(5, "/pieces"),
        std::string(preface).substr(0, 20),
    };
    made m;
    client c(m.make());
    auto& w = c.line();
    for (const auto& bytes : cases) {
        std::uint64_t after[2];
        for (auto& used : after) used = w.used_after_leaving(bytes);
        CHECK(after[1] <= after[0] + 128 * 1024);  // 128 KiB for buffers that io_uring keeps
    }
}

TEST_CASE("http2 memory: near the core's memory limit, requests for large responses are refused") {
    struct client_kind {
        std::uint32_t window;
        // Status of the refusal. Empty: a reset, since a response would have to wait for a WINDOW_UPDATE.
        const char* status;
        int code;
    };
    for (const client_kind kind : {client_kind{much, "503", -1}, {no_window, "", NGHTTP2_REFUSED_STREAM}}) {
        CAPTURE(kind.window);
        runtime::memory_budget budget(16 * 1024 * 1024, 1);
        made m;
        client c(m.make());
        auto& memory = c.line().loop().memory();
        memory.use(budget);
        runtime::memory_charge others(memory);
        c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kind.window}});
        c.send(window_update(0, much) + get(1, "/big/100000"));
        c.turn(10);
        CHECK(c.streams[1].field(":status") == "200");
        others.set(budget.usable() / 16 * 14 + 1);
        c.send(get(3, "/big/100000"));
        c.turn(10);
        CHECK(c.streams[3].field(":status") == kind.status);
        CHECK(c.streams[3].code == kind.code);
        CHECK(c.counts().memory_refusals == 1);
        others.set(0);
        c.send(get(7, "/big/100000"));
        c.turn(10);
        CHECK(c.streams[7].field(":status") == "200");
    }
}
