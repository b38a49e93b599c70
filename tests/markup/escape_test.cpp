// SPDX-License-Identifier: Apache-2.0
#include "markup/escape.hpp"

#include "markup/model.hpp"

#include <doctest/doctest.h>

using namespace apus::markup;

namespace {

struct attack {
    const char* page;
    const char* value;
    const char* sends;
};
constexpr attack attacks[] = {
#include "markup/attacks.inc"
};

}  // namespace

TEST_CASE("escaped values have no effect on their context") {
    CHECK(std::size(attacks) >= 60);
    for (const attack& row : attacks) {
        CAPTURE(row.page);
        CAPTURE(row.value);
        CHECK(sent(row.page, sample(row.value)) == row.sends);
    }
}

TEST_CASE("escaping loses no byte, and leaves no HTML metacharacter") {
    std::string all;
    for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
    for (const escape how :
         {escape::text, escape::whole_url, escape::url_part, escape::script_value, escape::script_string}) {
        std::string out;
        append_escaped(out, how, all);
        const std::string_view inside =
            how == escape::script_value ? std::string_view(out).substr(1, out.size() - 2) : std::string_view(out);
        CHECK(inside.find_first_of("<>\"'") == inside.npos);
        CHECK(inside.find('\0') == inside.npos);
        CHECK(inside.size() <= 9 * all.size());
    }
}
