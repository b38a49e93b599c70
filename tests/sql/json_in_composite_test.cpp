// SPDX-License-Identifier: Apache-2.0
#include "sql/each_engine.hpp"

#include <apus/field_note.hpp>
#include <apus/secret.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sql = apus::sql;
using apus::task;
using apus::test::on_each_engine;
using apus::test::result_of;

namespace {

// On PostgreSQL, structs in a composite value are JSON if its attributes have the types json and jsonb.
constexpr sql::migration_file files[] = {
    {"0001_shelf.postgres.up.sql",
     "create domain json_text as json;"
     "create type corner as (name text, depth integer);"
     "create type crate as (label text, spot jsonb, spots jsonb, raw json, many jsonb[], numbers jsonb, other "
     "json_text, "
     "corner corner);"
     "create domain named_crate as crate;"
     "create type shelf as (name text, boxes crate[], top named_crate);"
     "create type tree as (n integer, next jsonb);"
     "create table shelf_of (id integer primary key, shelf shelf, spots jsonb[]);"
     "create table tree_of (id integer primary key, tree tree)"},
    {"0001_shelf.sqlite.up.sql",
     "create table shelf_of (id integer primary key, shelf text, spots text);"
     "create table tree_of (id integer primary key, tree text)"},
};

struct spot {
    std::string name;
    std::optional<int> number = std::nullopt;
    std::vector<std::string> tags = {};
    apus::secret<std::string> key{};
    static constexpr apus::field_note fields[] = {{.field = "number", .name = "the number"}};
    bool operator==(const spot& other) const {
        return name == other.name && number == other.number && tags == other.tags && key.reveal() == other.key.reveal();
    }
};
struct corner {
    std::string name;
    std::int64_t depth;
    bool operator==(const corner&) const = default;
};
struct box {
    std::string label;
    spot spot;
    std::vector<struct spot> spots;
    std::optional<struct spot> raw;
    std::vector<std::optional<struct spot>> many;
    std::vector<int> numbers;
    struct spot other;
    corner corner;
    bool operator==(const box&) const = default;
};
struct shelf {
    std::string name;
    std::vector<box> boxes;
    std::optional<box> top;
    bool operator==(const shelf&) const = default;
};
struct shelf_of {
    int id;
    std::optional<shelf> shelf;
    std::vector<spot> spots;
    bool operator==(const shelf_of&) const = default;
};
struct tree {
    int n;
    std::vector<tree> next;
    bool operator==(const tree&) const = default;
};
struct tree_of {
    int id;
    tree tree;
};

const spot hostile{.name = "a\"b\\c,(d)'{e}[f]\nNULL \U0001f426",
                   .number = -1,
                   .tags = {"", "}", "\\\"", "]", ":,"},
                   .key = apus::secret<std::string>("s{\"")};

box box_of(const spot& s) {
    return {.label = s.name,
            .spot = s,
            .spots = {s, {.name = ""}},
            .raw = s,
            .many = {s, std::nullopt, spot{.name = "m"}},
            .numbers = {1, 2},
            .other = s,
            .corner = {s.name, 5}};
}

tree nested(unsigned levels) {
    tree made{0, {}};
    for (unsigned i = 1; i < levels; ++i) {
        tree around{static_cast<int>(i), {}};
        around.next.push_back(std::move(made));
        made = std::move(around);
    }
    return made;
}

template <class F>
void with_database(F f) {
    on_each_engine(files, [&](const std::string& url) {
        const auto done = result_of(f(sql::database(url), url.starts_with("sqlite")));
        CHECK_MESSAGE(done.has_value(), std::string(done ? "" : done.error().cause()));
    });
}

}  // namespace

