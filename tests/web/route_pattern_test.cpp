// SPDX-License-Identifier: Apache-2.0
#include "web/route_pattern.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using apus::web::read_route;

namespace {

// Returns "a {b} {c...}" for the segments of a route, or why the route is invalid.
std::string seen(std::string_view route) {
    using kind = apus::web::route_pattern::kind;
    try {
        std::string text;
        for (const auto& segment : read_route(route).segments) {
            const std::string name(segment.text);
            if (!text.empty()) text += ' ';
            text += segment.what == kind::text      ? "'" + name + "'"
                    : segment.what == kind::capture ? "{" + name + "}"
                                                    : "{" + name + "...}";
        }
        return text;
    } catch (const std::logic_error& e) {
        return e.what();
    }
}

struct row {
    std::string route;
    std::string seen;
};

}  // namespace

TEST_CASE("a pattern is parsed segment by segment") {
    const row rows[] = {
        {"/", "''"},
        {"/a", "'a'"},
        {"/a/", "'a' ''"},
        {"/a/{id}", "'a' {id}"},
        {"/{a}/b/{c...}", "{a} 'b' {c...}"},
        {"/{a}/{aa}/{aaa...}", "{a} {aa} {aaa...}"},
        {"/%7Ejoe/x.json", "'%7Ejoe' 'x.json'"},
    };
    for (const auto& row : rows) CHECK(seen(row.route) == row.seen);
}

TEST_CASE("invalid patterns have a reason") {
    const row rows[] = {
        {"", "route \"\": a route must start with '/'"},
        {"a", "route \"a\": a route must start with '/'"},
        {"/{a", "route \"/{a\": unmatched '{' in a route"},
        {"/a}", "route \"/a}\": unmatched '}' in a route"},
        {"/{}", "route \"/{}\": a capture must have a name, such as {id}"},
        {"/{...}", "route \"/{...}\": a capture must have a name, such as {id}"},
        {"/{...}", "route \"/{...}\": a capture must have a name, such as {id}"},
        {"/{a}/{a}", "route \"/{a}/{a}\": two captures of a route have the same name"},
        {"/{a}/{a...}", "route \"/{a}/{a...}\": two captures of a route have the same name"},
        {"/{a...}/b", "route \"/{a...}/b\": a rest capture, {name...}, must be last in a route"},
        {"/x{a}", "route \"/x{a}\": a capture must be a whole segment, from slash to slash"},
        {"/{a}.json", "route \"/{a}.json\": a capture must be a whole segment, from slash to slash"},
        {"/a?b", "route \"/a?b\": a route contains a character that is not allowed in a path: percent-encode it"},
        {"/a b", "route \"/a b\": a route contains a character that is not allowed in a path: percent-encode it"},
        {"/\xc3\xa9",
         "route \"/\xc3\xa9\": a route contains a character that is not allowed in a path: percent-encode it"},
    };
    for (const auto& row : rows) CHECK(seen(row.route) == row.seen);
}

TEST_CASE("a route captures at most 16 values") {
    std::string route;
    for (char c = 'a'; c < 'a' + 17; ++c) route.append("/{").append(1, c).append("}");
    CHECK(seen(route) == "route \"" + route + "\": a route captures at most 16 values");
}

TEST_CASE("captures have names") {
    using apus::web::capture_name;
    CHECK(capture_name("/a/{id}/{rest...}", 0) == "id");
    CHECK(capture_name("/a/{id}/{rest...}", 1) == "rest");
    CHECK(capture_name("/a/{id}/{rest...}", 2).empty());
    CHECK(capture_name("", 0).empty());
}
