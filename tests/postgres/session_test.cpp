// SPDX-License-Identifier: Apache-2.0
#include "postgres/session.hpp"

#include "postgres/connector.hpp"
#include "postgres/database.hpp"

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
