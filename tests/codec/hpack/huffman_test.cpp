// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/huffman.hpp"

#include "codec/hpack/blocks.hpp"
#include "codec/hpack/huffman_code.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

using namespace apus::codec::hpack;
using apus::test::bytes_of;
using apus::test::hex_of;

namespace {

std::string written(std::string_view text) {
    std::string bytes(huffman_size(text), '\0');
    CHECK(write_huffman(bytes.data(), text) == bytes.data() + bytes.size());
    return bytes;
}

// Returns the text, or why it is rejected. All three ways to decode must agree.
std::string seen(std::string_view bytes) {
    static apus::test::page_end input(64 * 1024);
    static apus::test::page_end output(64 * 1024);
    const std::string_view in = input.place(bytes);
    const apus::codec::refusal* why = nullptr;
    const std::size_t size = measure_huffman(in, why);

    // The output buffer has the minimum size, and ends at the end of a page.
    char* begin = const_cast<char*>(output.place(std::string(max_huffman(in.size()), '?')).data());
    const huffman_text got = read_huffman(in, begin);
    CHECK(got.why == why);
    if (got.end == nullptr) return got.why->reason;
    const std::string text(begin, got.end);
    CHECK(text.size() == size);
    if (got.usual) CHECK(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; }));

    char* exact = const_cast<char*>(output.place(std::string(size, '?')).data());
    CHECK(read_huffman_exactly(in, exact).end == exact + size);
    CHECK(std::string_view(exact, size) == text);
    return text;
}

struct example {
    std::string_view text, hex;
};

constexpr example examples[] = {
    {"", ""},
    {"www.example.com", "f1e3c2e5f23a6ba0ab90f4ff"},
    {"no-cache", "a8eb10649cbf"},
    {"custom-value", "25a849e95bb8e8b4bf"},
    {"Mon, 21 Oct 2013 20:13:21 GMT", "d07abe941054d444a8200595040b8166e082a62d1bff"},
    {"foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
     "94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007"},
    {"0", "07"},
    {"&", "f8"},
    {"<", "fff9"},
    {"\n", "fffffff3"},  // a code of 30 bits
};

}  // namespace

TEST_CASE("Huffman code: texts and their codes") {
    for (const example& e : examples) {
        CAPTURE(e.text);
        CHECK(hex_of(written(e.text)) == e.hex);
        CHECK(seen(bytes_of(e.hex)) == e.text);
    }
}

TEST_CASE("Huffman code: each byte, alone and in long texts") {
    std::string all;
    for (int i = 0; i < 256; ++i) {
        const std::string one(1, static_cast<char>(i));
        CHECK(seen(written(one)) == one);
        for (std::size_t n = 0; n < 20; ++n)
            CHECK(seen(written(std::string(n, 'a') + one + "0t")) == std::string(n, 'a') + one + "0t");
        all += one;
    }
    CHECK(seen(written(all + all + all)) == all + all + all);
    // The last symbol has a code of each length, at every bit offset, after symbols with codes of each length.
    for (const std::string_view last : {"0", "a=", "%", "A", "&", "!", "|", "#", "\x7f", "\n", "\x80\x01"})
        for (std::size_t n = 0; n < 60; ++n)
            for (const char c : {'a', '-', ':', '&', '"', '$', '\\', '\x02'}) {
                const std::string text = std::string(n, c) + std::string(last);
                CHECK(seen(written(text)) == text);
            }
}

TEST_CASE("Huffman code: invalid input is rejected") {
    const std::string_view padding = "a Huffman string ends with invalid padding";
    const std::string_view end = "a Huffman string contains the end-of-string symbol";
    for (const std::string_view before : {"", "1f", "1c64 1c64 1c64 1c64 1c64"}) {
        CAPTURE(before);
        const auto behind = [&](std::string_view hex) { return seen(bytes_of(before) + bytes_of(hex)); };
        // "a" is 00011: the rest of the byte is padding.
        if (before == "1f") {
            CHECK(behind("ff") == padding);
            continue;
        }
        CHECK(behind("18") == padding);
        CHECK(behind("1e") == padding);
        CHECK(behind("1fff") == padding);
        CHECK(behind("ff") == padding);
        CHECK(behind("ffffff") == padding);
        CHECK(behind("ffffffff") == end);
        CHECK(behind("fffffffc") == end);
        CHECK(behind("ffffffff ffffffff ffffffff") == end);
        CHECK(behind("1fffffff ffffffff ffffffff") == end);
        CHECK(behind("fffffff3 00") == padding);
    }
}
