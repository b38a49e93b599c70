// SPDX-License-Identifier: Apache-2.0
#include "configuration/toml_file.hpp"

#include <doctest/doctest.h>

using namespace apus::configuration;

TEST_CASE("TOML becomes a tree in the order of the file") {
    const struct {
        std::string_view toml, json;
    } cases[] = {
        {"", "{}"},
        {"# nothing\n", "{}"},
        {"\xef\xbb\xbf"
         "a = 1",
         R"({"a":1})"},
        {"b = 1\na = -2", R"({"b":1,"a":-2})"},
        {"a = 9223372036854775807\nb = 0x1f", R"({"a":9223372036854775807,"b":31})"},
        {"a = 1.5\nb = 1e300\nc = inf\nd = -nan", R"({"a":1.5,"b":1e+300,"c":"inf","d":"nan"})"},
        {"a = true\nb = false", R"({"a":true,"b":false})"},
        {"a = \"x\\u00e9\\\"\"\nb = 'c:\\d'", "{\"a\":\"x\xc3\xa9\\\"\",\"b\":\"c:\\\\d\"}"},
        {"a = 2026-11-22\nb = 12:30:00\nc = 2026-11-22T12:30:00Z\nd = 2026-11-22 12:30:00.5+02:00",
         R"({"a":"2026-11-22","b":"12:30:00","c":"2026-11-22T12:30:00Z","d":"2026-11-22T12:30:00.5+02:00"})"},
        {"a = [1, [2], {b = 3}]", R"({"a":[1,[2],{"b":3}]})"},
        {"[m]\nh = 1\n[m.n]\nx = 2\n[[l]]\na = 1\n[[l]]", R"({"m":{"h":1,"n":{"x":2}},"l":[{"a":1},{}]})"},
        {"a.b.c = 1\n\"x y\" = 2\n\"\" = 3", R"({"a":{"b":{"c":1}},"x y":2,"":3})"},
    };
    for (const auto& [toml, json] : cases) {
        CAPTURE(toml);
        const auto read = read_toml(toml, "shop.toml");
        REQUIRE(read);
        std::string printed;
        append_json(printed, *read);
        CHECK(printed == json);
    }
}

TEST_CASE("values have the line and column of their keys") {
    const auto read = read_toml("a = 1\n\n  [m]\n  b = [\n    1,\n  2]", "f");
    REQUIRE(read);
    const struct {
        std::string_view pointer;
        unsigned line, column;
    } cases[] = {{"/a", 1, 1}, {"/m", 3, 4}, {"/m/b", 4, 3}, {"/m/b/0", 5, 5}, {"/m/b/1", 6, 3}, {"/m/b/7", 4, 3}};
    for (const auto& [pointer, line, column] : cases) {
        CAPTURE(pointer);
        const origin& at = deepest(*read, pointer).at;
        CHECK(at.line == line);
        CHECK(at.column == column);
        CHECK(at.name == "f");
    }
}

TEST_CASE("invalid TOML is reported in one sentence, with its place and without values") {
    const std::string deep = "a" + std::string(4000, '.');
    const struct {
        std::string_view toml, begin;
    } cases[] = {
        {"a = 1\na = 2", "f:2:"},
        {"a = 1\n[a]", "f:2:"},
        {"[m]\n[m]", "f:2:"},
        {"a = supersecret", "f:1:"},
        {"a = supersecret\"", "f:1:"},
        {"a = 'supersecret", "f:1:"},
        {"a = \"supersecret\nb = 1", "f:1:"},
        {"a = \"supersecret\\q\"", "f:1:"},
        {"supersecret", "f:1:"},
        {"a supersecret", "f:1:"},
        {"a = 12supersecret", "f:1:"},
        {"a = truesupersecret", "f:1:"},
        {"a = 99999999999999999999", "f:1:"},
        {"a = \"\xff\"", "f:1:"},
        {"a = \"\xed\xa0\x80\"", "f:1:"},
        {std::string_view("\0", 1), "f:1:"},
        {"\x7f"
         "ELF\x02\x01",
         "f:1:"},
        {"a = \"\x01\"", "f:1:"},
        {"= 1", "f:1:"},
        {"a = 1\n[=]", "f:2:"},
        {"[.a]", "f:1:"},
        {"[\v", "f:1:"},
        {"a. = 1", "f:1:"},
        {"a = {= 1}", "f:1:"},
        {"a = [1", "f:1:"},
        {"{", "f:1:"},
        {deep, "f:1: nested deeper than 24 levels"},
    };
    for (const auto& [toml, begin] : cases) {
        CAPTURE(toml.substr(0, 40));
        const auto read = read_toml(toml, "f");
        REQUIRE(!read);
        CAPTURE(read.error());
        CHECK(read.error().starts_with(begin));
        CHECK(read.error().find("supersecret") == std::string::npos);
        CHECK(read.error().find('\n') == std::string::npos);
        CHECK(read.error().size() < 200);
    }
}
