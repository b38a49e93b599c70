// SPDX-License-Identifier: Apache-2.0
#include "profiling/mapping.hpp"

#include <doctest/doctest.h>

#include <string_view>

using namespace apus::profiling;

TEST_CASE("lines of /proc/self/maps with code of files are parsed") {
    const auto m =
        parse_mapping("7f0000001000-7f0000003000 r-xp 00002000 fd:01 1234                       /opt/a shop");
    REQUIRE(m);
    CHECK(m->start == 0x7f0000001000);
    CHECK(m->end == 0x7f0000003000);
    CHECK(m->offset == 0x2000);
    CHECK(m->inode == 1234);
    CHECK(m->path == "/opt/a shop");
    CHECK(m->contains(0x7f0000001000));
    CHECK_FALSE(m->contains(0x7f0000003000));
}

TEST_CASE("other lines are ignored") {
    for (const std::string_view line :
         {"", "-", "7f00-7f01", "7f00-7f01 r-xp 0 fd:01 1234", "7f00-7f01 rw-p 0 fd:01 1234 /data",
          "7f01-7f00 r-xp 0 fd:01 1 /a", "7f00-7f01 r-xp 0 00:00 0 [vdso]", "x-y r-xp 0 fd:01 1234 /a",
          "7f00 r-xp 0 fd:01 1234 /a", "7f00-7f01 r- 0 fd:01 1234 /a", "7f00-7f01 r-xp z fd:01 1234 /a",
          "7f00-7f01 r-xp 0 fd:01 z /a", "ffffffffffffffffff-0 r-xp 0 fd:01 1 /a"})
        CHECK_FALSE(parse_mapping(line));
}

TEST_CASE("the file of a mapping is the mapped one") {
    CHECK(mapped_file({.start = 1, .end = 2, .path = "/nowhere"}).image() == nullptr);
    CHECK(mapped_file({.start = 1, .end = 2, .inode = 1, .path = "/etc/passwd"}).image() == nullptr);
    CHECK(mapped_file({.start = 1, .end = 2, .path = "/proc/self/mem"}).image() == nullptr);
}
