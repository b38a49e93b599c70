// SPDX-License-Identifier: Apache-2.0
#include "sql/parameters.hpp"

#include <apus/schema.hpp>

#include <chrono>
#include <doctest/doctest.h>
#include <limits>

using apus::detail::schema_table;
using apus::sql::parameters;
using apus::sql::value_kind;

namespace {

enum class colour : std::uint8_t {
    red,
    green
};

struct inner {
    int a = 1;
};

struct record {
    std::uint64_t large = UINT64_MAX;
    std::int8_t small = -128;
    bool yes = true;
    double number = 0.5;
    std::string text = "\u00e9";
    colour shade = colour::green;
    std::optional<int> none;
    std::vector<unsigned char> bytes{0, 255};
    std::vector<int> list{1, 2};
    inner object;
    std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(-1)};
};

int status_of(std::string text, std::size_t longest = 100) {
    parameters p(longest);
    const auto added = p.add(schema_table<std::string>, &text);
    return added ? 200 : added.error().status();
}

}  // namespace

TEST_CASE("sql: an aggregate stands for its fields as parameters") {
    parameters p(1000);
    const record r;
    REQUIRE(p.add(schema_table<record>, &r).has_value());
    const auto v = p.values();
    REQUIRE(v.size() == 11);
    CHECK((v[0].kind == value_kind::natural && v[0].integer == -1));
    CHECK((v[1].kind == value_kind::integer && v[1].integer == -128));
    CHECK((v[2].kind == value_kind::boolean && v[2].integer == 1));
    CHECK((v[3].kind == value_kind::number && v[3].number == 0.5));
    CHECK((v[4].kind == value_kind::text && v[4].text == "\u00e9"));
    CHECK((v[5].kind == value_kind::text && v[5].text == "green"));
    CHECK(v[6].kind == value_kind::null);
    CHECK((v[7].kind == value_kind::bytes && v[7].text.size() == 2));
    CHECK((v[8].kind == value_kind::list && v[8].count == 2 && v[8].items[1].integer == 2));
    CHECK((v[9].kind == value_kind::json && v[9].text == R"({"a":1})"));
    CHECK((v[10].kind == value_kind::time && v[10].integer == -1));
}

TEST_CASE("sql: parameters that a database cannot store are refused") {
    CHECK(status_of("fine") == 200);
    CHECK(status_of(std::string("a\0b", 3)) == 400);
    CHECK(status_of("\xff") == 400);
    CHECK(status_of("\xed\xa0\x80") == 400);
    CHECK(status_of(std::string(101, 'a')) == 413);
    parameters p(100);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(p.add(schema_table<double>, &nan).error().status() == 500);
}
