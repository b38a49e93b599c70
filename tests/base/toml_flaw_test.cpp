// SPDX-License-Identifier: Apache-2.0
#include "base/toml_flaw.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::base::find_flaw;
using apus::base::max_nesting;

namespace {

std::string repeated(std::string_view part, unsigned count) {
    std::string all;
    while (count-- > 0) all += part;
    return all;
}

}  // namespace

TEST_CASE("nesting and characters are checked before toml++ sees them") {
    const struct {
        std::string toml;
        unsigned line;
    } cases[] = {
        {"", 0},
        {"a = 1\nb.c = [1.5, {d.e = 2}]\n", 0},
        {"a" + repeated(".a", max_nesting) + " = 1", 0},
        {"\na" + repeated(".a", max_nesting + 1) + " = 1", 2},
        {"[a" + repeated(" . a", max_nesting) + "]", 1},
        {"a = " + repeated("[", max_nesting), 0},
        {"a = " + repeated("[", max_nesting + 1), 1},
        {"a = " + repeated("[\n", max_nesting + 1), max_nesting + 1},
        {repeated("a = {a.a = ", max_nesting / 2 + 1), 1},
        {"a = [" + repeated("{b.c = 1.5},\n", 1000) + "]", 0},
        {repeated("a.b = 1\n", 1000), 0},
        {"a = \"" + repeated(".", 1000) + "\"", 0},
        {"a = '" + repeated("[", 1000) + "' # " + repeated(".", 1000), 0},
        {"a = '''" + repeated("[\n'", 1000) + "'''\n" + repeated("[", 1000), 1002},
        {"a = \"\"\"" + repeated("[\\\"\n", 1000) + "\"\"\"\"\" # " + repeated(".", 99), 0},
        {"a = \"\\\"" + repeated("[", 1000) + "\"", 0},
        {"a = \"" + repeated("[", 1000), 0},     // an open string
        {"a = \"x\n" + repeated("[", 1000), 2},  // invalid; toml++ stops at the first line
        {repeated("]", 1000) + repeated("}", 1000), 0},
        {"\"", 0},
        {"\"\\", 0},
        {"'''", 0},
        {"\xef\xbb\xbf"
         "a = 1",
         0},
        {"a = 1\n\xc4\x91 = 2", 2},
        {"a = '\xc4\x91' # \xc4\x91 \x7f", 0},
        {"a\x7f", 1},
        {"a\v", 1},
        {"a\t= 1\r\n", 0},
        {std::string(1, '\0'), 1},
    };
    for (const auto& [toml, line] : cases) {
        CAPTURE(toml.substr(0, 40));
        CHECK(find_flaw(toml).line == line);
    }
}
