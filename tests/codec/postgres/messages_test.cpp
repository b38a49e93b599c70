// SPDX-License-Identifier: Apache-2.0
#include "codec/postgres/message.hpp"
#include "codec/postgres/request.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace apus::codec;
using namespace apus::codec::postgres;
using namespace std::string_literals;

namespace {

std::string bytes_of(char type, std::string_view body, std::int64_t length = -1) {
    std::string made(1, type);
    append(made, static_cast<std::uint32_t>(length < 0 ? static_cast<std::int64_t>(body.size()) + 4 : length));
    return made.append(body);
}

/// Returns "partial", the reason, or the type and the body.
std::string shown(std::string_view bytes, std::size_t max_row = 100) {
    apus::test::page_end page(1 << 20);
    const auto got = read_message(page.place(bytes), max_row);
    if (got.state == outcome::partial) return "partial";
    if (got.state == outcome::bad) return got.why->reason;
    CHECK(got.used == 5 + got.value.body.size());
    return static_cast<char>(got.value.type) + std::string(got.value.body);
}

std::string row(std::string_view body) {
    std::string all;
    const bool whole = read_cells(body, [&](const cell& c) { (all += c.is_null ? "-" : c.bytes) += '|'; });
    return whole ? all : "malformed";
}

std::string fields(std::string_view body) {
    std::string all;
    const bool whole = read_fields(body, [&](char code, std::string_view text) { ((all += code) += text) += '|'; });
    return whole ? all : "malformed";
}

}  // namespace

TEST_CASE("PostgreSQL messages: complete, partial and invalid") {
    const std::string whole = bytes_of('C', "SELECT 1\0"s);
    CHECK(shown(whole) == "CSELECT 1\0"s);
    CHECK(shown(whole + "more") == "CSELECT 1\0"s);
    for (std::size_t n = 0; n < whole.size(); ++n) CHECK(shown(whole.substr(0, n)) == "partial");

    for (const char type : "12Z3ACDEGHINSTWcdnst"s) CHECK(shown(std::string(1, type)) == "partial");
    for (const char type : "\0KRv4aZZ\xff"s)
        if (type != 'Z') CHECK(shown(std::string(1, type)) == refusals::unknown_message.reason);

    const std::string& invalid = refusals::invalid_length.reason;
    for (const std::uint32_t length : {0U, 3U, 0x80000000U, 0xffffffffU})
        for (const char type : "1DEZ"s) CHECK(shown(bytes_of(type, "", length)) == invalid);
    for (const char type : "123Inscs"s) CHECK(shown(bytes_of(type, "x")) == invalid);
    for (const char type : "ZDETtACSGHWN"s) CHECK(shown(bytes_of(type, "")) == invalid);
    CHECK(shown(bytes_of('Z', "II")) == invalid);

    // Rejected as soon as the length has arrived.
    const std::string& long_one = refusals::message_too_long.reason;
    CHECK(shown(bytes_of('D', "", 4 + 100)) == "partial");
    CHECK(shown(bytes_of('D', "", 4 + 101)) == long_one);
    CHECK(shown(bytes_of('d', "", 4 + 101)) == long_one);
    CHECK(shown(bytes_of('D', "", 0x7fffffff), SIZE_MAX) == "partial");
    for (const char type : "ACSGHW"s) CHECK(shown(bytes_of(type, "", 4 + max_short_message + 1)) == long_one);
    for (const char type : "ENTt"s) {
        CHECK(shown(bytes_of(type, "", 4 + max_message)) == "partial");
        CHECK(shown(bytes_of(type, "", 4 + max_message + 1)) == long_one);
    }
}

TEST_CASE("PostgreSQL rows: counts and lengths are exact") {
    CHECK(row("\0\0"s) == "");
    CHECK(row("\0\2\0\0\0\1x\xff\xff\xff\xff"s) == "x|-|");
    CHECK(row("\0\1\0\0\0\0"s) == "|");
    for (const std::string& bad : {""s, "\0"s, "\0\1"s, "\0\1\0\0\0"s, "\0\1\0\0\0\2x"s, "\0\1\xff\xff\xff\xfe"s,
                                   "\0\1\x7f\xff\xff\xff"s, "\0\0x"s, "\0\1\0\0\0\0x"s, "\xff\xff\0\0\0\0"s})
        CHECK(row(bad) == "malformed");
    CHECK(is_row("\0\1\0\0\0\0"s, 1));
    CHECK_FALSE(is_row("\0\1\0\0\0\0"s, 2));
    CHECK_FALSE(is_row("\0\1\0\0\0\1"s, 1));
}

