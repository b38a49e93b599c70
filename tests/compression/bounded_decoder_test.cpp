// SPDX-License-Identifier: Apache-2.0
#include "compression/bounded_decoder.hpp"

#include "compression/coded.hpp"

#include <doctest/doctest.h>

using apus::content_coding;
using apus::support::coded;
using apus::support::decoded;

namespace {

constexpr content_coding sent[] = {content_coding::gzip, content_coding::br, content_coding::zstd};

// Text with varying content, so that its compression ratio stays low.
std::string noise(std::size_t size) {
    std::string text;
    std::uint32_t state = 1;
    while (text.size() < size) text += static_cast<char>('a' + ((state = state * 1664525 + 1013904223) >> 28));
    return text;
}

}  // namespace

TEST_CASE("output is limited exactly to the bound") {
    const std::string text = noise(100'000);
    for (auto coding : sent) {
        CAPTURE(apus::coding_name(coding));
        const std::string bytes = coded(coding, text);
        CHECK(decoded(coding, bytes, {.size = 100'000}) == text);
        CHECK(decoded(coding, bytes, {.size = 99'999}) == "too large");
        CHECK(decoded(coding, bytes, {.size = 10}, 1, 1) == "too large");
    }
}

TEST_CASE("a decompression bomb is detected early") {
    const std::string zeros(50'000'000, '\0');
    for (auto coding : sent) {
        CAPTURE(apus::coding_name(coding));
        const std::string bomb = coded(coding, zeros);
        CHECK(bomb.size() * 500 < zeros.size());
        CHECK(decoded(coding, bomb, {.size = 1 << 20, .ratio = 1 << 30}) == "too large");
        CHECK(decoded(coding, bomb, {.size = 1 << 26}) == "too dense");
        apus::compression::bounded_decoder decoder(coding, {.size = 1 << 26});
        std::string room(4096, '\0');
        std::string_view in = bomb;
        std::size_t made = 0;
        for (auto step = decoder.take(in, room); step.state == apus::compression::bounded::partial;
             step = decoder.take(in, room)) {
            in.remove_prefix(step.used);
            made += step.made;
        }
        CHECK(made < 8'000'000);
    }
}

TEST_CASE("a bomb of many harmless members is detected") {
    std::string members;
    const std::string one = coded(content_coding::gzip, std::string(60'000, '\0'));
    for (int i = 0; i < 100; ++i) members += one;
    CHECK(decoded(content_coding::gzip, members, {.size = 1 << 26}) == "too dense");
    CHECK(decoded(content_coding::gzip, members, {.size = 1 << 20, .ratio = 10'000}) == "too large");
}

TEST_CASE("the ratio applies to long bodies only") {
    for (auto coding : sent) {
        CAPTURE(apus::coding_name(coding));
        const std::string zeros(60'000, '\0');
        CHECK(decoded(coding, coded(coding, zeros)) == zeros);
        const std::string dense = coded(coding, std::string(1'000'000, '\0'));
        CHECK(decoded(coding, dense, {.size = 1 << 20, .ratio = 1'000'000}).size() == 1'000'000);
    }
}
