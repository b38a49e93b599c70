// SPDX-License-Identifier: Apache-2.0
#include "base/json_string.hpp"

#include <doctest/doctest.h>

using apus::base::append_json_string;

TEST_CASE("any bytes become a JSON string") {
    const struct {
        std::string_view bytes;
        std::string_view text;
    } rows[] = {
        {"", R"("")"},
        {"plain", R"("plain")"},
        {"a\"b\\c/", R"("a\"b\\c/")"},
        {"\n\x1f\x7f", R"("\u000a\u001f\u007f")"},
        {"\xc3\xa4", "\"\xc3\xa4\""},
        {"\xc3", R"("\ufffd")"},
        {"\xed\xa0\x80", R"("\ufffd\ufffd\ufffd")"},
    };
    for (const auto& row : rows) {
        std::string out;
        append_json_string(out, row.bytes);
        CHECK(out == row.text);
    }
}