TEST_CASE("PostgreSQL descriptions, errors and states") {
    const std::string column = "n\0"s + "\0\0\0\1\0\2\0\0\0\x17\0\4\xff\xff\xff\xff\0\1"s;
    std::vector<std::string> names;
    const auto read = [&](std::string_view body) {
        names.clear();
        return read_columns(body, [&](const postgres::column& c) {
            names.push_back(std::string(c.name) + ' ' + std::to_string(c.type));
        });
    };
    CHECK(read("\0\2"s + column + column));
    CHECK(names == std::vector<std::string>{"n 23", "n 23"});
    CHECK(read("\0\0"s));
    CHECK_FALSE(read("\0\1"s));
    CHECK_FALSE(read("\0\1n"s));
    CHECK_FALSE(read("\0\1"s + column + "x"));
    CHECK_FALSE(read("\0\2"s + column));
    CHECK_FALSE(read("\xff\xff"s + column));

    std::vector<std::uint32_t> types;
    const auto note = [&](std::uint32_t t) { types.push_back(t); };
    CHECK(read_parameters("\0\2\0\0\0\x17\0\0\0\x19"s, note));
    CHECK(types == std::vector<std::uint32_t>{23, 25});
    CHECK_FALSE(read_parameters("\0\1\0\0\0"s, note));
    CHECK_FALSE(read_parameters("\0\0x"s, note));
    CHECK_FALSE(read_parameters("\0"s, note));

    CHECK(fields("C42601\0Mno\0\0"s) == "C42601|Mno|");
    for (const std::string& bad : {""s, "C"s, "C42601"s, "C42601\0"s, "C42601\0\0x"s})
        CHECK(fields(bad) == "malformed");

    CHECK(read_tag("INSERT 0 5\0"s) == "INSERT 0 5");
    CHECK_FALSE(read_tag("INSERT 0 5"s));
    CHECK_FALSE(read_tag("INSERT 0 5\0x"s));
    for (const auto& [tag, rows] : std::vector<std::pair<std::string, int>>{{"INSERT 0 5", 5},
                                                                            {"UPDATE 3", 3},
                                                                            {"DELETE 0", 0},
                                                                            {"MERGE 2", 2},
                                                                            {"COPY 7", 7},
                                                                            {"SELECT 9", 0},
                                                                            {"FETCH 9", 0},
                                                                            {"BEGIN", 0},
                                                                            {"UPDATE", 0},
                                                                            {"UPDATE -4", 0},
                                                                            {"", 0},
                                                                            {"UPDATE 99999999999999999999", 0}})
        CHECK(changed_rows(tag) == rows);

    CHECK(read_ready("T") == transaction_state::open);
    CHECK_FALSE(read_ready("X"));
    CHECK_FALSE(read_ready(""));
    const std::string notification = "\0\0\0\7a\0b\0"s;
    const auto n = read_notification(notification);
    REQUIRE(n);
    CHECK(std::string(n->channel) + '=' + std::string(n->payload) == "a=b");
    for (const std::string& bad : {""s, "\0\0\0\7"s, "\0\0\0\7a\0b"s, "\0\0\0\7a\0b\0c"s})
        CHECK_FALSE(read_notification(bad));
    CHECK(is_copy_response("\0\0\1\0\0"s));
    for (const std::string& bad : {"\0\0"s, "\2\0\0"s, "\0\0\1"s, "\0\0\1\0\0\0"s}) CHECK_FALSE(is_copy_response(bad));
}

TEST_CASE("PostgreSQL requests are written as the protocol says") {
    std::string to;
    append_parse(to, "s", "select $1");
    CHECK(std::exchange(to, {}) == "P\0\0\0\x12s\0select $1\0\0\0"s);
    append_describe_statement(to, "s");
    append_describe_portal(to);
    CHECK(std::exchange(to, {}) == "D\0\0\0\x7Ss\0D\0\0\0\6P\0"s);
    append_execute(to);
    append_sync(to);
    append_close_statement(to, "s");
    CHECK(std::exchange(to, {}) == "E\0\0\0\x9\0\0\0\0\0S\0\0\0\4C\0\0\0\7Ss\0"s);
    append_query(to, "a;b");
    append_copy_data(to, "\0\1"s);
    append_copy_done(to);
    CHECK(std::exchange(to, {}) ==
          "Q\0\0\0\x8"
          "a;b\0d\0\0\0\6\0\1c\0\0\0\4"s);

    to = "before";
    bind_writer bind(to, "s", 3);
    bind.value() += "text";
    bind.end_value(false);
    bind.add_null();
    append<std::int16_t>(bind.value(), 7);
    bind.end_value(true);
    bind.end();
    CHECK(bind.size() == 1 + 0x27);
    CHECK(std::exchange(to, {}) ==
          "beforeB\0\0\0\x27\0s\0\0\3\0\0\0\0\0\1\0\3\0\0\0\4text\xff\xff\xff\xff\0\0\0\2\0\7\0\1\0\1"s);
}
