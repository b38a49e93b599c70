// SPDX-License-Identifier: Apache-2.0
#include "schema/date_time.hpp"
#include "schema/expectation.hpp"
#include "schema/text_value.hpp"

#include <apus/json.hpp>
#include <apus/rules.hpp>
#include <doctest/doctest.h>

#include <stdexcept>

namespace {

template <class T>
struct holder {
    T v;
};

template <class T>
std::string faults(const std::string& value) {
    const auto read = apus::from_json<holder<T>>("{\"v\":" + value + "}");
    if (!read) return read.error().detail();
    CHECK(apus::to_json(*read) == "{\"v\":" + value + "}");
    return "fine";
}

template <class T>
bool fits(const std::string& text) {
    return faults<T>('"' + text + '"') == "fine";
}

template <class T>
void check_table(std::initializer_list<const char*> good, std::initializer_list<const char*> bad) {
    for (const char* text : good) CHECK_MESSAGE(fits<T>(text), text);
    for (const char* text : bad) CHECK_MESSAGE(!fits<T>(text), text);
}

struct even {
    static constexpr std::string_view expected = "an even number";
    static bool holds(const int& n) { return n % 2 == 0; }
};

struct span_of_days {
    apus::date from, to;
    apus::result<void> check() const {
        if (*from > *to) return apus::fail(422, "`from` is behind `to`");
        return {};
    }
};
struct trip {
    std::vector<span_of_days> parts;
    apus::result<void> check() const {
        if (parts.empty()) return apus::fail(409, "a trip has a part");
        return {};
    }
};

}  // namespace

