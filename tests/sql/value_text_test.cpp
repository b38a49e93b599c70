// SPDX-License-Identifier: Apache-2.0
#include "sql/value_text.hpp"

#include <doctest/doctest.h>

using apus::sql::append_json;
using apus::sql::time_text;
using apus::sql::value;
using apus::sql::value_kind;

TEST_CASE("sql: values as JSON") {
    const value items[] = {value::of(-1),
                           value::of_text("a\"\n"),
                           {},
                           {.kind = value_kind::boolean, .integer = 1},
                           {.kind = value_kind::natural, .integer = -1},
                           {.kind = value_kind::number, .number = 0.5},
                           {.kind = value_kind::time, .integer = -1},
                           {.kind = value_kind::json, .integer = 0, .text = "{}"}};
    std::string text;
    append_json(text, {.kind = value_kind::list, .count = 8, .items = items});
    CHECK(text == R"([-1,"a\"\u000a",null,true,18446744073709551615,0.5,"1969-12-31T23:59:59.999999Z",{}])");
}

TEST_CASE("sql: times as text, in the years that have four digits") {
    CHECK(time_text(0) == "1970-01-01T00:00:00.000000Z");
    CHECK(time_text(-62'167'219'200'000'000) == "0000-01-01T00:00:00.000000Z");
    CHECK(time_text(253'402'300'799'999'999) == "9999-12-31T23:59:59.999999Z");
    for (const auto far : {-62'167'219'200'000'001, 253'402'300'800'000'000, INT64_MIN, INT64_MAX})
        CHECK(time_text(far).empty());
}
