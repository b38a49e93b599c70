// SPDX-License-Identifier: Apache-2.0
#include "http/served_exchange.hpp"

#include "http/h2/app.hpp"
#include "support/counted_memory.hpp"
#include "support/skipped.hpp"

#include <apus/json.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <malloc.h>

using namespace apus;
using namespace apus::test;

namespace {

constexpr std::size_t big = 1024 * 1024;
constexpr int rounds = 20;

struct report {
    std::string text;
    std::vector<int> numbers;
};

app big_answers() {
    app a;
    a.get("/small", [] { return "small"; });
    a.get("/text", [] { return std::string(big, 't'); });
    a.get("/json", [] { return report{std::string(big, 'j'), std::vector<int>(10'000)}; });
    a.get("/lines", [] {
        apus::response res;
        for (int i = 0; i < 40; ++i) res.header("x-line", std::string(1000, 'l'));
        return res;
    });
    a.post("/echo", [](body_text in) { return std::string(in.bytes); });
    return a;
}

// Returns the bytes allocated by `malloc` in the whole program.
std::size_t in_use() {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

// Runs `check` on each backend. After a warm-up, it must not leave memory allocated.
void on_each_backend(const std::function<void()>& check) {
    const char* const wanted = std::getenv("APUS_IO");
    const std::string before = wanted ? wanted : "";
    for (const char* name : {"epoll", "uring"}) {
        CAPTURE(name);
        std::string why;
        if (!runtime::make_backend(name, why)) {
            support::skip_uring(why);
            continue;
        }
        setenv("APUS_IO", name, 1);
        check();
    }
    if (wanted) setenv("APUS_IO", before.c_str(), 1);
    else unsetenv("APUS_IO");
}

}  // namespace

TEST_CASE("HTTP/1.1 releases the memory of large responses") {
    if (!support::allocations_are_counted) return support::skip(support::not_counted);
    on_each_backend([] {
        for (const char* request : {"GET /text", "GET /json", "HEAD /text", "HEAD /json", "GET /lines"}) {
            CAPTURE(request);
            wire w(big_answers());
            const auto ask = [&](const std::string& line) {
                w.send(line + " HTTP/1.1\r\nHost: x\r\n\r\nGET /small HTTP/1.1\r\nHost: x\r\n\r\n");
                w.until("\r\n\r\nsmall");
            };
            ask("GET /small");
            const std::size_t before = in_use();
            for (int i = 0; i < rounds; ++i) ask(request);
            w.turn(4);
            CHECK(in_use() < before + 2 * big);
        }
    });
}

TEST_CASE("HTTP/2 releases the memory of concurrent large responses") {
    if (!support::allocations_are_counted) return support::skip(support::not_counted);
    on_each_backend([] {
        for (const char* path : {"/text", "/json", "/lines"}) {
            CAPTURE(path);
            h2::client to(big_answers());
            to.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 2 * big}});
            to.send(h2::window_update(0, 100 * big));
            std::uint32_t stream = 1;
            to.send(h2::get(stream, "/small"));
            to.of(stream);
            const std::size_t before = in_use();
            for (int i = 0; i < rounds; ++i) to.send(h2::get(stream += 2, path));
            for (std::uint32_t each = 3; each <= stream; each += 2) {
                to.of(each);
                to.streams.erase(each);  // releases the memory of the test client itself
            }
            to.turn();
            CHECK(in_use() < before + 2 * big);
        }
    });
}

TEST_CASE("a reset stream releases its response") {
    if (!support::allocations_are_counted) return support::skip(support::not_counted);
    on_each_backend([] {
        limits wide;
        wide.connection_memory = 2 * rounds * big;  // large enough that no handler waits
        h2::client to(big_answers(), wide);
        to.greet({{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 0}});
        to.send(h2::head(1, "HEAD", "/text"));
        to.of(1);
        const std::size_t before = in_use();
        std::uint32_t stream = 1;
        for (int i = 0; i < rounds; ++i) to.send(h2::get(stream += 2, "/text"));
        to.turn();
        CHECK(in_use() > before + rounds * big);
        for (std::uint32_t each = 3; each <= stream; each += 2) to.send(h2::reset(each));
        to.turn();
        CHECK(in_use() < before + 2 * big);
    });
}
