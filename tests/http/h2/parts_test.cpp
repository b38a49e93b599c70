// SPDX-License-Identifier: Apache-2.0
#include "http/h2/allowance.hpp"
#include "http/h2/exchange.hpp"
#include "http/h2/frame_walk.hpp"
#include "http/h2/session_memory.hpp"
#include "http/h2/stream_history.hpp"
#include "http/h2/frames.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include <sys/mman.h>

using namespace apus::http::h2;
namespace h2 = apus::test::h2;

namespace {

std::uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
}

}  // namespace

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
    CHECK(m.kept() == 112);
    void* again = calls->calloc(10, 11, self);
    CHECK(again == first);
    CHECK(std::string(static_cast<char*>(again), 110) == std::string(110, '\0'));
    CHECK(calls->calloc(~std::size_t{0}, 16, self) == nullptr);
    calls->free(again, self);
    calls->free(larger, self);
    calls->free(nullptr, self);
    CHECK(m.kept() == 112);
    calls->free(calls->realloc(nullptr, 0, self), self);
    CHECK(m.kept() == 128);
}

TEST_CASE("sessions that share the room for a frame say each what it would say alone") {
    const auto ask = [](session_memory& m, std::string_view name) {
        nghttp2_session_callbacks* none;
        nghttp2_session_callbacks_new(&none);
        const auto made = m.make(none, nullptr, nullptr);
        nghttp2_session_callbacks_del(none);
        const std::string preface =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + h2::frame(NGHTTP2_SETTINGS, h2::no_flags, 0, "") + h2::get(1, "/");
        nghttp2_session_mem_recv(made.session, reinterpret_cast<const std::uint8_t*>(preface.data()), preface.size());
        const std::string value(40'000, name[0]);  // needs frames of CONTINUATION
        nghttp2_nv field{bytes_of(name), bytes_of(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
        nghttp2_submit_headers(made.session, NGHTTP2_FLAG_END_STREAM, 1, nullptr, &field, 1, nullptr);
        return made;
    };
    const auto say = [](nghttp2_session* s) {
        const std::uint8_t* from;
        const ssize_t size = nghttp2_session_mem_send(s, &from);
        return std::string(reinterpret_cast<const char*>(from), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    };
    session_memory one, two, both;
    std::string alone[2], beside[2];
    session_memory::new_session by_itself[] = {ask(one, "a"), ask(two, "b")},
                                sharing[] = {ask(both, "a"), ask(both, "b")};
    for (int frames = 0; frames < 8; ++frames)
        for (const int i : {0, 1}) alone[i] += say(by_itself[i].session), beside[i] += say(sharing[i].session);
    for (const int i : {0, 1}) {
        CHECK(alone[i].size() > 25'000);
        CHECK((alone[i] == beside[i]));
        nghttp2_session_del(by_itself[i].session);
        nghttp2_session_del(sharing[i].session);
    }
}

TEST_CASE("a page that finds streams is given back only while it finds none") {
    session_memory m;
    nghttp2_session_callbacks* none;
    nghttp2_session_callbacks_new(&none);
    nghttp2_option* forgets;
    nghttp2_option_new(&forgets);
    nghttp2_option_set_no_closed_streams(forgets, 1);
    const auto made = m.make(none, nullptr, forgets);
    nghttp2_option_del(forgets);
    nghttp2_session_callbacks_del(none);
    REQUIRE(made.streams);
    const std::string open =
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + h2::frame(NGHTTP2_SETTINGS, h2::no_flags, 0, "") + h2::get(1, "/");
    nghttp2_session_mem_recv(made.session, reinterpret_cast<const std::uint8_t*>(open.data()), open.size());
    const auto is_there = [&] { return nghttp2_session_get_stream_effective_local_window_size(made.session, 1) > 0; };
    CHECK(is_there());
    session_memory::rest(made.streams);
    CHECK(is_there());
    const std::string over = h2::frame(NGHTTP2_RST_STREAM, h2::no_flags, 1, h2::number(8, 4));
    nghttp2_session_mem_recv(made.session, reinterpret_cast<const std::uint8_t*>(over.data()), over.size());
    session_memory::rest(made.streams);
    unsigned char there = 1;
    CHECK(mincore(made.streams, 4096, &there) == 0);
    CHECK((there & 1) == 0);
    nghttp2_session_del(made.session);
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
                seen += std::to_string(f.length) + " " + std::to_string(f.type) + " " + std::to_string(f.flags) + " " +
                        std::to_string(f.stream) + ";";
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

TEST_CASE("where in a frame the bytes have stopped is known at each of them") {
    using namespace std::literals;
    // Of each byte: . nothing has begun, f a frame has, d that is DATA, and their number.
    const std::string bytes = "PR\0\0\2\0\1\0\0\0\5ab\0\0\1\1\0\0\0\0\7x\0\0\1\x9\4\0\0\0\7y\0\0\0\6\0\0\0\0\0"s;
    const std::string kinds =
        "f." + std::string(8, 'f') + "dd." + std::string(19, 'f') + "." + std::string(8, 'f') + ".";
    frame_walk walk(2);
    std::string seen;
    for (const char& c : bytes) {
        walk.each({&c, 1}, [](const frame_head&) {});
        seen += !walk.inside() ? '.' : walk.inside_data() ? 'd' : 'f';
    }
    CHECK(seen == kinds);
    CHECK(walk.number() == 3);  // a block counts as one
}

TEST_CASE("fields fit into slices of 16 bits at the greatest limits, or are refused") {
    static constexpr apus::codec::http1::head_limits greatest{32'768, 128, 32'768};
    struct {
        const char* what;
        std::size_t path, authority, field, cookie, cookies;
        int status;  // 0: taken
    } const cases[] = {
        {"usual", 10, 10, 10, 10, 2, 0},
        {"a long path", 32'000, 100, 100, 0, 0, 0},
        {"a path and an authority that are too long together", 20'000, 20'000, 100, 0, 0, 414},
        {"a path that is too long", 33'000, 10, 10, 0, 0, 414},
        {"long fields", 10, 10, 32'000, 0, 0, 0},
        {"cookies as long as all fields may be", 10, 10, 10, 1'000, 32, 0},
        {"all as long as may be", 32'500, 100, 10, 1'000, 32, 0},
        {"cookies that are too long", 10, 10, 10, 1'000, 33, 431},
        {"fields that are too long", 10, 10, 33'000, 0, 0, 431},
        {"empty cookies", 10, 10, 10, 0, 100, 0},
        {"too many cookies", 10, 10, 10, 1, 128, 431},
    };
    const auto take = [](request_fields& fields, apus::codec::http1::request_head& head, const auto& c) {
        fields.begin();
        const std::string path = "/" + std::string(c.path - 1, 'p');
        fields.add(pseudo::method, "GET", greatest);
        fields.add(pseudo::scheme, "http", greatest);
        fields.add(pseudo::path, path, greatest);
        fields.add(pseudo::authority, std::string(c.authority, 'a'), greatest);
        for (std::size_t i = 0; i < c.cookies; ++i)
            fields.add("cookie", std::string(c.cookie > 10 ? c.cookie - 10 : c.cookie, 'c'), greatest, head);
        fields.add("x-field", std::string(c.field, 'f'), greatest, head);
        return fields.finish(head);
    };
    request_fields fields;
    apus::codec::http1::request_head head;
    for (const auto& c : cases) {
        CAPTURE(std::string(c.what));
        const apus::codec::refusal* why = take(fields, head, c);
        CHECK((why ? why->status : 0) == c.status);
        if (why) continue;
        const auto text = [&](apus::codec::http1::slice s) { return s.in(fields.bytes()); };
        CHECK(text(head.path) == "/" + std::string(c.path - 1, 'p'));
        CHECK(text(head.host) == std::string(c.authority, 'a'));
        std::size_t cookies = 0;
        for (std::uint16_t i = 0; i < head.field_count; ++i) {
            const std::string_view name = text(head.fields[i].name), value = text(head.fields[i].value);
            if (name == "x-field") CHECK(value == std::string(c.field, 'f'));
            if (name == "host") CHECK(value == std::string(c.authority, 'a'));
            if (name != "cookie") continue;
            ++cookies;
            std::string joined;
            for (std::size_t n = 0; n < c.cookies; ++n)
                joined += (n ? "; " : "") + std::string(c.cookie > 10 ? c.cookie - 10 : c.cookie, 'c');
            CHECK((value == joined));
        }
        CHECK(cookies == (c.cookies ? 1 : 0));
    }
}
