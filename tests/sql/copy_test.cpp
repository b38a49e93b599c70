// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"

#include <apus/json.hpp>
#include <apus/rules.hpp>
#include <apus/sql.hpp>
#include <apus/test/database.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

namespace sql = apus::sql;
using apus::task;
using apus::test::postgres;
using apus::test::running_task;
using apus::test::temporary_database;

namespace {

constexpr sql::migration_file copied_files[] = {
    {"0001_a.sqlite.up.sql", "create table item (id integer primary key, title text not null)"},
    {"0002_b.sqlite.up.sql",
     "create table wide (id integer, yes integer, number real, words text, bytes blob, none integer, at text, list "
     "text, data text)"},
    {"0001_a.postgres.up.sql", "create table item (id bigint primary key, title text not null)"},
    {"0002_b.postgres.up.sql",
     "create table wide (id bigint, yes boolean, number double precision, words text, bytes bytea, none int, at "
     "timestamptz, list text[], data jsonb)"},
};

struct item {
    std::int64_t id;
    std::string title;
};

struct inner {
    int a = 0;
    std::string b;
    bool operator==(const inner&) const = default;
};

struct wide {
    std::int64_t id;
    bool yes;
    double number;
    std::string words;
    std::vector<unsigned char> bytes;
    std::optional<int> none;
    std::chrono::sys_time<std::chrono::microseconds> at;
    std::vector<std::string> list;
    inner data;
    bool operator==(const wide&) const = default;
};

void copy_on(const std::string& url, const std::function<task<>(sql::database)>& check) {
    CAPTURE(url);
    std::string why;
    const apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    running_task<void> running(check(sql::database(url, {.connections = 2})));
    const auto& done = running.wait();
    if (!done) FAIL_CHECK(done.error().status(), " ", done.error().detail(), " ", done.error().cause());
}

void copy_on_postgres(const std::function<task<>(sql::database)>& check) {
    const temporary_database served(postgres::shared(), copied_files);
    copy_on(served.url(), check);
}

void copy_on_both(const std::function<task<>(sql::database)>& check) {
    const temporary_database file(copied_files);
    copy_on(file.url(), check);
    copy_on_postgres(check);
}

auto items(std::int64_t count) {
    return std::views::iota(std::int64_t(1), count + 1) |
           std::views::transform([](std::int64_t id) { return item{id, "item " + std::to_string(id)}; });
}

task<std::int64_t> count(const sql::database& db) { return db.one<std::int64_t>("select count(*) from item"); }

template <class T>
task<int> status_of(task<T> t) {
    auto done = co_await std::move(t).outcome();
    co_return done ? 200 : done.error().status();
}

}  // namespace

