// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "codec/http1/head_reading.hpp"
#include "codec/http1/refusals.hpp"

#include <string>

using namespace apus;
using namespace apus::codec::http1;
using codec::outcome;
using test::read_head;
using namespace std::string_view_literals;

namespace {

struct line_read {
    std::string_view line;
    std::string_view name;
    std::string_view value;
};

constexpr line_read lines[] = {
    {"X:", "X", ""},
    {"X:y", "X", "y"},
    {"X: y", "X", "y"},
    {"X: \t y \t ", "X", "y"},
    {"X:  \t ", "X", ""},
    {"X: a\tb  c", "X", "a\tb  c"},
    {"12345: b", "12345", "b"},
    {"!#$%&'*+-.^_`|~: b", "!#$%&'*+-.^_`|~", "b"},
    {"A-Name-That-Is-Longer-Than-One-Block: v", "A-Name-That-Is-Longer-Than-One-Block", "v"},
    {"X_Y-Long_Name.With~Rare_Marks_In_It: v", "X_Y-Long_Name.With~Rare_Marks_In_It", "v"},
    {"X: (),/:;<=>?@[\\]{}\"", "X", "(),/:;<=>?@[\\]{}\""},
    {"X: caf\xe9 \xff\x80", "X", "caf\xe9 \xff\x80"},
};

struct line_refused {
    std::string_view line;
    const codec::refusal* why;
};

constexpr line_refused bad_lines[] = {
    {" X: y"sv, &refusals::folded_line},
    {"\tX: y"sv, &refusals::folded_line},
    {": y"sv, &refusals::name_empty},
    {":"sv, &refusals::name_empty},
    {"X : y"sv, &refusals::space_before_colon},
    {"X\t: y"sv, &refusals::space_before_colon},
    {"X Y: z"sv, &refusals::space_before_colon},
    {"X(: y"sv, &refusals::name_byte},
    {"\"X\": y"sv, &refusals::name_byte},
    {"X\0: y"sv, &refusals::name_byte},
    {"Caf\xe9: y"sv, &refusals::name_byte},
    {"nocolon"sv, &refusals::colon_missing},
    {"no\rcolon: x"sv, &refusals::bare_cr},
    {"no\ncolon: x"sv, &refusals::bare_lf},
    {"X: a\0b"sv, &refusals::value_byte},
    {"X: a\x01"sv, &refusals::value_byte},
    {"X: a\x7f"sv, &refusals::value_byte},
    {"X: \x0b"sv, &refusals::value_byte},
    {"X: a\nY: b"sv, &refusals::bare_lf},
    {"X: a\rY: b"sv, &refusals::bare_cr},
    {"X: a\r"sv, &refusals::bare_cr},
};

std::string head_of(std::string_view line) { return "GET / HTTP/1.1\r\nHost: a\r\n" + std::string(line) + "\r\n\r\n"; }

}  // namespace

TEST_CASE("field lines are parsed") {
    for (const auto& [line, name, value] : lines) {
        CAPTURE(line);
        const std::string bytes = head_of(line);
        CHECK(read_head(bytes).state == outcome::done);
        request_head head;
        read_request_head(bytes, test::usual_limits, head);
        REQUIRE(head.field_count == 2);
        CHECK(head.fields[1].name.in(bytes.data()) == name);
        CHECK(head.fields[1].value.in(bytes.data()) == value);
    }
}

TEST_CASE("rejected field lines have a reason") {
    for (const auto& [line, why] : bad_lines) {
        CAPTURE(line);
        const auto seen = read_head(head_of(line));
        CHECK(seen.state == outcome::bad);
        REQUIRE(seen.why != nullptr);
        CHECK(std::string_view(seen.why->reason) == why->reason);
        CHECK(seen.why->status == 400);
    }
}

TEST_CASE("each byte is accepted in a name or value as the grammar says, at any position") {
    for (unsigned b = 0; b < 256; ++b) {
        const char c = static_cast<char>(b);
        if (c == ':') continue;
        for (const std::size_t before : {1U, 3U, 15U, 16U, 40U}) {
            CAPTURE(b);
            const std::string run(before, 'a');
            const bool in_name = read_head(head_of(run + c + "a: v")).state == outcome::done;
            const bool in_value = read_head(head_of("X: " + run + c + "a")).state == outcome::done;
            CHECK(in_name == base::is(c, base::token_byte));
            CHECK(in_value == base::is(c, base::value_byte));
        }
    }
}
