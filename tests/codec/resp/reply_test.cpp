// SPDX-License-Identifier: Apache-2.0
#include "codec/resp/reply.hpp"

#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace apus::codec::resp;
using apus::codec::outcome;
using apus::codec::refusal;

namespace {

/// Returns a reply as text: "[1, text, {a: nil}]".
std::string shown(std::string_view& from) {
    const element e = take_element(from);
    const auto items = [&](char open, char close) {
        std::string text(1, open);
        for (std::size_t i = 0; i < e.count; ++i) text += (i ? " " : "") + shown(from);
        return text + close;
    };
    switch (e.what) {
        case kind::text: return "'" + std::string(e.text) + "'";
        case kind::error: return "!" + std::string(e.text);
        case kind::integer: return std::to_string(e.integer);
        case kind::real:
        case kind::big_number: return std::string(e.text);
        case kind::boolean: return e.integer ? "true" : "false";
        case kind::null: return "nil";
        case kind::list: return items('[', ']');
        case kind::set: return items('(', ')');
        case kind::map: return items('{', '}');
        case kind::push: return items('>', '<');
        case kind::attributes: return "?";
    }
    return {};
}

std::string nested(std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += "*1\r\n";
    return text + ":1\r\n";
}

const refusal* refused(std::string_view in, const reply_limits& most = {}) {
    const auto got = reply_scanner(most).scan(in);
    CHECK_MESSAGE(got.state == outcome::bad, std::string(in.substr(0, 40)));
    CHECK(got.used == 0);
    return got.why;
}

struct example {
    std::string bytes, shown;
};

const std::vector<example> replies = {
    {"+OK\r\n", "'OK'"},
    {"+\r\n", "''"},
    {"-WRONGTYPE Operation\r\n", "!WRONGTYPE Operation"},
    {":42\r\n", "42"},
    {":+7\r\n", "7"},
    {":-9223372036854775808\r\n", "-9223372036854775808"},
    {"$5\r\nhello\r\n", "'hello'"},
    {"$0\r\n\r\n", "''"},
    {"$4\r\n\r\n\r\n\r\n", "'\r\n\r\n'"},
    {"$-1\r\n", "nil"},
    {"*-1\r\n", "nil"},
    {"_\r\n", "nil"},
    {"#t\r\n", "true"},
    {"#f\r\n", "false"},
    {",1.5\r\n", "1.5"},
    {",-1e300\r\n", "-1e300"},
    {",1e999\r\n", "1e999"},
    {",inf\r\n", "inf"},
    {",-inf\r\n", "-inf"},
    {",nan\r\n", "nan"},
    {"(-3492890328409238509324850943850943825024385\r\n", "-3492890328409238509324850943850943825024385"},
    {"!21\r\nSYNTAX invalid syntax\r\n", "!SYNTAX invalid syntax"},
    {"=8\r\ntxt:some\r\n", "'some'"},
    {"=4\r\ntxt:\r\n", "''"},
    {"*0\r\n", "[]"},
    {"*3\r\n:1\r\n$1\r\na\r\n*1\r\n_\r\n", "[1 'a' [nil]]"},
    {"*2\r\n*0\r\n*0\r\n", "[[] []]"},
    {"~2\r\n+a\r\n+b\r\n", "('a' 'b')"},
    {"%2\r\n+a\r\n:1\r\n+b\r\n%0\r\n", "{'a' 1 'b' {}}"},
    {">3\r\n+message\r\n+c\r\n+p\r\n", ">'message' 'c' 'p'<"},
    {"|1\r\n+ttl\r\n:3600\r\n$1\r\nx\r\n", "'x'"},
    {"*2\r\n|1\r\n+a\r\n*1\r\n:1\r\n:2\r\n|0\r\n:3\r\n", "[2 3]"},
    {"|1\r\n|1\r\n+x\r\n+y\r\n+k\r\n+v\r\n+real\r\n", "'real'"},
    {"*3\r\n-ERR a\r\n+b\r\n*-1\r\n", "[!ERR a 'b' nil]"},
};

}  // namespace

TEST_CASE("RESP: each type of reply, whole and cut at every byte") {
    apus::test::page_end page(4096);
    for (const auto& [bytes, wanted] : replies) {
        CAPTURE(bytes);
        for (std::size_t n = 0; n < bytes.size(); ++n)
            CHECK(reply_scanner().scan(page.place(std::string_view(bytes).substr(0, n))).state == outcome::partial);
        // In one call, and in a call for each byte.
        reply_scanner stepwise;
        for (std::size_t n = 0; n < bytes.size(); ++n)
            REQUIRE(stepwise.scan(page.place(std::string_view(bytes).substr(0, n))).state == outcome::partial);
        const std::string more = bytes + "+next\r\n";
        for (reply_scanner scanner; auto* one : {&scanner, &stepwise}) {
            const auto got = one->scan(page.place(more));
            REQUIRE(got.state == outcome::done);
            CHECK(got.used == bytes.size());
            CHECK(one->scan("+next\r\n").used == 7);
        }
        std::string_view from = bytes;
        CHECK(shown(from) == wanted);
        CHECK(from.empty());
        from = more;
        skip_element(from);
        CHECK(from == "+next\r\n");
    }
}

