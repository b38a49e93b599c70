// SPDX-License-Identifier: Apache-2.0
#include "base/sized_text.hpp"

#include <doctest/doctest.h>

using namespace apus::base;

TEST_CASE("numbers in stored bytes are little-endian") {
    const struct {
        std::uint64_t n;
        unsigned bytes;
        std::string_view stored;
    } rows[] = {{0, 2, std::string_view("\0\0", 2)},
                {0x1ff, 2, "\xff\x01"},
                {0x12345678, 2, "\x78\x56"},  // the lowest bytes
                {0xfffffffffffffffe, 8, "\xfe\xff\xff\xff\xff\xff\xff\xff"}};
    for (const auto& r : rows) {
        std::string made;
        put_number(made, r.n, r.bytes);
        CHECK(made == r.stored);
        std::string_view rest = made;
        const std::uint64_t mask = r.bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * r.bytes) - 1;
        CHECK(take_number(rest, r.bytes) == (r.n & mask));
        CHECK(rest.empty());
    }
}

TEST_CASE("texts in stored bytes end where their size says, or are incomplete") {
    std::string made;
    put_text(made, "room", 4);
    put_text(made, "", 2);
    std::string_view rest = made;
    CHECK(take_text(rest, 4) == "room");
    CHECK(take_text(rest, 2) == "");
    CHECK_FALSE(take_text(rest, 2));
    for (std::size_t size = 0; size < 8; ++size) {
        rest = std::string_view(made).substr(0, size);
        CHECK_FALSE(take_text(rest, 4));
    }
    rest = "\xff\xff\xff\xffx";
    CHECK_FALSE(take_text(rest, 4));
}
