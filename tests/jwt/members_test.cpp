// SPDX-License-Identifier: Apache-2.0
#include "jwt/members.hpp"

#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::jwt;

namespace {

// Returns "name=value" for each member, or "none".
std::string seen(std::string_view text, bounds most = {}) {
    apus::test::page_end room(100'000);
    const auto read = read_members(room.place(text), most);
    if (!read) return "none";
    std::string out;
    for (const member& m : *read) out += (out.empty() ? "" : " ") + m.name + '=' + std::string(m.value);
    return out;
}

std::string text_seen(std::string_view json) {
    const std::string whole = "{\"x\":" + std::string(json) + "}";
    const auto read = read_members(whole);
    return read ? text_of(read->front()).value_or("no text") : "none";
}

std::string number_seen(const std::string& json) {
    const std::string whole = "{\"x\":" + json + "}";
    const auto read = read_members(whole);
    if (!read) return "none";
    const auto number = seconds_of(read->front());
    return number ? std::to_string(*number) : "no time";
}

}  // namespace

TEST_CASE("members of an object") {
    CHECK(seen("{}").empty());
    CHECK(seen(" {\t\r\n} ").empty());
    CHECK(seen(R"({"a":1,"b":"x","c":[1,{}],"d":{"a":null},"e":true,"f":false,"":-0.5e+7})") ==
          R"(a=1 b="x" c=[1,{}] d={"a":null} e=true f=false =-0.5e+7)");
    CHECK(seen(R"({ "a" : [ ] , "b" : { } })") == "a=[ ] b={ }");
}

TEST_CASE("objects with duplicate members and other values are rejected") {
    // clang-format off
    for (const std::string_view text : {
        "", " ", "{", "}", "[]", "1", "\"a\"", "null", "{}{}", "{},", "{}x", R"({"a"})", R"({"a":})", R"({"a":1)",
        R"({"a":1,})", R"({,"a":1})", R"({"a":1 "b":2})", R"({a:1})", R"({'a':1})", R"({"a":1,"a":2})",
        R"({"a":{"b":1,"b":1}})", R"({"a":[{"b":1,"b":1}]})", R"({"a":[1,]})", R"({"a":[,1]})", R"({"a":[1 2]})",
        R"({"a":(1)})", R"({"a":[1})", R"({"a":[}])", R"({"a":tru})", R"({"a":True})", R"({"a":nul})",
        R"({"a":truefalse})", R"({"a":+1})", R"({"a":.5})", R"({"a":5.})", R"({"a":01})", R"({"a":1e})",
        R"({"a":1e+})", R"({"a":-})", R"({"a":0x1})", R"({"a":Infinity})", R"({"a":"\x"})", R"({"a":"\u12"})",
        R"({"a":"\u12g4"})", R"({"a":"\ud800"})", R"({"a":"\udc00"})", R"({"a":"\ud800\ud800"})",
        R"({"a":"\ud800x"})", R"({"a":"\)", R"({"a":"\u)", R"({"a":"b)", "{\"a\":\"\t\"}", "{\"a\":\"\xc0\x80\"}",
        "{\"a\":\"\xff\"}", "{\"a\":\"\xed\xa0\x80\"}", "{\"\xff\":1}", "{\"a\":1}\v", "/**/{}"
    })
        // clang-format on
        CHECK_MESSAGE(seen(text) == "none", text);
}

TEST_CASE("bounds") {
    const auto deep = [](std::size_t n) { return "{\"a\":" + std::string(n, '[') + std::string(n, ']') + "}"; };
    CHECK(seen(deep(8)) != "none");
    CHECK(seen(deep(9)) == "none");
    CHECK(seen(deep(40'000)) == "none");
    std::string many = "{\"a\":[1";
    for (int i = 2; i < 256; ++i) many += ",1";
    CHECK(seen(many + "]}") != "none");
    CHECK(seen(many + ",1]}") == "none");
    CHECK(seen(many + ",1]}", {.members = 257}) != "none");
}

TEST_CASE("characters of a string") {
    CHECK(text_seen(R"("a\"\\\/\b\f\n\r\tz")") == "a\"\\/\b\f\n\r\tz");
    CHECK(text_seen(R"("\u0041\u00e4\u20ac\ud83d\ude00")") == "A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK(text_seen(R"("\u0000")") == std::string(1, '\0'));
    CHECK(text_seen("1") == "no text");
    CHECK(text_seen("[\"a\"]") == "no text");
}

TEST_CASE("numbers as seconds") {
    CHECK(number_seen("0") == "0");
    CHECK(number_seen("1.9") == "1");
    CHECK(number_seen("1.8e9") == "1800000000");
    CHECK(number_seen("9007199254740991") == "9007199254740991");
    for (const char* text : {"9007199254740992", "-1", "-0.5", "1e400", "1e308", "123456789012345678901234567890",
                             "\"1\"", "null", "true", "[]"})
        CHECK(number_seen(text) == "no time");
}
