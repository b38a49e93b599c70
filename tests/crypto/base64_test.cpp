// SPDX-License-Identifier: Apache-2.0
#include "crypto/base64.hpp"

#include "crypto/random.hpp"

#include <doctest/doctest.h>

using namespace apus::crypto;
using namespace std::string_view_literals;

TEST_CASE("base64: the vectors of RFC 4648, 10, both ways") {
    const struct {
        std::string_view bytes, text;
    } rows[] = {{"", ""},
                {"f", "Zg=="},
                {"fo", "Zm8="},
                {"foo", "Zm9v"},
                {"foob", "Zm9vYg=="},
                {"fooba", "Zm9vYmE="},
                {"foobar", "Zm9vYmFy"},
                {"\xfb\xff\xbf"sv, "+/+/"}};
    for (const auto& row : rows) {
        CAPTURE(row.text);
        CHECK(base64(row.bytes) == row.text);
        CHECK(decode_base64(row.text) == std::string(row.bytes));
    }
    CHECK(base64url("\xfb\xff\xbf"sv) == "-_-_");
    CHECK(base64url("f") == "Zg");
    CHECK(decode_base64url("Zg") == "f");
}

TEST_CASE("base64: non-canonical encodings are rejected") {
    for (auto text : {"Zg"sv, "Zg="sv, "Zg==="sv, "Zh=="sv, "Z"sv, "Zg== "sv, " Zg=="sv, "Zm 9v"sv, "Zm9v\n"sv,
                      "-_-_"sv, "===="sv, "Zg==Zg=="sv, "Zm9v\0"sv}) {
        CAPTURE(text);
        CHECK_FALSE(decode_base64(text));
    }
    // libsodium 1.0.18 accepts bytes over 127 as characters of the alphabet.
    for (auto text : {"Zm9\xc3"sv, "\xff\xff\xff\xff"sv, "Zg=="sv, "Zh"sv, "Z"sv, "+/+/"sv, "Zm9v "sv, "Zm9vY"sv}) {
        CAPTURE(text);
        CHECK_FALSE(decode_base64url(text));
    }
}

TEST_CASE("base64: encoding and decoding round-trip at every size") {
    for (std::size_t size = 0; size < 200; ++size) {
        const std::string bytes = random_bytes(size);
        CHECK(decode_base64(base64(bytes)) == bytes);
        CHECK(decode_base64url(base64url(bytes)) == bytes);
    }
}
