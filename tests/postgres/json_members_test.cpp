// SPDX-License-Identifier: Apache-2.0
#include "postgres/json_members.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

std::vector<std::string> values(std::string_view json) {
    apus::postgres::json_members members(json);
    std::vector<std::string> found;
    for (int i = 0; i < 4; ++i) found.emplace_back(members.next());
    return found;
}

}  // namespace

TEST_CASE("values of a JSON object or array are found in order, and texts that end early do no harm") {
    using list = std::vector<std::string>;
    const struct {
        std::string_view json;
        list values;
    } cases[] = {
        {R"({"a":1,"b":"x"})", {"1", R"("x")", "", ""}},
        {R"({"a\"},":{"c":[1,"]}"]},"b":[]})", {R"({"c":[1,"]}"]})", "[]", "", ""}},
        {R"(["a","b\\",{"x":"\"}"},null])", {R"("a")", R"("b\\")", R"({"x":"\"}"})", "null"}},
        {"{}", {"", "", "", ""}},
        {"[]", {"", "", "", ""}},
        {"", {"", "", "", ""}},
        {R"({"a":"x\)", {R"("x\)", "", "", ""}},
        {R"({"a)", {"", "", "", ""}},
        {"[[[", {"[[", "", "", ""}},
        {"[1", {"1", "", "", ""}},
    };
    for (const auto& one : cases) {
        CAPTURE(one.json);
        CHECK(values(one.json) == one.values);
    }
}
