// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/byte_range.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace apus::codec::fields;

namespace {

// Returns "0-4 10-19", "whole", or "416".
std::string seen(std::string_view field, std::uint64_t size) {
    std::array<byte_range, 4> parts{};
    const ranges_asked asked = read_ranges(field, size, parts);
    if (asked.kind == ranges_asked::what::whole) return "whole";
    if (asked.kind == ranges_asked::what::unsatisfiable) return "416";
    std::string out;
    for (std::size_t i = 0; i < asked.count; ++i)
        out += (i ? " " : "") + std::to_string(parts[i].first) + '-' + std::to_string(parts[i].last);
    return out;
}

struct row {
    std::string_view field;
    std::uint64_t size;
    std::string_view parts;
};

constexpr row rows[] = {
    {"bytes=0-499", 10'000, "0-499"},
    {"bytes=0-0", 10'000, "0-0"},
    {"bytes=500-", 10'000, "500-9999"},
    {"bytes=-500", 10'000, "9500-9999"},
    {"bytes=-1", 10'000, "9999-9999"},
    {"bytes=-20000", 10'000, "0-9999"},
    {"bytes=0-99999", 10'000, "0-9999"},
    {"bytes=9999-", 10'000, "9999-9999"},
    {"BYTES=1-2", 10'000, "1-2"},
    {"bytes= 1-2 ,\t400-500 ,", 10'000, "1-2 400-500"},
    {"bytes=0-0,-1", 10'000, "0-0 9999-9999"},
    {"bytes=5000-5001, 0-1", 10'000, "5000-5001 0-1"},
    // Unsatisfiable ranges.
    {"bytes=10000-", 10'000, "416"},
    {"bytes=10000-10001,99999-", 10'000, "416"},
    {"bytes=-0", 10'000, "416"},
    {"bytes=10000-,0-1", 10'000, "0-1"},
    {"bytes=18446744073709551616-", 10'000, "416"},
    {"bytes=99999999999999999999999999-", 10'000, "416"},
    {"bytes=1-99999999999999999999999999", 10'000, "1-9999"},
    {"bytes=-99999999999999999999999999", 10'000, "0-9999"},
    // Malformed fields, which are ignored.
    {"", 10'000, "whole"},
    {"bytes", 10'000, "whole"},
    {"bytes=", 10'000, "whole"},
    {"bytes=,,", 10'000, "whole"},
    {"bytes=-", 10'000, "whole"},
    {"bytes=5", 10'000, "whole"},
    {"bytes=5-4", 10'000, "whole"},
    {"bytes=a-b", 10'000, "whole"},
    {"bytes=0x1-2", 10'000, "whole"},
    {"bytes=1-2x", 10'000, "whole"},
    {"bytes=1 - 2", 10'000, "whole"},
    {"bytes=1--2", 10'000, "whole"},
    {"bytes=--1", 10'000, "whole"},
    {"bytes=+1-2", 10'000, "whole"},
    {"bytes=0-1,x", 10'000, "whole"},
    {"bytes=0-1;2-3", 10'000, "whole"},
    {"bytes =0-1", 10'000, "whole"},
    {"lines=0-1", 10'000, "whole"},
    {"bytes=0-", 0, "whole"},
    {"bytes=-5", 0, "whole"},
    // Overlapping ranges are merged; a field with too many ranges is ignored.
    {"bytes=0-99,50-149", 10'000, "0-149"},
    {"bytes=0-99,100-149", 10'000, "0-149"},
    {"bytes=0-99,179-199", 10'000, "0-199"},
    {"bytes=0-99,180-199", 10'000, "0-99 180-199"},
    {"bytes=0-99,300-399", 10'000, "0-99 300-399"},
    {"bytes=300-399,0-99,90-310", 10'000, "0-399"},
    {"bytes=1000-1001,0-1,500-501,100-900", 10'000, "1000-1001 0-1 100-900"},
    {"bytes=0-1,1000-1001,2000-2001,3000-3001", 10'000, "0-1 1000-1001 2000-2001 3000-3001"},
    {"bytes=0-1,1000-1001,2000-2001,3000-3001,4000-4001", 10'000, "whole"},
    {"bytes=0-,0-,0-,0-", 10'000, "whole"},
    {"bytes=0-,0-", 10'000, "0-9999"},
    {"bytes=0-,1-,2-", 10'000, "whole"},
    {"bytes=0-18446744073709551615", 18'446'744'073'709'551'615U, "0-18446744073709551614"},
};

}  // namespace

TEST_CASE("Range fields are parsed") {
    apus::test::page_end room(4096);
    for (const auto& [field, size, parts] : rows) {
        CAPTURE(field);
        CHECK(seen(room.place(field), size) == parts);
    }
}