TEST_CASE("copy_in: 100,000 rows of a generating range") {
    copy_on_both([](sql::database db) -> task<> {
        CHECK(co_await db.copy_in("item", items(100'000)) == 100'000);
        CHECK(co_await count(db) == 100'000);
        CHECK(co_await db.one<std::string>("select title from item where id = 77777") == "item 77777");
        CHECK(co_await db.copy_in("item", std::vector<item>{}) == 0);
    });
}

TEST_CASE("copy_in: a violated constraint at row 50,000 leaves nothing, and the database works afterwards") {
    copy_on_both([](sql::database db) -> task<> {
        const auto with_duplicate = [](std::int64_t id) { return item{id == 50'000 ? 7 : id, "x"}; };
        auto rows = std::views::iota(std::int64_t(1), std::int64_t(100'001)) | std::views::transform(with_duplicate);
        CHECK(co_await status_of(db.copy_in("item", rows)) == 409);
        CHECK(co_await count(db) == 0);
        auto to = db.copy_in<item>("item");
        int status = 200;
        std::int64_t id = 0;
        while (status == 200 && ++id < 100'000) status = co_await status_of(to.write(with_duplicate(id)));
        CHECK(status == 409);
        CHECK(id >= 50'000);
        CHECK(id < 60'000);  // the producer soon gets the error
        CHECK(co_await status_of(to.write({1, "x"})) == 500);
        CHECK(co_await status_of(to.finish()) == 500);
        CHECK(co_await count(db) == 0);
        CHECK(co_await db.copy_in("item", items(10)) == 10);
    });
}

TEST_CASE("copy_in: values of all kinds arrive as they are") {
    copy_on_both([](sql::database db) -> task<> {
        const auto at =
            std::chrono::sys_time<std::chrono::microseconds>(std::chrono::microseconds(1'795'428'000'123'456));
        std::vector<wide> rows;
        for (const char* words :
             {"", "\\N", "\\.", "a\tb\nc\rd\\e", "NULL", "'\"{},;", "\xc3\xa9\xf0\x9f\x98\x80", "\x01\x7f"})
            rows.push_back({.id = INT64_MIN + static_cast<std::int64_t>(rows.size()),
                            .yes = rows.size() % 2 == 0,
                            .number = 1e300,
                            .words = words,
                            .bytes = {0, 255, '\\', '\n'},
                            .none = rows.size() % 2 ? std::optional(-5) : std::nullopt,
                            .at = at,
                            .list = {words, "b,\"c\"", "\\"},
                            .data = {1, words}});
        CHECK(co_await db.copy_in("wide", rows) == std::ssize(rows));
        CHECK(co_await db.all<wide>("select * from wide order by id") == rows);
    });
}

TEST_CASE("copy_in: invalid rows, tables and columns") {
    copy_on_both([](sql::database db) -> task<> {
        CHECK(co_await status_of(db.copy_in("item", std::vector<item>{{1, "a"}, {2, std::string("a\0b", 3)}})) == 400);
        CHECK(co_await status_of(db.copy_in("item", std::vector<item>{{1, "a"}, {2, "\xff"}})) == 400);
        CHECK(co_await status_of(db.copy_in("item", std::vector<item>{{2, std::string(20U << 20U, 'x')}})) == 413);
        CHECK(co_await status_of(db.copy_in("missing", std::vector<item>{{1, "a"}})) == 500);
        CHECK(co_await status_of(db.copy_in("wide", std::vector<item>{{1, "a"}})) == 500);  // no such column
        for (const sql::text name :
             {sql::text("item; drop table item"), sql::text(""), sql::text("a.b.c"), sql::text("a\"b")})
            CHECK_THROWS_AS((void)db.copy_in<item>(name), std::invalid_argument);
        CHECK(co_await count(db) == 0);
    });
}

TEST_CASE("copy_in: rows of a writer without finish, and of a transaction that is rolled back, are discarded") {
    copy_on_both([](sql::database db) -> task<> {
        {
            auto to = db.copy_in<item>("item");
            for (const item& one : items(5'000)) co_await to.write(one);
        }
        CHECK(co_await count(db) == 0);
        {
            auto t = co_await db.begin();
            CHECK(co_await t.copy_in("item", items(5'000)) == 5'000);
            CHECK(co_await t.one<std::int64_t>("select count(*) from item") == 5'000);
            co_await t.rollback();
        }
        CHECK(co_await count(db) == 0);
        auto t = co_await db.begin();
        co_await t.run("insert into item values (9000, 'x')");
        CHECK(co_await t.copy_in("item", items(5'000)) == 5'000);
        co_await t.commit();
        CHECK(co_await count(db) == 5'001);
    });
}

TEST_CASE("copy_out: rows as text") {
    copy_on_postgres([](sql::database db) -> task<> {
        co_await db.copy_in("item", std::vector<item>{{1, "a,\"b\"\nc"}, {2, "\t\\"}});
        auto csv = db.copy_out("select id, title, null as none from item order by id");
        CHECK(co_await csv.next() == "id,title,none\n1,\"a,\"\"b\"\"\nc\",\n2,\t\\,\n");
        CHECK(co_await csv.next() == std::nullopt);
        CHECK(co_await csv.next() == std::nullopt);
        auto text = db.copy_out("select id, title, null from item order by id", {sql::copy_format::text, false});
        CHECK(co_await text.next() == "1\ta,\"b\"\\nc\t\\N\n2\t\\t\\\\\t\\N\n");
        auto empty = db.copy_out("select 1 where false", {.header = false});
        CHECK(co_await empty.next() == std::nullopt);
        auto large = db.copy_out("select n from generate_series(1, 300000) n", {.header = false});
        std::string all, expected;
        std::size_t longest = 0;
        while (auto piece = co_await large.next()) {
            longest = std::max(longest, piece->size());
            all += *piece;
        }
        for (int n = 1; n <= 300'000; ++n) expected += std::to_string(n) + "\n";
        CHECK(all == expected);
        CHECK(longest < 100'000);
    });
}

TEST_CASE("copy_out: errors, also in the middle, and the database works afterwards") {
    copy_on_postgres([](sql::database db) -> task<> {
        auto missing = db.copy_out("select * from missing");
        CHECK(co_await status_of(missing.next()) == 500);
        CHECK(co_await missing.next() == std::nullopt);
        auto late = db.copy_out("select 1 / (generate_series(1, 300000) - 200000)");
        int status = 200, pieces = 0;
        while (status == 200 && ++pieces < 100) status = co_await status_of(late.next());
        CHECK(status == 500);
        CHECK(pieces > 1);
        {
            auto abandoned = db.copy_out("select generate_series(1, 10000000)");
            CHECK((co_await abandoned.next())->size() > 60'000);
        }
        CHECK(co_await db.one<std::int64_t>("select 1::bigint") == 1);
        auto t = co_await db.begin();
        auto within = t.copy_out("select n from generate_series(1, 100000) n");
        CHECK(co_await within.next());
        CHECK(co_await status_of(t.run("insert into item values (1, 'x')")) == 500);
        while (co_await within.next()) {}
        co_await t.run("insert into item values (1, 'x')");
        co_await t.commit();
        CHECK(co_await count(db) == 1);
    });
    const temporary_database file(copied_files);
    copy_on(file.url(), [](sql::database db) -> task<> {
        auto none = db.copy_out("select 1");
        CHECK(co_await status_of(none.next()) == 501);
    });
}
