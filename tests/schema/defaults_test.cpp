// SPDX-License-Identifier: Apache-2.0
#include "schema/defaults.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/rules.hpp>
#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <map>
#include <variant>

namespace {

enum class color {
    red,
    green
};
struct all_given {
    int a = 0;
    bool b{};
};
struct some_given {
    int a;
    bool b = false;
};
struct point {
    int x;
    int y;
};
struct named_point {
    std::string name;
    point at;
};
struct first {
    int x = 0;
};
struct second {
    int x = 0;
};

// In these structs, names of optional fields begin with "may".
struct mixed {
    bool must_flag;
    bool may_flag = false;
    std::int8_t must_byte;
    std::int8_t may_byte = 0;
    bool must_other_flag;
    bool may_other_flag = true;
    std::int16_t may_short = 0;
    int must_int;
    int may_int = 0;
    double must_number;
    double may_number = 0;
    float may_float{};
    std::uint64_t must_natural;
    std::uint64_t may_natural = 85;
    color must_color;
    color may_color = color::red;
    std::string must_text;
    std::string must_text_2 = "";
    std::string may_text = "x";
    std::optional<int> may_optional;
    std::vector<int> must_list;
    std::vector<int> may_list = {1};
    std::array<int, 2> must_array;
    std::map<std::string, int> must_map;
    std::map<std::string, int> may_map = {{"a", 1}};
    std::chrono::sys_seconds must_time;
    std::chrono::sys_seconds may_time{std::chrono::seconds(1)};
    all_given may_struct;
    some_given must_struct;
    std::variant<first, second> must_variant;
    apus::json_value must_value;
    apus::json_value may_value = 1;
    apus::integer<1, 5> must_integer;
    apus::integer<0, 5> may_integer{0};
    apus::text<1, 5> must_ruled;
    apus::text<1, 5> may_ruled{"a"};
    apus::number<0.0, 1.0> may_ruled_number{0};
    point must_point;
    point may_point{};
    point may_other_point{1, 2};
    named_point must_nested{};
    named_point may_nested{"here", {}};
    std::array<int, 3> may_array{1, 2, 3};
    std::array<point, 2> may_points{};
    std::array<std::string, 2> must_names{"one"};
    std::array<std::string, 2> may_names{"one", "two"};
    char skipped = 'x';
    static constexpr apus::field_note fields[] = {{.field = "skipped", .skip = true}};
};

struct sixty_four {
#define EIGHT(n) int n##0 = 1, n##1, n##2, n##3, n##4, n##5, n##6, n##7 = 7
    EIGHT(a);
    EIGHT(b);
    EIGHT(c);
    EIGHT(d);
    EIGHT(e);
    EIGHT(f);
    EIGHT(g);
    EIGHT(h);
#undef EIGHT
};

}  // namespace

TEST_CASE("fields with an initializer may be omitted") {
    const apus::schema::type& t = apus::detail::schema_table<mixed>;
    REQUIRE(t.field_count == 46);
    for (int times = 0; times < 2; ++times) {
        const std::uint64_t found = apus::schema::omittable(t);
        for (unsigned i = 0; i < t.field_count; ++i) {
            INFO(t.fields[i].name);
            CHECK((found >> i & 1) == t.fields[i].name.starts_with("may"));
        }
    }
}

TEST_CASE("the table has the offsets of fields") {
    mixed m{};
    const apus::schema::type& t = apus::detail::schema_table<mixed>;
    const auto offset = [&](const void* member) {
        return static_cast<std::uint32_t>(static_cast<const char*>(member) - reinterpret_cast<const char*>(&m));
    };
    CHECK(t.fields[0].offset == 0);
    CHECK(t.fields[7].offset == offset(&m.must_int));
    CHECK(t.fields[18].offset == offset(&m.may_text));
    CHECK(t.fields[29].offset == offset(&m.must_variant));
    CHECK(t.fields[36].offset == offset(&m.may_ruled_number));
    CHECK(t.name == "mixed");
}

TEST_CASE("a struct has up to 64 fields") {
    const apus::schema::type& t = apus::detail::schema_table<sixty_four>;
    CHECK(t.field_count == 64);
    CHECK(t.fields[63].name == "h7");
    CHECK(apus::schema::omittable(t) == 0x8181818181818181);
    std::string text = "{";
    for (unsigned i = 0; i < 64; ++i)
        text += (i ? ",\"" : "\"") + std::string(t.fields[i].name) + "\":" + std::to_string(i);
    const auto read = apus::from_json<sixty_four>(text + "}");
    REQUIRE(read);
    CHECK(apus::to_json(*read) == text + "}");
    CHECK(apus::from_json<sixty_four>("{}").error().detail().ends_with("; and more"));
}

TEST_CASE("omitted elements of fixed-size lists and structs keep their values") {
    struct shape {
        std::array<int, 3> three{1, 2, 3};
        point origin{4, 5};
    };
    CHECK(apus::to_json(apus::from_json<shape>("{}").value()) == R"({"three":[1,2,3],"origin":{"x":4,"y":5}})");
    CHECK(apus::to_json(apus::from_json<shape>(R"({"three":[7,8,9]})").value()) ==
          R"({"three":[7,8,9],"origin":{"x":4,"y":5}})");
    CHECK(apus::from_json<shape>(R"({"origin":{"x":1}})").error().detail().starts_with("/origin/y: found nothing"));
}

TEST_CASE("omitted fields keep the struct's values") {
    const auto read = apus::from_json<all_given>("{}");
    REQUIRE(read);
    CHECK(apus::to_json(*read) == R"({"a":0,"b":false})");
    CHECK(apus::from_json<some_given>("{}").error().detail() ==
          "/a: found nothing, expected an integer from -2147483648 to 2147483647");
}
