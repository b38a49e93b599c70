// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/encoder.hpp"

#include "codec/hpack/blocks.hpp"
#include "codec/hpack/literal.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>

using namespace apus::codec::hpack;
using apus::codec::fields::field_id;
using apus::test::hex_of;

namespace {

// Returns the writer's output as hexadecimal text.
template <class F>
std::string written(F write) {
    char room[8 * 1024];
    return hex_of({room, static_cast<std::size_t>(write(room) - room)});
}

std::string begun(encoder& e) {
    return written([&](char* to) { return e.begin_block(to); });
}
std::string indexed(encoder& e, std::string_view name, std::string_view value) {
    return written([&](char* to) { return e.write_indexed(to, name, value); });
}

constexpr fixed_field plain_text(field_id::content_type, "text/plain; charset=utf-8");
constexpr fixed_field digits(field_id::age, "X");

}  // namespace

TEST_CASE("HPACK encoder: the requests of RFC 7541, C.4") {
    encoder e;
    CHECK(begun(e) == "");
    CHECK(indexed(e, ":method", "GET") == "82");
    CHECK(indexed(e, ":path", "/") == "84");
    CHECK(indexed(e, ":authority", "www.example.com") == "418cf1e3c2e5f23a6ba0ab90f4ff");
    CHECK(indexed(e, ":authority", "www.example.com") == "be");
    CHECK(indexed(e, "cache-control", "no-cache") == "5886a8eb10649cbf");
    CHECK(indexed(e, ":path", "/index.html") == "85");
    CHECK(indexed(e, ":authority", "www.example.com") == "bf");
    CHECK(indexed(e, "custom-key", "custom-value") == "408825a849e95ba97d7f8925a849e95bb8e8b4bf");
    CHECK(indexed(e, "custom-key", "other") == "7e843a672d9f");
    CHECK(indexed(e, "accept-encoding", "") == "5000");
    CHECK(indexed(e, "accept-encoding", "gzip, deflate") == "90");
    CHECK(indexed(e, "via", "") == "bc");
}

TEST_CASE("HPACK encoder: the next block respects a new limit of the peer") {
    encoder e;
    CHECK(indexed(e, "a", "0") == "4001610130");
    e.set_peer_limit(100'000);
    CHECK(begun(e) == "");
    e.set_peer_limit(100);
    CHECK(begun(e) == "3f45");
    CHECK(begun(e) == "");
    CHECK(indexed(e, "a", "0") == "be");
    e.set_peer_limit(0);
    e.set_peer_limit(4096);
    CHECK(begun(e) == "203fe11f");
    CHECK(e.memory() == 0);
    CHECK(indexed(e, "a", "0") != "be");

    encoder unused(0);
    CHECK(begun(unused) == "");
    CHECK(indexed(unused, "a", "0") == "0001610130");
    unused.set_peer_limit(100);
    CHECK(begun(unused) == "20");
    unused.set_peer_limit(50);
    unused.set_peer_limit(5000);
    CHECK(begun(unused) == "");
    CHECK(unused.memory() == 0);

    encoder small(200);
    CHECK(begun(small) == "");
    small.set_peer_limit(4000);
    CHECK(begun(small) == "3fa901");
}

TEST_CASE("HPACK encoder: large fields are not added to the table") {
    encoder e;
    indexed(e, "a", "0");
    const std::string large(2100, 'x');
    CHECK(indexed(e, "b", large).starts_with("000162"));
    CHECK(indexed(e, "a", "0") == "be");
}

TEST_CASE("HPACK literals") {
    const auto status = [](unsigned of) { return written([of](char* to) { return write_status(to, of); }); };
    CHECK(status(200) == "88");
    CHECK(status(404) == "8d");
    CHECK(status(500) == "8e");
    CHECK(status(100) == "0803313030");
    CHECK(status(599) == "0803353939");
    const auto length = [](std::uint64_t n) { return written([n](char* to) { return write_content_length(to, n); }); };
    CHECK(length(0) == "0f0d0130");
    CHECK(length(1234567) == "0f0d0731323334353637");
    CHECK(length(std::numeric_limits<std::uint64_t>::max()) == "0f0d143138343436373434303733373039353531363135");

    const auto literal = [](auto... arguments) {
        return written([=](char* to) { return write_literal(to, arguments...); });
    };
    CHECK(literal(field_id::path, "/sample/path") == "040c2f73616d706c652f70617468");
    CHECK(literal("Content-Type", "x") == "0f100178");
    CHECK(literal("X-Key", "custom-value") == "0005782d6b65790c637573746f6d2d76616c7565");
    CHECK(literal("X-Key", "custom-value", coding::huffman) == "0005782d6b65798925a849e95bb8e8b4bf");
    CHECK(literal("password", "secret", coding::plain, indexing::never) == "100870617373776f726406736563726574");
    CHECK(literal("Set-Cookie", "a", coding::plain, indexing::never) == "1f280161");
    CHECK(literal(field_id::x_request_id, "1") == "000c782d726571756573742d69640131");
    const std::string name(300, 'N');
    CHECK(literal(std::string_view(name), "").starts_with("007fad016e6e"));

    char room[fixed_field::room];
    CHECK(hex_of({room, static_cast<std::size_t>(plain_text.append(room) - room)}) ==
          literal(field_id::content_type, "text/plain; charset=utf-8", coding::huffman));
    CHECK(hex_of({room, static_cast<std::size_t>(digits.append(room) - room)}) == "0f060158");
}
