// SPDX-License-Identifier: Apache-2.0
#include "postgres/engine.hpp"

#include "postgres/database.hpp"

#include <limits>
#include <list>
#include <vector>

using namespace apus;
using support::postgres_server;
using test::database;
using test::running_task;

TEST_CASE("statements run, with parameters and results of all kinds") {
    test::on_each_backend([](database& db) {
        CHECK(db.query("select 1") == "1");
        CHECK(db.query("create table t (id bigint primary key, name text not null, at timestamptz)") == "0");
        CHECK(db.query("insert into t values ($1, $2, '2026-11-23 10:00:00Z')", 7, std::string("x'\"\\;--")) == "1");
        CHECK(db.query("select id, name, at from t where id = $1", 7) == "7|x'\"\\;--|@1795428000000000");
        CHECK(db.query("update t set name = $1", std::string()) == "1");
        CHECK(db.query("select name = '', null::int from t") == "true|null");
        CHECK(db.query("select count(*) from t where id = any($1)", std::vector<std::int64_t>{7, 8}) == "1");
        CHECK(db.query("select $1::int[]", std::vector<int>{1, -2}) == "[1,-2]");
        CHECK(db.query("select $1::text[]", std::vector<std::string>{"a,b", "{}\"\\", "NULL", ""}) ==
              "[a,b,{}\"\\,NULL,]");
    });
}

TEST_CASE("values of the server's types are decoded") {
    database db(postgres_server::shared().url());
    CHECK(
        db.query("select 32767::int2, (-2147483648)::int4, (-9223372036854775808)::int8, 1.5::float4, 'NaN'::float8") ==
        "32767|-2147483648|-9223372036854775808|1.5|nan");
    CHECK(db.query("select true, false, 'a'::bpchar, 'b'::varchar, 'c'::name, '\\x00ff'::bytea = $1", std::string()) ==
          "true|false|a|b|c|false");
    CHECK(db.query("select '2026-11-23'::date, '0044-03-15 BC'::date, 'infinity'::date, '-infinity'::timestamptz") ==
          "2026-11-23|0044-03-15 BC|infinity|-infinity");
    CHECK(db.query("select '1969-12-31 23:59:59.5'::timestamp, '294276-12-31 23:59:59.999999'::timestamp") ==
          "@-500000|294276-12-31T23:59:59.999999");
    CHECK(db.query("select '12:30:00.25'::time, '24:00'::time, '12:30-03:30'::timetz") ==
          "12:30:00.25|24:00:00|12:30:00-03:30");
    CHECK(db.query("select '1 year 2 mons -3 days 04:05:06.7'::interval, '0'::interval, '-0.5s'::interval") ==
          "P1Y2M-3DT4H5M6.7S|PT0S|PT-0.5S");
    CHECK(db.query("select 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid") == "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11");
    CHECK(db.query("select '{\"a\": 1}'::json, '{\"a\":1}'::jsonb, '{}'::int[], '{a,NULL}'::text[]") ==
          "{\"a\": 1}|{\"a\": 1}|[]|[a,null]");
    for (const char* n : {"0", "0.00", "1", "-1", "10000", "123456789.000100", "0.0001", "-0.00005", "1e30", "NaN",
                          "Infinity", "-Infinity", "99999999999999999999999999999999999999.5"}) {
        CAPTURE(n);
        const std::string text = std::string("select '") + n + "'::numeric, '" + n + "'::numeric::text";
        const std::string both = db.query(text);
        CHECK(both.substr(0, both.find('|')) == both.substr(both.find('|') + 1));
    }
    CHECK(db.query("create type mood as enum ('sad', 'glad')") == "0");
    CHECK(db.query("select $1::mood", std::string("glad")) == "glad");
}