TEST_CASE("violations of rules have a message") {
    CHECK(faults<apus::text<1, 3>>(R"("abc")") == "fine");
    CHECK(faults<apus::text<1, 3>>(R"("")") == "/v: found \"\", expected a text of 1 to 3 characters");
    CHECK(faults<apus::text<1, 3>>("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"") == "fine");
    CHECK(faults<apus::text<2>>(R"("a")") == "/v: found \"a\", expected a text of at least 2 characters");
    CHECK(faults<apus::text<0, 1>>(R"("ab")") == "/v: found \"ab\", expected a text of at most 1 character");
    CHECK(faults<apus::text<2, 2>>(R"("a")") == "/v: found \"a\", expected a text of 2 characters");
    CHECK(faults<apus::integer<1, 5>>("5") == "fine");
    CHECK(faults<apus::integer<1, 5>>("6") == "/v: found 6, expected an integer from 1 to 5");
    CHECK(faults<apus::integer<-5, -1>>("0") == "/v: found 0, expected an integer from -5 to -1");
    CHECK(faults<apus::number<0.0, 1.5>>("1.5") == "fine");
    CHECK(faults<apus::number<0.0, 1.5>>("1.6") == "/v: found 1.6, expected a number from 0 to 1.5");
    CHECK(faults<apus::one_of<"a", "b", "c">>(R"("b")") == "fine");
    CHECK(faults<apus::one_of<"a", "b", "c">>(R"("d")") == "/v: found \"d\", expected \"a\", \"b\" or \"c\"");
    CHECK(faults<apus::list<int, 1, 2>>("[1,2]") == "fine");
    CHECK(faults<apus::list<int, 1, 2>>("[]") == "/v: found 0 values, expected a list of 1 to 2 values");
    CHECK(faults<apus::list<apus::text<1, 2>, 0, 2>>(R"(["abc"])") ==
          "/v/0: found \"abc\", expected a text of 1 to 2 characters");
    CHECK(faults<apus::checked<int, even>>("4") == "fine");
    CHECK(faults<apus::checked<int, even>>("5") == "/v: found 5, expected an even number");
    CHECK(faults<apus::pattern<"[a-z]{2}">>(R"("ab")") == "fine");
    CHECK(faults<apus::pattern<"[a-z]{2}">>(R"("abc")") ==
          "/v: found \"abc\", expected a text of the form \"[a-z]{2}\"");
    CHECK(faults<std::optional<apus::integer<1, 5>>>("9") == "/v: found 9, expected an integer from 1 to 5");
    CHECK(faults<apus::email>(R"("x")") == "/v: found \"x\", expected an e-mail address");
}

TEST_CASE("formats of texts") {
    check_table<apus::email>(
        {"a@b", "ada.l+x@example.co.uk", "o'neil_99@x-y.org", "1@2.3"},
        {"", "a", "@b", "a@", "a@@b", "a b@c", ".a@b", "a.@b", "a..b@c", "a@-b", "a@b-", "a@b..c", "a@.b", "a@b.",
         "a@b_c", "\xc3\xa9@b", "a@b c", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b"});
    check_table<apus::url>({"http://a", "https://example.com/", "HTTPS://e.com:8443/a/b?c=d&e=%20#f",
                            "http://127.0.0.1", "http://[::1]:80/x", "http://a.", "http://a:0"},
                           {"", "a", "//a", "ftp://a", "http:/a", "http://", "http:///a", "http://a b", "http://u:p@a",
                            "http://a:65536", "http://a:8x", "http://%", "http://a/%2", "http://a/\xc3\xa9",
                            "http://[x]", "http://[::1", "javascript://a", "http://-a"});
    check_table<apus::uuid>({"7d3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a11", "00000000-0000-0000-0000-000000000000",
                             "7D3F0D3E-58A1-4A68-9A0B-0D7C1D3F2A11"},
                            {"", "7d3f0d3e58a14a689a0b0d7c1d3f2a11", "7d3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a1",
                             "7d3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a111", "gd3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a11",
                             "{7d3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a1"});
    check_table<apus::date>({"2026-11-22", "2024-02-29", "0000-01-01"},
                            {"", "2026-2-3", "2025-02-29", "2026-11-31", "2026-11-22T00:00:00Z", "22.11.2026"});
    check_table<apus::time_of_day>({"12:30:00", "23:59:60", "00:00:00.123Z", "12:30:00+01:00"},
                                   {"", "12:30", "24:00:00", "12:60:00", "12:30:00.", "12:30:00X"});
    CHECK(apus::schema::is_date("2026-11-22"));
}

TEST_CASE("patterns") {
    check_table<apus::pattern<"">>({""}, {"a"});
    check_table<apus::pattern<"abc">>({"abc"}, {"", "ab", "abcd", "xabc"});
    check_table<apus::pattern<"a*">>({"", "a", "aaaa"}, {"b", "ab"});
    check_table<apus::pattern<"a+b?">>({"a", "aab"}, {"", "b", "abb"});
    check_table<apus::pattern<"(ab|cd)*e">>({"e", "abe", "cdabe"}, {"", "ace", "ab"});
    check_table<apus::pattern<"a{3}">>({"aaa"}, {"aa", "aaaa"});
    check_table<apus::pattern<"a{2,}">>({"aa", "aaaaaa"}, {"", "a"});
    check_table<apus::pattern<"a{0,2}b">>({"b", "ab", "aab"}, {"aaab"});
    check_table<apus::pattern<"(a|bc){2,3}">>({"aa", "abc", "bcbcbc"}, {"a", "aaaa"});
    check_table<apus::pattern<"(a{1,2}b){2}">>({"abab", "aabab"}, {"ab", "aaabab"});
    check_table<apus::pattern<"(a?){3}">>({"", "aaa"}, {"aaaa"});
    check_table<apus::pattern<"x{0}y">>({"y"}, {"xy"});
    check_table<apus::pattern<"[a-c_-]">>({"a", "c", "_", "-"}, {"d", "", "ab"});
    check_table<apus::pattern<"[^a-c]">>({"d", "\xc3\xa9", "\xf0\x9f\x98\x80"}, {"a", "", "dd"});
    check_table<apus::pattern<".{2}">>({"ab", "\xc3\xa9\xe2\x82\xac"}, {"a", "\xc3\xa9"});
    check_table<apus::pattern<"\\d{4}-\\d\\d">>({"2026-11"}, {"202-11", "2026-1x"});
    check_table<apus::pattern<"\\w+\\.\\w+">>({"a_1.b"}, {"a1b", ".", "a.\xc3\xa9"});
    check_table<apus::pattern<"[\\d,]+">>({"1,2"}, {"1;2"});
    check_table<apus::pattern<"(?:a|)b">>({"ab", "b"}, {"a"});
}

TEST_CASE("patterns match in linear time") {
    const std::string text(100'000, 'a');
    CHECK_FALSE(fits<apus::pattern<"(a*)*(a|aa)+(a?){20}b">>(text));
    CHECK(fits<apus::pattern<"(a*)*(a|aa)+">>(text));
}

TEST_CASE("a value with a rule is used like its underlying type") {
    apus::text<1, 5> name = "Ada";
    std::string copied = name;
    const std::string_view view = name;
    CHECK(copied == "Ada");
    CHECK(view == "Ada");
    CHECK(name == "Ada");
    CHECK(name->size() == 3);
    copied = std::move(name);
    const apus::integer<1, 5> priority = 3;
    CHECK(priority + 1 == 4);
    int sum = 0;
    for (int n : apus::list<int, 0, 3>{1, 2}) sum += n;
    CHECK(sum == 3);
    const auto too_long = [] { return apus::text<1, 5>("123456"); };
    CHECK_THROWS_WITH_AS(too_long(), "invalid value: expected a text of 1 to 5 characters", std::invalid_argument);
    const auto too_great = [] { return apus::integer<1, 5>(6); };
    CHECK_THROWS_AS(too_great(), std::invalid_argument);
    const auto odd = [] { return apus::checked<int, even>(3); };
    CHECK_THROWS_WITH_AS(odd(), "invalid value: expected an even number", std::invalid_argument);
    const auto empty = [] { return apus::list<int, 1, 2>(std::vector<int>()); };
    CHECK_THROWS_AS(empty(), std::invalid_argument);
}

TEST_CASE("rules across fields are checked when all fields are valid") {
    CHECK(apus::from_json<span_of_days>(R"({"from":"2026-01-01","to":"2026-01-02"})"));
    CHECK(apus::from_json<span_of_days>(R"({"from":"2026-01-03","to":"2026-01-02"})").error().detail() ==
          "`from` is behind `to`");
    CHECK(apus::from_json<span_of_days>(R"({"from":"2026-01-03","to":"x"})").error().detail() ==
          "/to: found \"x\", expected a date such as \"2026-11-22\"");
    const auto inner = apus::from_json<trip>(R"({"parts":[{"from":"2026-01-03","to":"2026-01-02"}]})");
    CHECK(inner.error().detail() == "/parts/0: `from` is behind `to`");
    CHECK(inner.error().status() == 422);
    CHECK(apus::from_json<trip>(R"({"parts":[]})").error().status() == 409);
}

TEST_CASE("values are parsed from text") {
    const auto reads = []<class T>(T like, const char* text) {
        return apus::schema::read_text(apus::detail::schema_table<T>, &like, text);
    };
    CHECK(reads(7, "12"));
    CHECK_FALSE(reads(7, "12x"));
    CHECK_FALSE(reads(7, ""));
    CHECK_FALSE(reads(7U, "-1"));
    CHECK(reads(true, "on"));
    CHECK_FALSE(reads(true, "1"));
    CHECK_FALSE(reads(1.5, "nan"));
    CHECK_FALSE(reads(1.5F, "1e39"));
    CHECK(reads(apus::checked<int, even>(), "2"));
    CHECK_FALSE(reads(apus::checked<int, even>(), "3"));
    CHECK(reads(std::optional<int>(), "5"));
}
