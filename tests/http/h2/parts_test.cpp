// SPDX-License-Identifier: Apache-2.0
#include "http/h2/allowance.hpp"
#include "http/h2/exchange.hpp"
#include "http/h2/frame_walk.hpp"
#include "http/h2/session_memory.hpp"
#include "http/h2/stream_history.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

using namespace apus::http::h2;

TEST_CASE("an allowance is used up at once, and grows by a tenth each second") {
    allowance a(20);
    for (int i = 0; i < 20; ++i) CHECK(a.take(1000));
    CHECK(!a.take(1000));
    CHECK(!a.take(1400));
    CHECK(a.take(1500));
    CHECK(!a.take(1500));
    a.earn(2);
    CHECK((a.take(1500) && a.take(1500)));
    CHECK(!a.take(1500));
    int after_long = 0;
    while (a.take(1'000'000)) ++after_long;
    CHECK(after_long == 20);
}

TEST_CASE("memory of sessions comes from lists and keeps what is in it") {
    session_memory m;
    auto* calls = m.calls();
    auto* self = calls->mem_user_data;
    void* first = calls->malloc(100, self);
    std::memset(first, 7, 100);
    void* larger = calls->realloc(first, 5000, self);
    CHECK(static_cast<char*>(larger)[99] == 7);
    CHECK(m.kept() == 128);
    void* again = calls->calloc(10, 11, self);
    CHECK(again == first);
    CHECK(std::string(static_cast<char*>(again), 110) == std::string(110, '\0'));
    CHECK(calls->calloc(~std::size_t{0}, 16, self) == nullptr);
    calls->free(again, self);
    calls->free(larger, self);
    calls->free(nullptr, self);
    CHECK(m.kept() == 128);
    calls->free(calls->realloc(nullptr, 0, self), self);
    CHECK(m.kept() == 192);
}

TEST_CASE("how a stream ended is known for a while") {
    stream_history h;
    h.finished_by_client(1);
    h.reset_by_server(3);
    CHECK((h.was_finished(1) && h.was_reset(3)));
    CHECK(!(h.was_finished(3) || h.was_reset(1)));
    for (int id = 5; id < 100; id += 2) h.finished_by_client(id);
    CHECK(!h.was_finished(1));
}

TEST_CASE("heads of frames are found however the bytes are cut") {
    using namespace std::literals;
    const std::string bytes = "PRI\0\0\3\0\1\0\0\0\5abc\0\0\0\6\0\x80\0\1\0"s;
    for (std::size_t cut = 1; cut <= bytes.size(); ++cut) {
        frame_walk walk(3);
        std::string seen;
        for (std::size_t at = 0; at < bytes.size(); at += cut)
            walk.each(std::string_view(bytes).substr(at, cut), [&](const frame_head& f) {
                seen += std::to_string(f.length) + " " + std::to_string(f.type) + " " + std::to_string(f.flags) + " " + std::to_string(f.stream) + ";";
            });
        CHECK(seen == "3 0 1 5;0 6 0 256;");
    }
}

TEST_CASE("an exchange is as new after a reset, and does not keep much") {
    h2_exchange x;
    x.unframed = std::string(100'000, 'x');
    x.file_left = 5;
    x.responded = x.tunnel = true;
    x.reset();
    CHECK(x.waiting() == 0);
    CHECK(!(x.responded || x.tunnel));
    CHECK(x.unframed.capacity() < 100);
}
