// SPDX-License-Identifier: Apache-2.0
#include "http/h2/rate_limiter.hpp"
#include "http/h2/exchange.hpp"
#include "http/h2/frame_reader.hpp"
#include "http/h2/header_block.hpp"
#include "http/h2/send_queue.hpp"
#include "http/h2/stream_table.hpp"
#include "http/h2/stream_history.hpp"
#include "http/h2/frames.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <utility>

using namespace apus::http::h2;
namespace h2 = apus::test::h2;

TEST_CASE("a rate limiter is used up at once, and grows by a tenth each second") {
    rate_limiter a(20);
    for (int i = 0; i < 20; ++i) CHECK(a.take(1000));
    CHECK(!a.take(1000));
    CHECK(!a.take(1400));
    CHECK(a.take(1500));
    CHECK(!a.take(1500));
    a.refund(2);
    CHECK((a.take(1500) && a.take(1500)));
    CHECK(!a.take(1500));
    int after_long = 0;
    while (a.take(1'000'000)) ++after_long;
    CHECK(after_long == 20);
}

TEST_CASE("the result of a stream is remembered for a limited time") {
    stream_history h;
    h.finished_by_client(1);
    h.reset_by_server(3);
    CHECK((h.was_finished(1) && h.was_reset(3)));
    CHECK(!(h.was_finished(3) || h.was_reset(1)));
    for (std::uint32_t id = 5; id < 100; id += 2) h.finished_by_client(id);
    CHECK(!h.was_finished(1));
}

TEST_CASE("frames are parsed, however the bytes are split") {
    using namespace std::literals;
    // SETTINGS with six bytes, a frame of unknown type, DATA with padding, and a frame with the reserved bit set.
    const std::string bytes = std::string(h2::preface) +
                              "\0\0\6\4\0\0\0\0\0abcdef"
                              "\0\0\2\x77\1\0\0\0\5uu"
                              "\0\0\6\0\x9\0\0\0\5\2xyz\0\0"
                              "\0\0\0\0\1\0\0\0\5"
                              "\0\0\0\4\1\x80\0\1\0"s;
    for (std::size_t cut = 1; cut <= bytes.size(); ++cut) {
        frame_reader reader;
        std::string seen, body;
        std::uint32_t padding = 0;
        for (std::size_t at = 0; at < bytes.size(); at += cut) {
            std::string_view piece = std::string_view(bytes).substr(at, cut);
            frame_reader::item in;
            for (auto s = reader.next(piece, in); s != frame_reader::step::more; s = reader.next(piece, in)) {
                if (s == frame_reader::step::head)
                    seen += std::to_string(in.head.length) + " " + std::to_string(static_cast<int>(in.head.type)) +
                            " " + std::to_string(in.head.flags) + " " + std::to_string(in.head.stream) + ";";
                if (s == frame_reader::step::frame) seen += std::string(in.payload) + ";";
                if (s == frame_reader::step::data) body += in.payload, padding += in.padding;
                if (s == frame_reader::step::data && in.ends)
                    seen += body + std::to_string(std::exchange(padding, 0)) + ";", body = "";
            }
        }
        CHECK(seen == "6 4 0 0;abcdef;2 119 1 5;6 0 9 5;xyz3;0 0 1 5;0;0 4 1 256;;");
        CHECK(!reader.inside());
    }
}

TEST_CASE("an invalid preface, and padding longer than its frame, are detected at the first byte") {
    using namespace std::literals;
    using step = frame_reader::step;
    frame_reader::item in;
    std::string_view wrong = "PRI * HTTP/2.0\r\n\r\nXX";
    CHECK(frame_reader().next(wrong, in) == step::invalid_preface);
    frame_reader reader;
    const std::string bytes = std::string(h2::preface) + "\0\0\3\0\x8\0\0\0\1\3xy"s;
    std::string_view rest = bytes;
    CHECK(reader.next(rest, in) == step::head);
    CHECK(reader.next(rest, in) == step::invalid_padding);
}

TEST_CASE("streams are found until they are removed") {
    stream_table table;
    CHECK(table.find(1) == nullptr);
    h2_exchange all[40];
    // Some of these streams have the same slot in the hash table.
    for (std::uint32_t i = 0; i < 40; ++i) {
        all[i].stream = (i % 2 ? i : i * 64) * 2 + 1;
        table.insert(all[i]);
    }
    for (std::uint32_t gone = 0; gone < 40; ++gone) {
        table.erase(all[gone * 7 % 40]);
        for (std::uint32_t i = 0; i < 40; ++i) {
            bool there = true;
            for (std::uint32_t k = 0; k <= gone; ++k) there = there && k * 7 % 40 != i;
            CHECK(table.find(all[i].stream) == (there ? &all[i] : nullptr));
        }
    }
    CHECK(table.memory() > 0);
    table.release();
    CHECK(table.memory() == 0);
}

