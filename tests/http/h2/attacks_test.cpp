// SPDX-License-Identifier: Apache-2.0
#include "http/h2/frames.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <malloc.h>

using namespace apus;
using namespace apus::test;
using h2::client;

namespace {

constexpr std::uint32_t many = 3000;
constexpr long much = 1024 * 1024;

app victim() {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/late", []() -> task<std::string> {
        co_await apus::sleep_for(seconds(20));
        co_return "late\n";
    });
    a.get("/big", [] { return std::string(50'000, 'b'); });
    a.get("/pieces", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            for (int i = 0; i < 1000; ++i) co_await out.write(std::string(10'000, 'p'));
        });
    });
    a.post("/late", [](request& in) -> task<std::string> {
        co_await in.body();
        co_return "read\n";
    });
    return a;
}

// Returns the allocated bytes; meaningless if a sanitizer replaces the allocator.
long in_use() { return static_cast<long>(mallinfo2().uordblks); }

void is_answered_at_once(client& c) {
    c.connect();
    c.greet();
    c.send(h2::get(1, "/"));
    CHECK(c.of(1).body == "hello\n");
}

// An attack after which the connection must be closed. The client does not read, and the server's memory is checked
// continuously.
struct attack {
    const char* name;
    std::string first;
    std::string (*frames)(std::uint32_t n);
    int code;  // expected error code of the GOAWAY frame
    base::counter http::metrics::* counted;
};

const attack attacks[] = {
    {"rapid reset (CVE-2023-44487)", "",
     [](std::uint32_t n) { return h2::get(n * 2 + 1, "/late") + h2::reset(n * 2 + 1); }, 11, &http::metrics::h2_resets},
    {"MadeYouReset (CVE-2025-8671)", "",
     [](std::uint32_t n) { return h2::get(n * 2 + 1, "/late") + h2::window_update(n * 2 + 1, 0x7fffffff); }, 11,
     &http::metrics::h2_resets},
    {"heads without fields", "", [](std::uint32_t n) { return h2::frame(NGHTTP2_HEADERS, h2::ends_all, n * 2 + 1); },
     11, &http::metrics::h2_resets},
    {"CONTINUATION (CVE-2024-28182)", h2::head(1, "GET", "/", h2::end_stream),
     [](std::uint32_t) { return h2::frame(NGHTTP2_CONTINUATION, h2::no_flags, 1, h2::literals({{"a", "b"}})); }, 11,
     &http::metrics::h2_floods},
    {"empty CONTINUATION", h2::head(1, "GET", "/", h2::end_stream),
     [](std::uint32_t) { return h2::frame(NGHTTP2_CONTINUATION, h2::no_flags, 1); }, 11, &http::metrics::h2_floods},
    {"PING (CVE-2019-9512)", "", [](std::uint32_t) { return h2::frame(NGHTTP2_PING, h2::no_flags, 0, "12345678"); }, 11,
     &http::metrics::h2_floods},
    {"SETTINGS (CVE-2019-9515)", "", [](std::uint32_t) { return h2::settings(); }, 11, &http::metrics::h2_floods},
    {"PRIORITY (CVE-2019-9513)", "",
     [](std::uint32_t n) { return h2::frame(NGHTTP2_PRIORITY, h2::no_flags, n * 2 + 1, h2::number(0, 5)); }, 11,
     &http::metrics::h2_floods},
    {"PRIORITY_UPDATE", "",
     [](std::uint32_t n) { return h2::frame(0x10, h2::no_flags, 0, h2::number(n % 90 * 2 + 1, 4) + "u=1"); }, 11,
     &http::metrics::h2_floods},
    {"unknown frames", "", [](std::uint32_t) { return h2::frame(0x77, h2::no_flags, 0); }, 11,
     &http::metrics::h2_floods},
    {"empty DATA (CVE-2019-9518)", h2::head(1, "POST", "/late", h2::end_headers),
     [](std::uint32_t) { return h2::data(1, ""); }, 11, &http::metrics::h2_floods},
    {"small WINDOW_UPDATE", h2::get(1, "/late"), [](std::uint32_t) { return h2::window_update(1, 1); }, 11,
     &http::metrics::h2_floods},
    {"WINDOW_UPDATE of 0", h2::get(1, "/late"), [](std::uint32_t) { return h2::window_update(1, 0); }, 1, nullptr},
    {"WINDOW_UPDATE over 2^31-1", "", [](std::uint32_t) { return h2::window_update(0, 0x7fffffff); }, 3, nullptr},
};

}  // namespace

TEST_CASE("a client that floods gets GOAWAY and is disconnected, and the next client is answered at once") {
    client c(victim());
    for (const auto& a : attacks) {
        CAPTURE(std::string(a.name));
        c.connect();
        c.greet();
        const std::uint64_t before = a.counted ? c.counts().*a.counted : 0;
        c.turn();
        const long memory = in_use();
        long most = 0;
        std::string frames = a.first;
        for (std::uint32_t n = 0; n < many && !c.line().ended; ++n) {
            frames += a.frames(n);
            if (n % 50 != 49) continue;
            c.line().try_send(std::exchange(frames, {}));
            c.line().turn(1);
            most = std::max(most, in_use() - memory);
            if (n % 1000 == 999) c.turn();
        }
        c.to_end();
        CHECK(c.goaway == a.code);
        CHECK(most < much);
        if (a.counted) CHECK(c.counts().*a.counted == before + 1);
        is_answered_at_once(c);
    }
}

