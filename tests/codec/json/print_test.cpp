// SPDX-License-Identifier: Apache-2.0
#include "codec/json/print.hpp"

#include "codec/json/json_value_access.hpp"
#include "codec/json/output.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <doctest/doctest.h>

#include <charconv>

#include <chrono>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>

namespace {

enum class state {
    open = 3
};
struct shown {
    std::string_view view;
    double number;
    std::map<std::string, std::vector<bool*>*>* unused = nullptr;
    static constexpr apus::field_note fields[] = {{.field = "unused", .skip = true}};
};
struct nothing {};
struct node {
    std::string name;
    std::vector<node> below;
};

}  // namespace

TEST_CASE("values are printed without white space") {
    CHECK(apus::to_json(shown{"a\"b", 0.1}) == R"({"view":"a\"b","number":0.1})");
    CHECK(apus::to_json(nothing()) == "{}");
    CHECK(apus::to_json(std::map<std::string, int>()) == "{}");
    CHECK(apus::to_json(std::map<std::string, int>{{"a\n", 1}}) == R"({"a\n":1})");
    CHECK(apus::to_json(node{"a", {{"b", {}}, {"c", {}}}}) ==
          R"({"name":"a","below":[{"name":"b","below":[]},{"name":"c","below":[]}]})");
    CHECK(apus::to_json(std::optional<int>()) == "null");
    CHECK(apus::to_json(1e300) == "1e+300");
    CHECK(apus::to_json(0.1F) == "0.1");
    const std::vector<int> three{1, 2, 3};
    CHECK(apus::to_json(std::span(three).first(2)) == "[1,2]");
    CHECK(apus::to_json(std::span(three).first(0)) == "[]");
}

TEST_CASE("values that JSON cannot represent are rejected with a message") {
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_THROWS_WITH_AS(apus::to_json(infinity - infinity), "JSON cannot represent NaN", std::domain_error);
    CHECK_THROWS_WITH_AS(apus::to_json(shown{"", -infinity}), "JSON cannot represent an infinite number",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(apus::to_json(static_cast<state>(4)), "a value of state has no name", std::domain_error);
    CHECK(apus::to_json(state::open) == "\"open\"");
    const std::chrono::sys_seconds far{std::chrono::seconds(253'402'300'800)};
    CHECK_THROWS_AS(apus::to_json(far), std::domain_error);
    CHECK(apus::to_json(far - std::chrono::seconds(1)) == "\"9999-12-31T23:59:59Z\"");
}

TEST_CASE("printing stops before the stack ends") {
    apus::json_value deep;
    for (int i = 0; i < 512; ++i) {
        apus::json_value list = apus::json_value::list();
        list.push_back(std::move(deep));
        deep = std::move(list);
    }
    CHECK(apus::to_json(deep).size() == 1028);
    apus::json_value deeper;
    deeper.push_back(deep);
    CHECK_THROWS_AS(apus::to_json(deeper), std::length_error);
}

TEST_CASE("strings of every length are printed, with escapes at every position") {
    for (std::size_t size = 0; size < 70; ++size) {
        const std::string plain(size, 'x');
        REQUIRE(apus::to_json(plain) == '"' + plain + '"');
        for (std::size_t at = 0; at < size; ++at) {
            std::string text = plain;
            text[at] = '\n';
            REQUIRE(apus::to_json(text) == '"' + plain.substr(0, at) + "\\n" + plain.substr(at + 1) + '"');
            text[at] = '\xff';
            REQUIRE(apus::to_json(text) == '"' + plain.substr(0, at) + "\\ufffd" + plain.substr(at + 1) + '"');
        }
    }
    std::string appended = "x";
    apus::codec::json::append_text(appended, "\x01\xc3\xa9\x7f");
    CHECK(appended == "x\"\\u0001\xc3\xa9\x7f\"");
}

TEST_CASE("long output continues in the string") {
    const auto tens_and_one = [](apus::codec::json::output& out, int tens) {
        for (int i = 0; i < tens; ++i) out.put(std::string_view("0123456789"));
        out.put('!');
        return out.finish();
    };
    for (const std::size_t room : {0U, 1U, 11U, 20U, 1000U, 50'000U}) {
        CAPTURE(room);
        std::string first(room, '?'), to = "before";
        apus::codec::json::output out(first, to);
        const std::string_view all = tens_and_one(out, 5000);
        CHECK(all.size() == 50'001);
        CHECK(all.ends_with("789!"));
        CHECK(all == to);
    }
    std::string first(11, '?'), to = "before";
    apus::codec::json::output out(first, to);
    CHECK(tens_and_one(out, 1).data() == first.data());
    CHECK(first == "0123456789!");
    CHECK(to == "before");
    for (const std::size_t capacity : {0U, 300U, 70'000U}) {
        std::string used;
        used.reserve(capacity);
        apus::codec::json::output in_place(used);
        tens_and_one(in_place, 5000);
        CHECK(used.size() == 50'001);
        CHECK(used.ends_with("789!"));
    }
    CHECK(apus::to_json(std::string(10'000, '"')).size() == 20'002);
}

namespace {

template <class T>
std::string by_the_library(T number) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

}  // namespace

TEST_CASE("numbers are printed as the standard library prints them") {
    for (std::int64_t number = -20'000; number < 20'000; number += 7)
        CHECK(apus::to_json(number) == by_the_library(number));
    for (std::int64_t number :
         {INT64_MIN, INT64_MAX, std::int64_t(0), std::int64_t(9'999), std::int64_t(10'000), std::int64_t(99'999'999)})
        CHECK(apus::to_json(number) == by_the_library(number));
    for (const double unit : {1.0, 10.0, 100.0, 1e3, 1e4, 3.0, 7.0}) {
        for (int i = 0; i < 2'500; ++i) {
            const double number = (i < 1'250 ? i : i * 97'531) / unit;
            CHECK(apus::to_json(number) == by_the_library(number));
            CHECK(apus::to_json(-number) == by_the_library(-number));
        }
    }
    for (const double number : {0.0, -0.0, 0.1, 0.1 + 0.2, 0.001, 0.0005, 0.0009999, 99999.999, 99999.9995,
                                99999.9999999, 1e5, 12.5, 1e23, 5e-324})
        CHECK(apus::to_json(number) == by_the_library(number));
}

TEST_CASE("short strings of every length are printed, with characters to escape anywhere") {
    for (std::size_t size = 0; size < 40; ++size) {
        const std::string plain(size, 'x');
        CHECK(apus::to_json(plain) == '"' + plain + '"');
        for (std::size_t at = 0; at < size; ++at) {
            std::string text = plain;
            text[at] = '\n';
            CHECK(apus::to_json(text) == '"' + plain.substr(0, at) + "\\n" + plain.substr(at + 1) + '"');
            text[at] = '"';
            CHECK(apus::to_json(text) == '"' + plain.substr(0, at) + "\\\"" + plain.substr(at + 1) + '"');
            text.replace(at, 1, "\xc3\xa4");
            CHECK(apus::to_json(text) == '"' + text + '"');
        }
    }
}