TEST_CASE("the send queue keeps the order of urgency, and of arrival") {
    h2_exchange x[5];
    constexpr std::uint8_t urgencies[] = {3, 1, 3, 7, 1};
    send_queue queue;
    for (std::uint32_t i = 0; i < 5; ++i) {
        x[i].order.urgency = urgencies[i];
        x[i].stream = i;
        queue.add(x[i]);
        queue.add(x[i]);
    }
    queue.move_back(x[1]);
    std::string seen;
    while (!queue.empty()) {
        seen += std::to_string(queue.front().stream);
        queue.remove(queue.front());
    }
    queue.remove(x[0]);
    CHECK(seen == "41023");
}

TEST_CASE("a header block larger than a frame continues in CONTINUATION frames") {
    namespace http2 = apus::codec::http2;
    for (const std::size_t size : {0U, 1U, 16'384U, 16'385U, 40'000U}) {
        std::string block;
        for (std::size_t i = 0; i < size; ++i) block += static_cast<char>(i % 251);
        std::string frames(block_room(size), 'f');
        std::memcpy(frames.data() + 9, block.data(), size);
        frames.resize(static_cast<std::size_t>(
            frame_block(frames.data(), frames.data() + 9 + size, 7, http2::flag_end_stream) - frames.data()));
        std::string joined;
        int count = 0;
        for (std::size_t at = 0; at < frames.size(); ++count) {
            const http2::frame_head head = http2::read_frame_head(frames.data() + at);
            CHECK(head.stream == 7);
            CHECK(head.type == (count ? http2::frame_type::continuation : http2::frame_type::headers));
            CHECK(head.length <= 16'384);
            joined += frames.substr(at + 9, head.length);
            at += 9 + head.length;
            CHECK(head.flags == (count ? 0 : http2::flag_end_stream) + (at == frames.size() ? 4 : 0));
        }
        CHECK((joined == block));
        CHECK(count == static_cast<int>(size > 16'384 ? (size + 16'383) / 16'384 : 1));
    }
}

TEST_CASE("a reset exchange has no old state, and keeps little memory") {
    h2_exchange x;
    x.unframed = std::string(100'000, 'x');
    x.file_left = 5;
    x.at = apus::http::stage::complete;
    x.tunnel = true;
    x.reset();
    CHECK(x.waiting() == 0);
    CHECK(!(x.responded() || x.tunnel));
    CHECK(x.unframed.capacity() < 100);
}

TEST_CASE("the position within a frame is known after each byte") {
    using namespace std::literals;
    // Expected state at each byte: '.' between frames, 'f' in a frame, 'd' in a DATA frame.
    const std::string bytes = "\0\0\2\0\1\0\0\0\5ab\0\0\1\1\0\0\0\0\7x\0\0\1\x9\4\0\0\0\7y\0\0\0\6\0\0\0\0\0"s;
    const std::string kinds = std::string(8, 'f') + "dd." + std::string(19, 'f') + "." + std::string(8, 'f') + ".";
    frame_reader reader;
    const auto take = [&reader](std::string_view piece) {
        frame_reader::item in;
        while (reader.next(piece, in) != frame_reader::step::more) {}
    };
    take(h2::preface.substr(0, 23));
    CHECK(reader.inside());
    take(h2::preface.substr(23));
    std::string seen;
    for (const char& c : bytes) {
        take({&c, 1});
        seen += !reader.inside() ? '.' : reader.inside_data() ? 'd' : 'f';
    }
    CHECK(seen == kinds);
    CHECK(reader.number() == 3);  // all frames of a header block count as one
}

namespace {

struct lengths {
    const char* what;
    std::size_t path, authority, field, cookie, cookies;
    int status;  // status of the refusal; 0: accepted
};

const apus::codec::refusal* take_fields(request_fields& fields, apus::codec::http1::request_head& head,
                                        const lengths& c) {
    static constexpr apus::codec::http1::head_limits greatest{32'768, 128, 32'768};
    const auto add = [&](std::string_view name, const std::string& value) {
        apus::codec::hpack::field f{};
        f.name = name;
        f.value = value;
        f.id = apus::codec::fields::find_field_id(name);
        if (fields.wants_more()) fields.add(f, greatest, head);
    };
    fields.begin();
    add(":method", "GET");
    add(":scheme", "http");
    add(":path", "/" + std::string(c.path - 1, 'p'));
    add(":authority", std::string(c.authority, 'a'));
    for (std::size_t i = 0; i < c.cookies; ++i)
        add("cookie", std::string(c.cookie > 10 ? c.cookie - 10 : c.cookie, 'c'));
    add("x-field", std::string(c.field, 'f'));
    known_authority none;
    const auto* why = fields.finish(head, none);
    CHECK(!fields.malformed());
    return why;
}

}  // namespace

TEST_CASE("fields fit into 16-bit slices at the maximum limits, or are rejected") {
    const lengths cases[] = {
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
    request_fields fields;
    apus::codec::http1::request_head head;
    for (const auto& c : cases) {
        CAPTURE(std::string(c.what));
        const apus::codec::refusal* why = take_fields(fields, head, c);
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
