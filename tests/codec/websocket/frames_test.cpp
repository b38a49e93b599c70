// SPDX-License-Identifier: Apache-2.0
#include "codec/websocket/accept_key.hpp"
#include "codec/websocket/close.hpp"
#include "codec/websocket/frame_head.hpp"
#include "codec/websocket/mask.hpp"

#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>

using namespace apus::codec;
using namespace apus::codec::websocket;
using namespace std::string_view_literals;

namespace {

// Returns "text final 5 used 6", "partial", or why the head is rejected. Opcode names as in RFC 6455, 11.8.
std::string seen(std::string_view in, frame_rules rules) {
    static apus::test::page_end room(64);
    const auto got = read_frame_head(room.place(in), rules);
    if (got.state == outcome::partial) return "partial";
    if (got.state == outcome::bad) return got.why->reason;
    constexpr std::string_view names[] = {"continuation", "text", "binary", "", "", "", "", "",
                                          "close",        "ping", "pong"};
    std::string text(names[static_cast<unsigned>(got.value.what)]);
    if (got.value.final) text += " final";
    if (got.value.compressed) text += " compressed";
    return text + " " + std::to_string(got.value.size) + " used " + std::to_string(got.used);
}

struct example {
    std::string_view bytes, seen;
    frame_rules rules = {};
};

constexpr frame_rules of_server{.masked = false, .compressed = false};
constexpr frame_rules deflated{.masked = true, .compressed = true};

constexpr example examples[] = {
    {"\x81\x85\x37\xfa\x21\x3d", "text final 5 used 6"},
    {"\x01\x83\1\2\3\4", "text 3 used 6"},
    {"\x80\x82\1\2\3\4", "continuation final 2 used 6"},
    {"\x89\x80\1\2\3\4", "ping final 0 used 6"},
    {"\x8a\xfd\1\2\3\4", "pong final 125 used 6"},
    {"\x88\x82\1\2\3\4", "close final 2 used 6"},
    {"\x82\xfe\x01\x00\1\2\3\4"sv, "binary final 256 used 8"},
    {"\x82\xff\x00\x00\x00\x00\x00\x01\x00\x00\1\2\3\4"sv, "binary final 65536 used 14"},
    {"\x82\x05"sv, "binary final 5 used 2", of_server},
    {"\x82\x7e\x00\x7e"sv, "binary final 126 used 4", of_server},
    {"\xc1\x85\1\2\3\4", "text final compressed 5 used 6", deflated},
    {"\x80\x85\1\2\3\4", "continuation final 5 used 6", deflated},
    {"", "partial"},
    {"\x81", "partial"},
    {"\x81\x85\x37\xfa\x21", "partial"},
    {"\x82\xfe\x01"sv, "partial"},
    {"\x82\xff\x00\x00\x00\x00\x00\x01\x00"sv, "partial"},

    {"\xa1\x85\1\2\3\4", "a frame has a reserved bit set, but no extension defines it"},
    {"\x91"sv, "a frame has a reserved bit set, but no extension defines it"},
    {"\xc1\x85\1\2\3\4", "a frame has a reserved bit set, but no extension defines it"},
    {"\x83\x85\1\2\3\4", "a frame has a reserved opcode"},
    {"\x87", "a frame has a reserved opcode"},
    {"\x8b\x85\1\2\3\4", "a frame has a reserved opcode"},
    {"\x8f\x85\1\2\3\4", "a frame has a reserved opcode"},
    {"\x09\x80\1\2\3\4", "a control frame is fragmented"},
    {"\x08\x80\1\2\3\4", "a control frame is fragmented"},
    {"\x89\xfe\x00\x7e"sv, "a control frame has more than 125 bytes"},
    {"\x88\xff"sv, "a control frame has more than 125 bytes"},
    {"\x81\x05hello", "a frame from a client is not masked"},
    {"\x81\x85\1\2\3\4", "a frame from a server is masked", of_server},
    {"\x82\xfe\x00\x7d\1\2\3\4"sv, "the length of a frame is not minimally encoded"},
    {"\x82\xff\x00\x00\x00\x00\x00\x00\xff\xff\1\2\3\4"sv, "the length of a frame is not minimally encoded"},
    {"\x82\xff\x00\x00\x00\x00\x00\x00\x00\x05"sv, "the length of a frame is not minimally encoded"},
    {"\x82\xff\x80\x00\x00\x00\x00\x01\x00\x00\1\2\3\4"sv, "the length of a frame has its highest bit set"},
    {"\xc9\x80\1\2\3\4", "a control frame is marked as compressed", deflated},
    {"\xc0\x80\1\2\3\4", "a continuation frame is marked as compressed", deflated},
};

std::string close_seen(std::string_view payload) {
    const auto got = read_close(payload);
    if (got.state == outcome::bad) return got.why->reason;
    return std::to_string(got.value.code) + ":" + std::string(got.value.text);
}

}  // namespace

