// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"
#include "sql/each_engine.hpp"

#include <apus/sql.hpp>
#include <apus/test/database.hpp>

#include <doctest/doctest.h>

#include <string>

namespace sql = apus::sql;
using apus::test::on_each_engine;
using apus::test::result_of;

namespace {

constexpr sql::migration_file files[] = {
    {"0001_a.up.sql",
     "create table author (id integer primary key, name text not null unique);"
     "create table book (id integer primary key, author integer references author (id),"
     " pages integer, constraint some_pages check (pages > 0))"},
};

apus::error own_error(const sql::statement_failure& what, apus::error why) {
    if (what.is_unique_violation()) return {422, "in use"};
    if (what.is_check_violation()) return why.with("rule", what.constraint);
    if (what.is_unavailable()) return apus::error(503, "later").header("retry-after", "60");
    return why;
}

}  // namespace

TEST_CASE("sql: errors of statements have SQLSTATE, constraint and column") {
    on_each_engine(files, [](const std::string& url) {
        const sql::database db(url);
        REQUIRE(result_of(db.run("insert into author (id, name) values (1, 'Ada')")));
        const auto unique = result_of(db.run("insert into author (id, name) values (2, 'Ada')"));
        const auto* what = sql::failure_of(unique);
        REQUIRE(what);
        CHECK(unique.error().status() == 409);
        CHECK(what->is_unique_violation());
        CHECK(what->state == "23505");
        CHECK(what->constraint == (url.starts_with("sqlite") ? "author.name" : "author_name_key"));
        CHECK(what->table == "author");
        CHECK(what->column == (url.starts_with("sqlite") ? "name" : ""));
        const apus::error copy = unique.error();
        CHECK(sql::failure_of(copy) == what);

        const auto null = result_of(db.run("insert into author (id, name) values (3, null)"));
        REQUIRE(sql::failure_of(null));
        CHECK(sql::failure_of(null)->is_null_violation());
        CHECK(sql::failure_of(null)->table == "author");
        CHECK(sql::failure_of(null)->column == "name");

        const auto check = result_of(db.run("insert into book (id, pages) values (1, 0)"));
        REQUIRE(sql::failure_of(check));
        CHECK(sql::failure_of(check)->is_check_violation());
        CHECK(sql::failure_of(check)->constraint == "some_pages");

        const auto reference = result_of(db.run("insert into book (id, author) values (1, 7)"));
        REQUIRE(sql::failure_of(reference));
        CHECK(sql::failure_of(reference)->is_foreign_key_violation());

        CHECK(sql::failure_of(result_of(db.one<std::int64_t>("select count(*) from book"))) == nullptr);
        CHECK(sql::failure_of(result_of(db.one<std::int64_t>("select id from book"))) == nullptr);  // 404
    });
    CHECK(sql::failure_of(apus::error(409, "no")) == nullptr);
}

TEST_CASE("sql: a database maps the errors of its statements") {
    on_each_engine(files, [](const std::string& url) {
        const sql::database db(url, {.map_error = own_error});
        REQUIRE(result_of(db.run("insert into author (id, name) values (1, 'Ada')")));
        const auto unique = result_of(db.run("insert into author (id, name) values (2, 'Ada')"));
        CHECK(unique.error().status() == 422);
        CHECK(unique.error().detail() == "in use");
        CHECK(unique.error().cause().starts_with("SQLSTATE 23505 constraint author"));
        REQUIRE(sql::failure_of(unique));
        CHECK(sql::failure_of(unique)->is_unique_violation());
        const auto check = result_of(db.run("insert into book (id, pages) values (1, 0)"));
        CHECK(check.error().status() == 422);
        CHECK(check.error().member("rule") == "\"some_pages\"");
        CHECK(result_of(db.run("insert into book (id, author) values (1, 7)")).error().status() == 409);
        CHECK(result_of(db.run("insert into author (id, name) values (3, null)")).error().status() == 500);
        const sql::database plain(url);
        CHECK(result_of(plain.run("insert into author (id, name) values (2, 'Ada')")).error().status() == 409);
    });
    std::string why;
    apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    const sql::database none("postgres://%2Fnowhere/x",
                             {.connect_timeout = apus::milliseconds(100), .map_error = own_error});
    for (const auto& failed : {result_of(none.run("select 1")), result_of(none.run("select $1", 1))}) {
        CHECK(failed.error().status() == 503);
        CHECK(failed.error().detail() == "later");
        CHECK(sql::failure_of(failed)->state == "08001");
    }
    CHECK(result_of(none.begin()).error().detail() == "later");
}

TEST_CASE("sql: a database maps the errors of listen and notify") {
    std::string why;
    const apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    const sql::database none("postgres://%2Fnowhere/x",
                             {.connect_timeout = apus::milliseconds(100), .map_error = own_error});
    CHECK(result_of(none.notify("a", "b")).error().detail() == "later");
    auto changes = none.listen("a");
    const auto failed = result_of(changes.next());
    CHECK(failed.error().detail() == "later");
    CHECK(sql::failure_of(failed)->state == "08001");
}
