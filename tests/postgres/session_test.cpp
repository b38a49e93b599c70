// SPDX-License-Identifier: Apache-2.0
#include "postgres/session.hpp"

#include "postgres/connector.hpp"
#include "postgres/database.hpp"
#include "runtime/running_task.hpp"

#include <stdexcept>

using namespace apus;

TEST_CASE("an invalid URL is refused when the database is opened") {
    CHECK_THROWS_AS(postgres::engine("postgres://[::1/db", {}), std::invalid_argument);
    CHECK_THROWS_AS(postgres::engine("postgres://localhost/db?no_such_word=1", {}), std::invalid_argument);
    CHECK(postgres::fault_in_url("postgres://a:b@h1:5432,h2:5433/db?target_session_attrs=read-write").empty());
}

TEST_CASE("without a server, statements fail with 503 in time") {
    test::database db("postgres://postgres@%2Fno%2Fsuch%2Ffolder/db", "", {.connect_timeout = milliseconds(100)});
    const auto got = db.run(db.engine->execute(db.statement("select 1")));
    REQUIRE_FALSE(got);
    CHECK(got.error().status() == 503);
    CHECK(got.error().cause().contains("/no/such/folder"));
}

TEST_CASE("a transaction whose connection is lost fails and commits nothing") {
    test::database db(support::postgres_server::shared().make_database(), "");
    db.query("create table t (n int)");
    const auto loses = [&]() -> task<> {
        auto t = co_await db.engine->begin({}, db.at.loop->now() + db.wait);
        (void)co_await t->execute(db.statement("insert into t values (1)"));
        (void)co_await t->execute(db.statement("select pg_terminate_backend(pg_backend_pid())")).outcome();
        co_await t->commit();
    };
    const auto got = db.run(loses());
    REQUIRE_FALSE(got);
    CHECK(db.query("select count(*) from t") == "0");
}

TEST_CASE("without prepared statements, the server keeps no statement between executions") {
    test::on_each_backend(
        [](test::database& db) {
            db.query("create table t (n int primary key, s text)");
            sql::batch insert{.text = db.statement("insert into t values ($1, $2)").text,
                              .values = {},
                              .deadline = db.at.loop->now() + db.wait};
            for (int i = 0; i < 3; ++i) insert.values.push_back(db.statement("", i, std::string("x")).values);
            CHECK(db.run(db.engine->execute_batch(std::move(insert))) == 3);
            for (int round = 0; round < 2; ++round) {
                CHECK(db.query("select n, s from t where n >= $1 order by n", 1) == "1|x;2|x");
                CHECK(db.query("update t set s = s || 'y' where n = $1", 2) == "1");
                CHECK(db.query("update t set s = 'x' where n = $1", 2) == "1");
            }
            // Both are sent before the response of the other.
            test::running_task<sql::outcome> one(db.engine->execute(db.statement("select n from t where n = $1", 1)));
            test::running_task<sql::outcome> two(db.engine->execute(db.statement("select s from t where n = $1", 2)));
            CHECK(db.shown(one.wait()) == "1");
            CHECK(db.shown(two.wait()) == "x");
            CHECK(db.query("select s from t where n = $1 / $2", 2, 0).starts_with("! 500"));
            const auto in_transaction = [&]() -> task<> {
                auto t = co_await db.engine->begin({}, db.at.loop->now() + db.wait);
                for (const int n : {7, 8}) (void)co_await t->execute(db.statement("insert into t values ($1, 'z')", n));
                co_await t->commit();
            };
            CHECK(db.run(in_transaction()).has_value());
            db.query("alter table t alter s type int using n");
            CHECK(db.query("select n, s from t where n >= $1 order by n", 1) == "1|1;2|2;7|7;8|8");
            CHECK(db.query("select count(*) from pg_prepared_statements") == "0");
        },
        {.connections = 1, .prepared_statements = false});
}