TEST_CASE("header blocks that expand to megabytes are not decoded to their end") {
    client c(victim());
    c.greet();
    // Adds a dynamic table entry, to which all further bytes refer (RFC 7541, 6.2.1 and 6.1).
    std::string block = h2::literals({{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {":authority", "a"}});
    block += "\x40\x01x\x7f\xa1\x1e" + std::string(127 + 0x21 + 0x1e * 128, 'v') + std::string(8'000, '\xbe');
    const long memory = in_use();
    c.send(h2::frame(NGHTTP2_HEADERS, h2::ends_all, 1, block));
    c.turn();
    CHECK(in_use() - memory < much);
    CHECK(c.of(1).code >= 0);
    CHECK(c.counts().h2_floods == 1);
    c.send(h2::get(3, "/"));
    CHECK(c.of(3).body == "hello\n");
}

TEST_CASE("streams over the limit are refused, and their handlers do not run") {
    client c(victim(), {.h2_streams = 10});
    c.greet();
    c.turn();
    std::string asked;
    for (std::uint32_t n = 0; n < 15; ++n) asked += h2::get(n * 2 + 1, "/late");
    c.send(asked);
    c.until([&] { return c.streams[29].code >= 0; });
    CHECK(c.streams[21].code == NGHTTP2_REFUSED_STREAM);
    CHECK(c.streams[19].code == -1);
    CHECK(c.counts().requests == 10);
    is_answered_at_once(c);
}

TEST_CASE("streams whose response is not yet sent count as concurrent") {
    client c(victim(), {.h2_streams = 10});
    c.greet();
    c.turn();
    std::string asked;
    for (std::uint32_t n = 0; n < 50; ++n) asked += h2::get(n * 2 + 1, "/");
    c.send(asked);
    c.until([&] { return c.streams[99].over(); });
    CHECK(c.streams[19].body == "hello\n");
    CHECK(c.streams[21].code == NGHTTP2_REFUSED_STREAM);
    CHECK(c.counts().requests == 10);
    c.send(h2::get(101, "/"));
    CHECK(c.of(101).body == "hello\n");
}

TEST_CASE("a client that grants hardly any window holds responses for a limited time") {
    for (const std::uint32_t window : {0U, 1U}) {
        for (const std::string_view path : {"/big", "/pieces"}) {
            client c(victim(), {.rate_window = milliseconds(40)});
            c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window}});
            c.turn();
            const long memory = in_use();
            std::string asked;
            for (std::uint32_t n = 0; n < 10; ++n) asked += h2::get(n * 2 + 1, path);
            c.send(asked);
            c.turn();
            CHECK(in_use() - memory < 2 * much);
            for (std::uint32_t n = 0; n < 10; ++n) {
                if (window) c.send(h2::window_update(n * 2 + 1, 1));
                CHECK(c.of(n * 2 + 1).code == NGHTTP2_CANCEL);
            }
            CHECK(c.counts().h2_windows_held == 10);
            c.send(h2::settings({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1000}}) + h2::get(21, "/"));
            CHECK(c.of(21).body == "hello\n");
        }
    }
}

TEST_CASE("an exhausted connection window holds responses for a limited time") {
    client c(victim(), {.rate_window = milliseconds(40)});
    c.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 20}});
    c.send(h2::get(1, "/big") + h2::get(3, "/big"));
    CHECK(c.of(3).code == NGHTTP2_CANCEL);
}

TEST_CASE("an incomplete head and a silent client have deadlines") {
    for (const bool begun : {false, true}) {
        client c(victim(), {.head = milliseconds(40), .idle = seconds(10)});
        c.greet();
        if (begun) c.send(h2::get(1, "/") + h2::head(3, "GET", "/", h2::end_stream));
        c.to_end();
        CHECK(c.goaway == (begun ? NGHTTP2_ENHANCE_YOUR_CALM : NGHTTP2_NO_ERROR));
        CHECK(c.counts().deadlines == (begun ? 1 : 0));
    }
}

TEST_CASE("unread responses do not accumulate") {
    client c(victim(), {.h2_control_frames = 1'000'000}, over::tcp);
    c.greet();
    c.turn();
    const long memory = in_use();
    long most = 0;
    std::string pings;
    for (int i = 0; i < 1000; ++i) pings += h2::frame(NGHTTP2_PING, h2::no_flags, 0, "12345678");
    for (int i = 0; i < 2000; ++i) {
        if (c.line().try_send(pings) <= 0) break;
        c.line().turn(1);
        most = std::max(most, in_use() - memory);
    }
    CHECK(most < much);
    is_answered_at_once(c);
}
