// SPDX-License-Identifier: Apache-2.0
#include "codec/url/percent.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::codec;
using namespace std::string_view_literals;

namespace {

struct decoded {
    std::string_view in;
    std::string_view out;
};

constexpr decoded good[] = {
    {"", ""},
    {"/plain/path", "/plain/path"},
    {"%41%62c", "Abc"},
    {"a+b%2Bc", "a+b+c"},
    {"%252e", "%2e"},
    {"%2F%2e%2E", "/.."},
    {"caf%C3%a9", "caf\xc3\xa9"},
    {"%e2%82%ac and %F0%9F%90%A6", "\xe2\x82\xac and \xf0\x9f\x90\xa6"},
    {"%0d%0a", "\r\n"},
    {"%7f", "\x7f"},
    {"%f4%8f%bf%bf", "\xf4\x8f\xbf\xbf"},
};

struct refused {
    std::string_view in;
    const refusal* why;
};

constexpr refused bad[] = {
    {"%", &url::bad_triplet},         {"a%4", &url::bad_triplet},    {"%zz", &url::bad_triplet},
    {"%4g", &url::bad_triplet},       {"%%41", &url::bad_triplet},   {"%00", &url::encoded_nul},
    {"a\0b"sv, &url::encoded_nul},    {"%c0%af", &url::not_utf8},    {"%c3", &url::not_utf8},
    {"%c3%41", &url::not_utf8},       {"%80", &url::not_utf8},       {"%ff", &url::not_utf8},
    {"%e0%80%80", &url::not_utf8},    {"%ed%a0%80", &url::not_utf8}, {"%f0%80%80%80", &url::not_utf8},
    {"%f4%90%80%80", &url::not_utf8}, {"%e2%82", &url::not_utf8},    {"%e2%82abcdefgh", &url::not_utf8},
    {"%f5%80%80%80", &url::not_utf8}, {"\xe9", &url::not_utf8},      {"abcdefghijklmnop%e9", &url::not_utf8},
};

}  // namespace

TEST_CASE("percent-encoding is decoded once, into another buffer or in place") {
    apus::test::page_end room(4096);
    for (const auto& [in, out] : good) {
        CAPTURE(in);
        std::string buffer(in.size(), 'x');
        const auto apart = url::decode_percent(room.place(in), buffer.data());
        CHECK(apart.state == outcome::done);
        CHECK(apart.value == out);
        CHECK(apart.used == in.size());

        std::string same(in);
        CHECK(url::decode_percent(same, same.data()).value == out);
    }
}

TEST_CASE("input that does not decode to UTF-8 without NUL is rejected") {
    for (const auto& [in, why] : bad) {
        CAPTURE(in);
        std::string buffer(in.size(), 'x');
        const auto seen = url::decode_percent(in, buffer.data());
        CHECK(seen.state == outcome::bad);
        REQUIRE(seen.why != nullptr);
        CHECK(std::string_view(seen.why->reason) == why->reason);
        CHECK(seen.why->status == 400);
    }
}

TEST_CASE("dot segments are found, names with dots are not") {
    for (const std::string_view path : {".", "..", "/..", "/../x", "/a/./b", "/a/..", "../x", "a//.."})
        CHECK_MESSAGE(url::has_dot_segment(path), path);
    for (const std::string_view path : {"", "/", "/...", "/a.b/..c/d..", "/.well-known", "//"})
        CHECK_MESSAGE(!url::has_dot_segment(path), path);
}
