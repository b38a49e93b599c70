// SPDX-License-Identifier: Apache-2.0
#include "codec/crash/report.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus::codec::crash;

namespace {

std::string escaped(std::string_view text, std::size_t room = 100) {
    std::string made(room, '?');
    made.resize(escape(text, made));
    return made;
}

}  // namespace

TEST_CASE("crash reports: texts are escaped and unescaped") {
    CHECK(escaped("core 0") == "core 0");
    CHECK(escaped("a\tb\n%\x7f\xff") == "a%09b%0a%25%7f%ff");
    CHECK(unescaped("a%09b%0a%25%7f%ff") == "a\tb\n%\x7f\xff");
    CHECK(escaped("abcdef", 5) == "abc");
    CHECK(escaped("", 0).empty());
    for (const std::string_view incomplete : {"%", "%a", "%zz", "100%", "%2", "%2G"})
        CHECK(unescaped(incomplete) == incomplete);
}

TEST_CASE("crash reports: lines are parsed") {
    const auto line = parse("request\t0\tGET\t\t9f2c");
    REQUIRE(line);
    CHECK(line->key == "request");
    CHECK(line->fields[0] == "0");
    CHECK(line->fields[2].empty());
    CHECK(line->fields[3] == "9f2c");
    CHECK(line->fields[4].empty());
    CHECK(parse("end")->key == "end");
    CHECK(parse("k\t1\t2\t3\t4\t5\t6\t7\t8")->fields[7] == "8");
}

TEST_CASE("crash reports: invalid lines are rejected") {
    CHECK(parse("").error() == flaw::no_key);
    CHECK(parse("\tx").error() == flaw::no_key);
    CHECK(parse("k\t1\t2\t3\t4\t5\t6\t7\t8\t9").error() == flaw::too_many_fields);
    CHECK(parse("k\t\x1b[31m").error() == flaw::unprintable);
    CHECK(parse("k\r").error() == flaw::unprintable);
    CHECK(parse(std::string(max_line + 1, 'a')).error() == flaw::too_long);
}
