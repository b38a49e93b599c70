// SPDX-License-Identifier: Apache-2.0
#include "postgres/program_types.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace apus;

namespace {

std::string number(std::uint32_t n) {
    return {static_cast<char>(n >> 24U), static_cast<char>(n >> 16U), static_cast<char>(n >> 8U), static_cast<char>(n)};
}

// Returns the body of a DataRow: type, kind, number of the field or 0, and the type to which it refers.
std::string row(std::uint32_t type, char kind, std::uint32_t field, std::uint32_t ref) {
    const std::string four = number(4);
    return std::string("\0\4", 2) + four + number(type) + number(1) + kind + four + number(field) + four + number(ref);
}

}  // namespace

TEST_CASE("types of the program: a server that sends rows without end is refused") {
    postgres::program_types known;
    CHECK_FALSE(known.read("short"));
    CHECK_FALSE(known.read(row(20'000, 'c', 1, 25)));  // a field of an unknown type
    CHECK(known.read(row(20'000, 'c', 0, 0)));
    CHECK(known.read(row(20'000, 'c', 1, 25)));
    CHECK(known.is_composite(postgres::oid(20'000)));
    CHECK(known.member(postgres::oid(20'000), 0) == postgres::oid::text);
    int read = 0;
    for (std::uint32_t type = 20'001; type < 20'100; ++type) {
        read += known.read(row(type, 'c', 0, 0));
        for (std::uint32_t field = 1; field <= 1'600; ++field) read += known.read(row(type, 'c', field, 25));
    }
    CHECK(read > 60'000);
    CHECK(read <= 65'536);
}
