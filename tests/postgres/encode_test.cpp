// SPDX-License-Identifier: Apache-2.0
#include "postgres/encode.hpp"
#include "sql/parameters.hpp"

#include <apus/detail/schema_of.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

using namespace apus;
using namespace std::string_literals;
using postgres::oid;
using sql::value;

namespace {

value of_kind(sql::value_kind kind, std::int64_t n) {
    value v = value::of(n);
    v.kind = kind;
    return v;
}

constexpr oid composite{20'000}, other{20'001};

/// Returns the format and the bytes of the parameter as they are sent, or the fault.
std::string sent(const value& v, oid type) {
    std::string bytes;
    codec::postgres::bind_writer to(bytes, "", 1);
    const std::size_t head = bytes.size();
    postgres::program_types known;
    known.add(composite, {.what = 'c'});
    known.add(other, {.what = 'e'});
    if (const auto fault = postgres::append_values(to, std::vector{v}, std::vector{type}, 1'000, known))
        return fault->too_large ? "too large" : fault->why;
    return (bytes[head - 3] ? "binary " : "text ") + bytes.substr(head);
}

}  // namespace

TEST_CASE("parameters are sent in binary format if the server's type is known, otherwise as text") {
    CHECK(sent(value::of(7), oid::int4) == "binary \0\0\0\4\0\0\0\7"s);
    CHECK(sent(value::of(-1), oid::int2) == "binary \0\0\0\2\xff\xff"s);
    CHECK(sent(value::of(-1), oid::numeric) == "text \0\0\0\2-1"s);
    CHECK(sent(value::of_text("a'b"), oid::text) == "binary \0\0\0\3a'b"s);
    CHECK(sent(value::of_text("1"), oid::int4) == "text \0\0\0\0011"s);
    CHECK(sent(of_kind(sql::value_kind::boolean, 1), oid::boolean) == "binary \0\0\0\1\1"s);
    CHECK(sent(of_kind(sql::value_kind::boolean, 1), oid::text) == "text \0\0\0\0011"s);
    CHECK(sent({}, oid::int4) == "text \xff\xff\xff\xff"s);
    CHECK(sent(of_kind(sql::value_kind::time, 946'684'800'000'000), oid::timestamptz) ==
          "binary \0\0\0\x8\0\0\0\0\0\0\0\0"s);
    CHECK(sent(value::of(40'000), oid::int2) == "parameter $1 is out of range");
    CHECK(sent(of_kind(sql::value_kind::natural, -1), oid::int8) == "parameter $1 is out of range");
}

TEST_CASE("structs are sent as composite values or JSON, depending on the type of the parameter") {
    struct place {
        std::string street;
        std::optional<int> number;
        bool old;
        std::vector<std::string> tags;
    };
    struct person {
        place home;
        std::vector<place> others;
    };
    const person one{{"a\"\\,()", std::nullopt, true, {"x", "\""}}, {{"b", 7, false, {}}}};
    const auto of = [](const auto& v, oid type) {
        sql::parameters made(1'000, true);
        if (!made.add_one(apus::detail::schema_table<std::remove_cvref_t<decltype(v)>>, &v)) return "! refused"s;
        return sent(made.values().front(), type);
    };
    const auto text = [&](const auto& v, oid type) {
        const std::string all = of(v, type);
        return all.starts_with("text ") ? all.substr(9) : all;
    };
    CHECK(text(one.others.front(), composite) == R"~(("b","7","0","{}"))~");
    CHECK(text(one.home, composite) == R"~(("a\"\\,()",,"1","{\"x\",\"\\\"\"}"))~");
    CHECK(text(one.others, composite) == R"~({"(\"b\",\"7\",\"0\",\"{}\")"})~");
    CHECK(text(std::vector<place>{}, composite) == "{}");
    CHECK(text(std::vector<std::optional<place>>{std::nullopt}, composite) == "{NULL}");
    CHECK(text(one, composite).starts_with(R"~(("(\"a)~"));
    CHECK(of(one.others, other) == "text \0\0\0\x31"s + R"~([{"street":"b","number":7,"old":false,"tags":[]}])~");
    const place invalid{"\xff", 1, false, {}};
    CHECK(of(invalid, composite) == "parameter $1 has a value that cannot be stored");
    CHECK(of(invalid, oid::jsonb).starts_with("text "));
}

TEST_CASE("rows of COPY: separators and backslashes of values are escaped") {
    std::string to;
    postgres::append_copy_row(to, std::vector{value::of(1), value(), value::of_text("a\tb\nc\\d\r")});
    CHECK(to == "1\t\\N\ta\\tb\\nc\\\\d\\r\n");
}

TEST_CASE("a nested value is refused when its text grows over the limit, before the text needs much memory") {
    struct node {
        std::string text;
        std::vector<node> children;
    };
    node tree{"\"\\", {}};
    for (int depth = 0; depth < 15; ++depth) {
        node around{"", {}};
        around.children.push_back(std::move(tree));
        tree = std::move(around);
    }
    sql::parameters made(1'000, true);
    REQUIRE(made.add_one(apus::detail::schema_table<node>, &tree));
    CHECK(sent(made.values()[0], composite) == "too large");
}
