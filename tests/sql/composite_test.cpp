// SPDX-License-Identifier: Apache-2.0
#include "sql/each_engine.hpp"

#include <apus/rules.hpp>
#include <apus/sql/table.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sql = apus::sql;
using apus::task;
using apus::test::on_each_engine;
using apus::test::result_of;

namespace {

// The columns of structs are composite types on PostgreSQL, and JSON on SQLite.
constexpr sql::migration_file files[] = {
    {"0001_person.postgres.up.sql",
     "create type colour as enum ('red', 'green');"
     "create type place as (street text, number integer, shade colour, at timestamptz, tags text[], old boolean);"
     "create type trip as (name text, stops place[], start place);"
     "create type pair as (a text, b text);"
     "create domain home_place as place;"
     "create table person (id integer primary key, home place not null, work place, other home_place, trips trip[], "
     "shades colour[], settings jsonb)"},
    {"0001_person.sqlite.up.sql",
     "create table person (id integer primary key, home text not null, work text, other text, trips text, shades text, "
     "settings text)"},
};

enum class colour : std::uint8_t {
    red,
    green
};
using moment = std::chrono::sys_time<std::chrono::microseconds>;

struct place {
    std::string street;
    std::optional<int> number;
    colour shade = colour::red;
    moment at{};
    std::vector<std::string> tags = {};
    bool old = false;
    bool operator==(const place&) const = default;
};
struct trip {
    std::string name;
    std::vector<place> stops;
    std::optional<place> start;
    bool operator==(const trip&) const = default;
};
struct settings {
    int size;
    std::vector<place> places;
    bool operator==(const settings&) const = default;
};
struct person {
    int id;
    place home;
    std::optional<place> work;
    std::optional<place> other;
    std::optional<std::vector<trip>> trips;
    std::vector<colour> shades;
    settings settings;
    bool operator==(const person&) const = default;
};

const place simple{.street = "Main", .number = 7};
const place hostile{.street = "a\"b\\c,(d)'{e}\nNULL \U0001f426",
                    .number = std::nullopt,
                    .shade = colour::green,
                    .at = moment(std::chrono::microseconds(1'234'567'890'123'456)),
                    .tags = {"", "NULL", "\"", "{}"},
                    .old = true};

template <class F>
void with_database(F f) {
    on_each_engine(files, [&](const std::string& url) {
        const auto done = result_of(f(sql::database(url), url.starts_with("sqlite")));
        CHECK_MESSAGE(done.has_value(), std::string(done ? "" : done.error().cause()));
    });
}

}  // namespace

TEST_CASE("composite: structs, optional structs and lists of structs are read as they were stored") {
    with_database([](sql::database db, bool) -> task<> {
        const person all[] = {{1, simple, std::nullopt, std::nullopt, std::nullopt, {}, {1, {}}},
                              {2,
                               hostile,
                               hostile,
                               simple,
                               std::vector<trip>{{"t", {simple, hostile}, hostile}, {"", {}, std::nullopt}},
                               {colour::green, colour::red},
                               {2, {hostile}}},
                              {3, {}, place{}, place{}, std::vector<trip>{}, {colour::red}, {3, {simple}}}};
        for (const person& each : all)
            CHECK(co_await db.run("insert into person values ($1, $2, $3, $4, $5, $6, $7)", each) == 1);
        for (const person& each : all)
            CHECK(co_await db.one<person>("select * from person where id = $1", each.id) == each);
        CHECK(co_await db.all<person>("select * from person order by id") ==
              std::vector(std::begin(all), std::end(all)));
        CHECK(co_await db.run("update person set work = $2 where id = $1", 1, std::optional(hostile)) == 1);
        CHECK(co_await db.run("update person set home = $2, work = $3 where id = $1", 2, std::optional(simple),
                              std::nullopt) == 1);

        const sql::table<person> table(db, "person");
        CHECK((co_await table.get(1)).work == hostile);
        CHECK((co_await table.get(2)).work == std::nullopt);
        person other = all[1];
        other.id = 4;
        CHECK(co_await table.insert(other) == other);
        other.home = simple;
        CHECK(co_await table.update(4, other) == other);
    });
}

TEST_CASE("composite: an invalid text in a struct is an error of the client") {
    with_database([](sql::database db, bool sqlite) -> task<> {
        co_await db.run("insert into person (id, home, shades, settings) values (1, $1, $2, $3)", std::optional(simple),
                        std::vector<colour>{}, std::optional(settings{1, {}}));
        for (const std::string& text : {std::string("a\0b", 3), std::string("\xff")}) {
            auto done =
                co_await db.run("update person set work = $1", std::optional(place{.street = text, .number = 1}))
                    .outcome();
            if (!sqlite) CHECK(done.error().status() == 400);
        }
        if (!sqlite) CHECK((co_await db.one<person>("select * from person")).work == std::nullopt);
    });
}

namespace {

struct short_place {
    std::string street;
    int number;
};
struct pair {
    std::string a;
    std::int64_t b;
};
struct limited {
    apus::text<1, 2> a;
    std::string b;
};
template <class T>
struct row_of {
    T v;
};

}  // namespace

TEST_CASE("composite: values that do not match the struct are errors") {
    const apus::test::temporary_database server(apus::test::postgres::shared(), files);
    std::string why;
    const apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    const sql::database db(server.url());
    const auto cause = [](const auto& failed) { return std::string(failed ? "" : failed.error().cause()); };
    const auto fields =
        result_of(db.one<row_of<short_place>>("select row('a', 1, 'red', now(), null, true)::place as v"));
    CHECK(cause(fields).find("column v of type  holds a composite value, field v takes") == 0);
    CHECK(cause(result_of(db.one<row_of<pair>>("select row('a', 'b')::pair as v"))).find("a composite value") !=
          std::string::npos);
    CHECK(cause(result_of(db.one<row_of<pair>>("select row('a', null)::pair as v"))).find("a composite value") !=
          std::string::npos);
    CHECK(cause(result_of(db.one<row_of<limited>>("select row('abc', 'b')::pair as v"))).find("a composite value") !=
          std::string::npos);
    CHECK(
        cause(result_of(db.one<row_of<std::string>>("select row('abc', 'b')::pair as v"))).find("a composite value") !=
        std::string::npos);
    const auto record = result_of(db.one<row_of<pair>>("select row('x'::text, 7::bigint) as v"));
    REQUIRE_MESSAGE(record, cause(record));
    CHECK(record->v.b == 7);
    const auto rows = result_of(db.one<row_of<std::vector<pair>>>(
        "select array(select row(n::text, n::bigint) from generate_series(1, 3) n) as v"));
    REQUIRE_MESSAGE(rows, cause(rows));
    CHECK(rows->v.size() == 3);
    CHECK(rows->v[2].b == 3);
    // The server checks the number and the types of the fields of a parameter.
    const auto sent = result_of(db.run("select $1::place", std::optional(short_place{"a", 1})));
    CHECK(sql::failure_of(sent)->state == "22P02");
    const auto wrong = result_of(db.run("select $1::place", std::optional(limited{{}, "x"})));
    CHECK(sql::failure_of(wrong)->state == "22P02");
}

TEST_CASE("composite: types of parameters are asked for once, also in a transaction and after an error") {
    const apus::test::temporary_database server(apus::test::postgres::shared(), files);
    std::string why;
    const apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    for (const bool prepared : {true, false}) {
        const sql::database db(server.url(), {.connections = 1, .prepared_statements = prepared});
        auto t = result_of(db.begin());
        REQUIRE(t);
        for (int i = 0; i < 2; ++i)
            CHECK(result_of(t->one<std::string>("select ($1::place).street", std::optional(simple))).value() == "Main");
        CHECK(sql::failure_of(result_of(t->run("select 1 / 0")))->state == "22012");
        CHECK(
            sql::failure_of(result_of(t->one<std::string>("select ($1::trip).name", std::optional(trip{"n", {}, {}}))))
                ->state == "25P02");
        REQUIRE(result_of(t->rollback()));
        CHECK(result_of(db.one<std::string>("select ($1::trip).name", std::optional(trip{"n", {}, {}}))).value() ==
              "n");
        CHECK(result_of(db.run("create type late as (a text, b bigint)")));
        CHECK(result_of(db.one<std::int64_t>("select ($1::late).b", std::optional(pair{"a", 5}))).value() == 5);
        CHECK(result_of(db.run("drop type late")));
    }
}