TEST_CASE("composite: structs in attributes of the types json and jsonb are read as they were stored") {
    with_database([](sql::database db, bool sqlite) -> task<> {
        const spot simple{.name = "s"};
        const shelf_of all[] = {
            {1, std::nullopt, {}},
            {2, shelf{"one", {box_of(simple), box_of(hostile)}, box_of(hostile)}, {simple, hostile}},
            {3, shelf{"", {}, std::nullopt}, {hostile}},
        };
        for (const shelf_of& each : all) CHECK(co_await db.run("insert into shelf_of values ($1, $2, $3)", each) == 1);
        for (const shelf_of& each : all)
            CHECK(co_await db.one<shelf_of>("select * from shelf_of where id = $1", each.id) == each);
        if (sqlite) co_return;
        CHECK(co_await db.one<std::string>(
                  "select ((shelf).boxes[2].spot)->>'the number' from shelf_of where id = 2") == "-1");
        CHECK(co_await db.one<std::string>("select ((shelf).top).numbers::text from shelf_of where id = 2") ==
              "[1, 2]");
        CHECK(co_await db.one<std::int64_t>("select cardinality(((shelf).boxes[1]).many) from shelf_of where id = 2") ==
              3);
    });
}

TEST_CASE("composite: invalid texts and too large or too deep values in JSON attributes are errors") {
    on_each_engine(files, [](const std::string& url) {
        const bool sqlite = url.starts_with("sqlite");
        const sql::database db(url, {.value_size = 4'000});
        const auto store = [&](const spot& s) {
            const auto done = result_of(db.run("insert into shelf_of values (1, $1, $2)",
                                               std::optional(shelf{"s", {box_of(s)}, {}}), std::vector<spot>{}));
            (void)result_of(db.run("delete from shelf_of"));
            return done ? 200 : done.error().status();
        };
        CHECK(store({.name = "ok"}) == 200);
        CHECK(store({.name = std::string(5'000, 'x')}) == 413);
        CHECK(store({.name = std::string(1'000, '"')}) == 413);  // escaping enlarges it
        for (const std::string& text : {std::string("a\0b", 3), std::string("\xff"), std::string("\xed\xa0\x80")})
            if (!sqlite) CHECK(store({.name = text}) == 400);
        for (const unsigned levels : {1U, 15U, 100U}) {
            CAPTURE(levels);
            const auto stored = result_of(db.run("insert into tree_of values (1, $1)", std::optional(nested(levels))));
            if (levels < 100) {
                REQUIRE_MESSAGE(stored, std::string(stored ? "" : stored.error().cause()));
                CHECK(result_of(db.one<tree_of>("select * from tree_of"))->tree == nested(levels));
            } else if (!sqlite) {
                CHECK(stored.error().status() == 422);
            }
            CHECK(result_of(db.run("delete from tree_of")));
        }
    });
}

TEST_CASE("composite: JSON of another form than the struct is an error") {
    const apus::test::temporary_database server(apus::test::postgres::shared(), files);
    std::string why;
    const apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    const sql::database db(server.url());
    const std::string deep = R"({"n":1,"next":)" + std::string(5'000, '[') + std::string(5'000, ']') + "}";
    const std::optional<std::string> cases[] = {"{}", "7", "null", R"([{"n":"x","next":[]}])", "[" + deep + "]",
                                                {},   "[]"};
    for (const auto& json : cases) {
        CAPTURE(json.value_or("NULL"));
        REQUIRE(result_of(db.run("insert into tree_of values (1, row(1, $1::text::jsonb)::tree)", json)));
        const auto read = result_of(db.one<tree_of>("select * from tree_of"));
        if (json == "[]") CHECK(read->tree == tree{1, {}});
        else CHECK(read.error().status() == 500);
        REQUIRE(result_of(db.run("delete from tree_of")));
    }
    // A struct for an attribute of another type, and an attribute that the struct does not have.
    CHECK(sql::failure_of(result_of(db.run("select $1::corner", std::optional(box{}))))->state == "22P02");
    CHECK(sql::failure_of(result_of(db.run("select $1::crate", std::optional(corner{"a", 1}))))->state == "22P02");
}