TEST_CASE("frame headers") {
    for (const auto& e : examples) {
        CAPTURE(e.bytes);
        CHECK(seen(e.bytes, e.rules) == e.seen);
    }
}

TEST_CASE("every prefix of a valid frame header is partial, and written headers parse back") {
    for (const std::uint64_t size : {0ULL, 1ULL, 125ULL, 126ULL, 127ULL, 65'535ULL, 65'536ULL, 1ULL << 40}) {
        for (const bool masked : {false, true}) {
            const frame_head head{size, 0x04030201, opcode::binary, true, false};
            char bytes[max_frame_head];
            const char* end = masked ? write_masked_frame_head(bytes, head) : write_frame_head(bytes, head);
            const std::string_view written(bytes, static_cast<std::size_t>(end - bytes));
            for (std::size_t n = 0; n < written.size(); ++n)
                CHECK(seen(written.substr(0, n), {masked, false}) == "partial");
            const auto got = read_frame_head(written, {masked, false});
            CHECK(got.value.size == size);
            CHECK(got.used == written.size());
            CHECK(got.value.mask == (masked ? head.mask : 0));
        }
    }
}

TEST_CASE("unmasking agrees with the byte-wise definition") {
    std::uint32_t mask;
    std::memcpy(&mask, "\x37\xfa\x21\x3d", 4);
    char hello[] = "\x7f\x9f\x4d\x51\x58";
    apply_mask(hello, 5, mask);
    CHECK(hello == "Hello"sv);  // RFC 6455, 5.7
    for (std::size_t size = 0; size < 80; ++size) {
        for (std::uint64_t offset = 0; offset < 5; ++offset) {
            std::string bytes(size, 'x');
            apply_mask(bytes.data(), size, mask, offset);
            for (std::size_t i = 0; i < size; ++i)
                CHECK(bytes[i] == static_cast<char>('x' ^ "\x37\xfa\x21\x3d"[(i + offset) % 4]));
        }
    }
}

TEST_CASE("payloads of Close frames") {
    CHECK(close_seen("") == "1005:");
    CHECK(close_seen("\x03\xe8") == "1000:");
    CHECK(close_seen("\x03\xe9going") == "1001:going");
    CHECK(close_seen("\x03") == "a Close frame has a payload of one byte: a close code has two bytes");
    CHECK(close_seen("\x03\xe8\xff") == "a text message is invalid UTF-8");
    for (const unsigned code : {0U, 999U, 1004U, 1005U, 1006U, 1015U, 1016U, 1100U, 2000U, 2999U, 5000U, 65'535U})
        CHECK_FALSE(may_be_sent(code));
    for (const unsigned code : {1000U, 1001U, 1002U, 1003U, 1007U, 1011U, 1012U, 1014U, 3000U, 3999U, 4000U, 4999U})
        CHECK(may_be_sent(code));
    char payload[max_control_size];
    const std::string reason = std::string(122, 'r') + "\xe2\x82\xac";
    CHECK(write_close(payload, {1000, reason}) == payload + 124);  // the euro sign no longer fits
}

TEST_CASE("Sec-WebSocket-Accept for a key") {
    const auto text = accept_key("dGhlIHNhbXBsZSBub25jZQ==");
    CHECK(std::string_view(text.data(), text.size()) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");  // RFC 6455, 1.3
    CHECK(is_key("dGhlIHNhbXBsZSBub25jZQ=="));
    for (const auto bad : {"", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZR==", "dGhlIHNhbXBsZSBub25jZQ=-",
                           "dGhl HNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZSBhbmQ="})
        CHECK_FALSE(is_key(bad));
}