TEST_CASE("RESP: the kind of a reply is that of its outermost element") {
    CHECK(reply_scanner().scan(">1\r\n+x\r\n").value == kind::push);
    CHECK(reply_scanner().scan("*1\r\n-ERR x\r\n").value == kind::list);
    CHECK(reply_scanner().scan("|1\r\n+a\r\n+b\r\n-ERR x\r\n").value == kind::error);
    CHECK(reply_scanner().scan("%0\r\n").value == kind::map);
}

TEST_CASE("RESP: malformed replies") {
    for (const char* bytes : {"?",
                              "\r\n",
                              "\n",
                              "x1\r\n",
                              "HTTP/1.1 200 OK\r\n",
                              "+a\n",
                              "+a\rb",
                              "+a\r\r\n",
                              "+\n",
                              ":\r\n",
                              ":a\r\n",
                              ":1a\r\n",
                              ":--1\r\n",
                              ":+-1\r\n",
                              ":9223372036854775808\r\n",
                              ": 1\r\n",
                              "$a\r\n",
                              "$\r\n",
                              "$-2\r\n",
                              "$?\r\n",
                              "$1\r\nab",
                              "$1\r\na\rb",
                              "$1\r\na\n",
                              "!-1\r\n",
                              "=-1\r\n",
                              "=3\r\ntxt\r\n",
                              "=5\r\ntxt;a\r\n",
                              "*-2\r\n",
                              "*?\r\n",
                              "%-1\r\n",
                              "~-1\r\n",
                              ">-1\r\n",
                              ">0\r\n",
                              "|-1\r\n",
                              "#\r\n",
                              "#x\r\n",
                              "#tt\r\n",
                              "_x\r\n",
                              ",\r\n",
                              ",x\r\n",
                              ",1.5x\r\n",
                              ",infinity\r\n",
                              ",+-1\r\n",
                              ",nan(1)\r\n",
                              "(\r\n",
                              "(1.5\r\n",
                              "(--1\r\n",
                              "*1\r\n>1\r\n+x\r\n",
                              ".\r\n",
                              ";0\r\n"}) {
        CAPTURE(bytes);
        const refusal* why = refused(bytes);
        CHECK((why == &refusals::malformed || why == &refusals::unknown_kind));
    }
}

TEST_CASE("RESP: limits, which apply to the announced sizes") {
    CHECK(refused("$67108865\r\n") == &refusals::reply_too_large);
    CHECK(refused("$9223372036854775807\r\n") == &refusals::reply_too_large);
    CHECK(refused("*9223372036854775807\r\n") == &refusals::too_many_elements);
    CHECK(refused("%4611686018427387904\r\n") == &refusals::too_many_elements);
    CHECK(refused("*4194305\r\n") == &refusals::too_many_elements);
    CHECK(refused("*2\r\n+a\r\n*3\r\n", {.bytes = 100, .elements = 4}) == &refusals::too_many_elements);
    CHECK(refused("*2\r\n$40\r\n" + std::string(40, 'x') + "\r\n$40\r\n", {.bytes = 90}) == &refusals::reply_too_large);
    std::string attributes;
    for (int i = 0; i < 5; ++i) attributes += "|0\r\n";
    CHECK(refused(attributes, {.bytes = 100, .elements = 4}) == &refusals::too_many_elements);
    CHECK(refused("+" + std::string(max_line + 2, 'x')) == &refusals::line_too_long);
    CHECK(refused("-" + std::string(100, 'x'), {.bytes = 50}) == &refusals::line_too_long);
    CHECK(refused(":" + std::string(40, '1')) == &refusals::line_too_long);
    CHECK(refused("$" + std::string(40, '0')) == &refusals::malformed);
    CHECK(reply_scanner().scan(nested(max_depth)).state == outcome::done);
    CHECK(refused(nested(max_depth + 1)) == &refusals::nested_too_deep);
    CHECK(refused(nested(1'000'000)) == &refusals::nested_too_deep);
}

TEST_CASE("RESP: a large reply in many pieces is not read again from its beginning") {
    std::string bytes = "*200000\r\n";
    for (int i = 0; i < 200'000; ++i) bytes += ":1\r\n";
    reply_scanner scanner;
    std::size_t calls = 0;
    for (std::size_t n = 0; n < bytes.size(); n += 64, ++calls)
        if (scanner.scan(std::string_view(bytes).substr(0, n)).state != outcome::partial) break;
    CHECK(calls == (bytes.size() + 63) / 64);  // quadratic work would take minutes
    CHECK(scanner.scan(bytes).used == bytes.size());
}