TEST_CASE("errors have the server's facts and no values") {
    test::on_each_backend([](database& db) {
        db.query(
            "create table t (id int primary key, n int check (n > 0), u int unique deferrable initially deferred)");
        CHECK(db.query("insert into t values (1, 1, 1)") == "1");
        CHECK(db.query("insert into t values ($1, 1, 2)", 1).starts_with("! 409 SQLSTATE 23505 constraint t_pkey"));
        CHECK(db.query("insert into t values (2, $1, 2)", -4).starts_with("! 422 SQLSTATE 23514"));
        // The commit fails, after the statement itself has returned its result.
        CHECK(db.query("insert into t values (3, 3, $1)", 1).starts_with("! 409 SQLSTATE 23505 constraint t_u_key"));
        CHECK(db.query("select count(*) from t") == "1");
        CHECK(db.query("selec").starts_with("! 500 SQLSTATE 42601"));
        CHECK(db.query("select $1::int", std::string("seven")).starts_with("! 500 SQLSTATE 22P02"));
        CHECK(db.query("select $1::int2", 70'000).starts_with("! 500 SQLSTATE 22003"));
        CHECK(db.query("select $1::int").starts_with("! 500 SQLSTATE 42P02"));
        // an error of the statement, not 504
        CHECK(db.query("select distinct id from t for update").starts_with("! 500 SQLSTATE 0A000"));
        CHECK(db.query("begin").starts_with("! 500 SQLSTATE 25001"));
        CHECK(db.query("select 1") == "1");
    });
}

TEST_CASE("statements of many tasks share a connection, and a failed one does not roll back others") {
    test::on_each_backend(
        [](database& db) {
            db.query("create table t (n int primary key)");
            std::list<running_task<sql::outcome>> all;
            for (int i = 0; i < 500; ++i)
                all.emplace_back(db.engine->execute(db.statement("insert into t values ($1)", i / 2)));
            int failed = 0;
            for (auto& one : all) failed += !one.wait().has_value();
            CHECK(failed == 250);
            CHECK(db.query("select count(*), sum(n) from t") == "250|31125");
            CHECK(db.query("select count(*) from pg_stat_activity where datname = current_database()") == "1");
        },
        {.connections = 1});
}

TEST_CASE("a batch is atomic") {
    test::on_each_backend([](database& db) {
        db.query("create table t (n int primary key)");
        const auto insert = [&](int from, int count) {
            sql::batch b{.text = db.statement("insert into t values ($1)").text,
                         .values = {},
                         .deadline = db.at.loop->now() + db.wait};
            for (int i = 0; i < count; ++i) b.values.push_back(db.statement("", from + i).values);
            return db.run(db.engine->execute_batch(std::move(b)));
        };
        CHECK(insert(0, 1000) == 1000);
        CHECK_FALSE(insert(-999, 1000).has_value());
        CHECK(db.query("select count(*) from t") == "1000");
    });
}

TEST_CASE("a transaction commits, rolls back, and rolls back when its task ends") {
    test::on_each_backend([](database& db) {
        db.query("create table t (n int)");
        const auto insert = [&](int n, bool commits) -> task<> {
            auto t = co_await db.engine->begin({.level = sql::isolation::serializable}, db.at.loop->now() + db.wait);
            (void)co_await t->execute(db.statement("insert into t values ($1)", n));
            if (commits) co_await t->commit();
        };
        CHECK(db.run(insert(1, true)));
        CHECK(db.run(insert(2, false)));
        const auto never_commits = [&]() -> task<> {
            auto t = co_await db.engine->begin({}, db.at.loop->now() + db.wait);
            (void)co_await t->execute(db.statement("insert into t values (3)"));
            (void)co_await t->execute(db.statement("select pg_sleep(100)"));
            co_await t->commit();
        };
        for (const int turns : {0, 1, 2, 20}) {
            running_task<void> cancelled(never_commits());
            for (int i = 0; i < turns; ++i) db.at.loop->turn(0);
        }
        CHECK(db.query("select sum(n), count(*) from t") == "1|1");
        const auto fails = [&]() -> task<> {
            auto t = co_await db.engine->begin({}, db.at.loop->now() + db.wait);
            (void)co_await t->execute(db.statement("insert into t values (4)"));
            (void)co_await t->execute(db.statement("select 1/0")).outcome();
            co_await t->commit();
        };
        const auto failed = db.run(fails());
        REQUIRE_FALSE(failed);
        CHECK(failed.error().cause().starts_with("SQLSTATE 25P02"));
        CHECK(db.query("select count(*) from t") == "1");
    });
}

TEST_CASE("the connection is lost between two statements of a transaction: 503, since a new attempt may succeed") {
    test::on_each_backend([](database& db) {
        auto t = db.run(db.engine->begin({}, db.at.loop->now() + db.wait));
        REQUIRE(t);
        REQUIRE(db.run((*t)->execute(db.statement("select 1"))));
        const std::string ended = db.query(
            "select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity "
            "where state = 'idle in transaction' and datname = current_database()");
        REQUIRE(ended == "1");
        const auto failed = db.run((*t)->execute(db.statement("select 1")));
        REQUIRE_FALSE(failed);
        CHECK(failed.error().status() == 503);
    });
}

TEST_CASE("an idle transaction is rolled back after its timeout") {
    database db(postgres_server::shared().make_database(), "", {.idle_transaction_timeout = milliseconds(30)});
    db.query("create table t (n int)");
    const auto idles = [&]() -> task<> {
        auto t = co_await db.engine->begin({}, db.at.loop->now() + db.wait);
        (void)co_await t->execute(db.statement("insert into t values (1)"));
        co_await apus::sleep_for(milliseconds(60));
        co_await t->commit();
    };
    CHECK(db.run(idles()).error().cause().starts_with("SQLSTATE 25P03"));
    CHECK(db.query("select count(*) from t") == "0");
}

TEST_CASE("a cursor returns rows in pieces, and its end releases the connection") {
    test::on_each_backend(
        [](database& db) {
            const auto sum = [&](std::size_t most) -> task<std::int64_t> {
                auto c =
                    co_await db.engine->open(db.statement("select n::bigint from generate_series(1, $1) n", 1000), 64);
                std::int64_t all = 0;
                std::size_t seen = 0;
                while (seen < most) {
                    auto rows = co_await c->next(db.at.loop->now() + db.wait);
                    if (!rows || rows->size() == 0) break;
                    for (std::size_t i = 0; i < rows->size(); ++i) all += rows->cell(i, 0).integer;
                    seen += rows->size();
                }
                co_return all;
            };
            CHECK(db.run(sum(SIZE_MAX)) == 500'500);
            CHECK(db.run(sum(100)) == 128 * 129 / 2);
            CHECK(db.query("select 1") == "1");
        },
        {.connections = 1});
}

TEST_CASE("a script runs several statements, and is part of an open transaction") {
    test::on_each_backend([](database& db) {
        const std::uint64_t due = db.at.loop->now() + db.wait;
        CHECK(db.run(db.engine->execute_script({"create table a (n int); create table b (n int)"}, due)));
        CHECK_FALSE(db.run(db.engine->execute_script({"insert into a values (1); insert into none values (1)"}, due)));
        CHECK(db.query("select count(*) from a") == "0");
        const auto in_transaction = [&]() -> task<> {
            auto t = co_await db.engine->begin({}, due);
            co_await t->execute_script({"insert into a values (1); insert into a values (2)"}, due);
            (void)co_await t->execute(db.statement("insert into b values (3)"));
            co_await t->rollback();
        };
        CHECK(db.run(in_transaction()));
        CHECK(db.query("select count(*) from a") == "0");
        CHECK(db.query("select count(*) from b") == "0");
    });
}

TEST_CASE("statements are prepared again after a change of the schema") {
    test::on_each_backend([](database& db) {
        db.query("create table t (n int); ");
        db.query("insert into t values (1)");
        CHECK(db.query("select * from t") == "1");
        db.query("alter table t add m text default 'x'");
        CHECK(db.query("select * from t") == "1|x");
        db.query("alter table t alter n type bigint");
        CHECK(db.query("select * from t") == "1|x");
    });
}

TEST_CASE("many statements are prepared, and the server keeps a limited number") {
    database db(postgres_server::shared().make_database(), "", {.connections = 1});
    for (int i = 0; i < 300; ++i) CHECK(db.query("select " + std::to_string(i)) == std::to_string(i));
    const std::string kept = db.query("select count(*) from pg_prepared_statements");
    CHECK(std::stoi(kept) <= 257);
}
