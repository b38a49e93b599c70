// SPDX-License-Identifier: Apache-2.0
#include "markup/tag.hpp"

#include <doctest/doctest.h>

using namespace apus::markup;

TEST_CASE("a file is split into text and tags, with line numbers") {
    tag_reader reader("a.html", "a\n  {{if not b.c}}  \nd {{e}}\n{{include \"f}}\" g=\"h\" i=j.k}}\n{{! {{ }}");
    struct {
        tag::is what;
        unsigned line;
        std::string_view keyword;
    } const expected[] = {
        {tag::is::text, 1, "a\n"}, {tag::is::branch, 2, "if"},
        {tag::is::text, 3, "d "},  {tag::is::value, 3, "e"},
        {tag::is::text, 3, "\n"},  {tag::is::include, 4, "include"},
        {tag::is::comment, 5, ""}, {tag::is::end_of_file, 5, "end of file"},
    };
    for (const auto& row : expected) {
        const tag found = reader.next();
        CHECK(found.what == row.what);
        CHECK(found.line == row.line);
        CHECK(std::string(found.keyword) == std::string(row.keyword));
        if (found.what == tag::is::branch)
            CHECK((found.negated && found.value.path.size() == 2 && found.value.path[1] == "c"));
        if (found.what != tag::is::include) continue;
        CHECK(found.name == "f}}");
        REQUIRE(found.arguments.size() == 2);
        CHECK(found.arguments[0].value.text == "h");
        CHECK(found.arguments[1].value.path.size() == 2);
    }
}
