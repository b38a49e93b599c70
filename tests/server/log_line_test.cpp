// SPDX-License-Identifier: Apache-2.0
#include "server/log_line.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace apus;
using log::field;
using server::log_format;

namespace {

std::string line(log_format format, std::string_view message, std::vector<field> fields, std::int64_t ms = 0) {
    std::string out(server::max_log_line, '\0');
    out.resize(server::write_log_line({ms, log::level::info, message, "core-0", fields}, format, out.data()));
    return out;
}

// Returns the part of the line after the thread.
std::string logfmt(std::vector<field> fields) {
    auto text = line(log_format::logfmt, "m", std::move(fields));
    return text.substr(text.find("thread=core-0") + 13);
}
std::string json(std::vector<field> fields) {
    auto text = line(log_format::json, "m", std::move(fields));
    return text.substr(text.find("\"core-0\"") + 8);
}

struct value_case {
    field given;
    const char* logfmt;
    const char* json;
};

const value_case values[] = {
    {{"n", 42}, " n=42\n", ",\"n\":42}\n"},
    {{"n", -7L}, " n=-7\n", ",\"n\":-7}\n"},
    {{"n", std::int8_t{-128}}, " n=-128\n", ",\"n\":-128}\n"},
    {{"n", std::numeric_limits<std::int64_t>::min()}, " n=-9223372036854775808\n", ",\"n\":-9223372036854775808}\n"},
    {{"n", ~std::uint64_t{0}}, " n=18446744073709551615\n", ",\"n\":18446744073709551615}\n"},
    {{"ok", true}, " ok=true\n", ",\"ok\":true}\n"},
    {{"ok", false}, " ok=false\n", ",\"ok\":false}\n"},
    {{"x", 0.1}, " x=0.1\n", ",\"x\":0.1}\n"},
    {{"x", 1e300}, " x=1e+300\n", ",\"x\":1e+300}\n"},
    {{"x", std::numeric_limits<double>::quiet_NaN()}, " x=nan\n", ",\"x\":\"nan\"}\n"},
    {{"x", -std::numeric_limits<double>::infinity()}, " x=-inf\n", ",\"x\":\"-inf\"}\n"},
    {{"s", "plain"}, " s=plain\n", ",\"s\":\"plain\"}\n"},
    {{"s", ""}, " s=\"\"\n", ",\"s\":\"\"}\n"},
    {{"s", "two words"}, " s=\"two words\"\n", ",\"s\":\"two words\"}\n"},
    {{"s", "a=b"}, " s=\"a=b\"\n", ",\"s\":\"a=b\"}\n"},
    {{"s", "say \"hi\" \\ bye"}, " s=\"say \\\"hi\\\" \\\\ bye\"\n", ",\"s\":\"say \\\"hi\\\" \\\\ bye\"}\n"},
    {{"s", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa6"},
     " s=\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa6\"\n",
     ",\"s\":\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa6\"}\n"},
    {{"a key", 1}, " a_key=1\n", ",\"a_key\":1}\n"},
    {{"a\"b\n", 1}, " a_b_=1\n", ",\"a_b_\":1}\n"},
    {{"", 1}, " _=1\n", ",\"_\":1}\n"},
    {{"level", "fake"}, " level_=fake\n", ",\"level_\":\"fake\"}\n"},
    {{"msg", "fake"}, " msg_=fake\n", ",\"msg_\":\"fake\"}\n"},
};

// Values that would be parsed differently if they were written without escaping; both formats use the same escape
// sequences.
struct hostile_case {
    std::string_view given;
    const char* shown;
};

const hostile_case hostile[] = {
    {"x\nlevel=error msg=forged", R"("x\nlevel=error msg=forged")"},
    {"x\r\n", R"("x\r\n")"},
    {"x\",\"level\":\"error", R"("x\",\"level\":\"error")"},
    {std::string_view("a\0b", 3), R"("a\u0000b")"},
    {"\x1b[31mred", R"("\u001b[31mred")"},
    {"\x7f", R"("\u007f")"},
    {"tab\there", R"("tab\there")"},
    {"csi \xc2\x9b"
     "31m",
     R"("csi \u009b31m")"},
    {"line \xe2\x80\xa8 end", R"("line \u2028 end")"},
    {"turned \xe2\x80\xae", R"("turned \u202e")"},
    {"\xff\xfe", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    {"cut \xe2\x82", "\"cut \xef\xbf\xbd\xef\xbf\xbd\""},
    {"overlong \xc0\xaf", "\"overlong \xef\xbf\xbd\xef\xbf\xbd\""},
    {"overlong \xe0\x80\xaf", "\"overlong \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"surrogate \xed\xa0\x80", "\"surrogate \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"too far \xf4\x90\x80\x80", "\"too far \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
};

struct time_case {
    std::int64_t unix_milliseconds;
    const char* shown;
};

const time_case times[] = {
    {0, "1970-01-01T00:00:00.000Z"},
    {-5, "1970-01-01T00:00:00.000Z"},
    {951'782'399'999, "2000-02-28T23:59:59.999Z"},
    {951'782'400'000, "2000-02-29T00:00:00.000Z"},
    {951'868'800'000, "2000-03-01T00:00:00.000Z"},
    {1'077'926'400'000 + 86'400'000, "2004-02-29T00:00:00.000Z"},
    {1'795'296'401'007, "2026-11-21T21:26:41.007Z"},
    {4'107'542'400'000, "2100-03-01T00:00:00.000Z"},
    {253'402'300'799'999, "9999-12-31T23:59:59.999Z"},
};

}  // namespace

TEST_CASE("a whole line in both formats") {
    const std::vector<field> fields = {{"id", 42}, {}, {"name", "Ada Lovelace"}};
    CHECK(line(log_format::logfmt, "user created", fields, 1'795'296'401'123) ==
          "time=2026-11-21T21:26:41.123Z level=info msg=\"user created\" thread=core-0 id=42 name=\"Ada Lovelace\"\n");
    CHECK(line(log_format::json, "user created", fields, 1'795'296'401'123) ==
          "{\"time\":\"2026-11-21T21:26:41.123Z\",\"level\":\"info\",\"msg\":\"user created\",\"thread\":\"core-0\","
          "\"id\":42,\"name\":\"Ada Lovelace\"}\n");
}

TEST_CASE("values and keys") {
    for (auto& c : values) {
        CAPTURE(c.logfmt);
        CHECK(logfmt({c.given}) == c.logfmt);
        CHECK(json({c.given}) == c.json);
    }
}

TEST_CASE("no text can forge a line or a field") {
    for (auto& c : hostile) {
        CAPTURE(c.shown);
        CHECK(logfmt({{"s", c.given}}) == std::string(" s=") + c.shown + "\n");
        CHECK(json({{"s", c.given}}) == std::string(",\"s\":") + c.shown + "}\n");
        CHECK(line(log_format::logfmt, c.given, {}).find(std::string("msg=") + c.shown + " thread=") !=
              std::string::npos);
    }
}

TEST_CASE("times in UTC to the millisecond") {
    for (auto& c : times)
        CHECK(line(log_format::logfmt, "m", {}, c.unix_milliseconds).substr(0, 29) == std::string("time=") + c.shown);
}

TEST_CASE("a long text is shortened between two characters") {
    const std::string exact(server::max_log_text, 'a');
    CHECK(logfmt({{"s", exact}}) == " s=" + exact + "\n");
    CHECK(logfmt({{"s", exact + "b"}}) == " s=" + exact + "...\n");
    // A multi-byte character that crosses the size limit.
    const std::string euros = "ab" + exact.substr(4) + "\xe2\x82\xac" + "cc";
    CHECK(json({{"s", euros}}) == ",\"s\":\"" + euros.substr(0, euros.size() - 5) + "...\"}\n");
}

TEST_CASE("fields that do not fit are left out, and the line is marked") {
    const std::string bulky(1000, '\1');  // each takes six bytes when escaped
    std::vector<field> fields = {{"first", 1}, {"a", bulky}, {"b", bulky}, {"last", 2}};
    auto text = json(fields);
    CHECK(text.size() < server::max_log_line);
    CHECK(text.starts_with(",\"first\":1,\"a\":\"\\u0001"));
    CHECK(text.find("\"b\"") == std::string::npos);
    CHECK(text.ends_with(",\"last\":2,\"cut\":true}\n"));
    CHECK(logfmt(fields).ends_with(" last=2 cut=true\n"));
    CHECK(line(log_format::json, bulky + bulky, fields).ends_with("\"cut\":true}\n"));
}
