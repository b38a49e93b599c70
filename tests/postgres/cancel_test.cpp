// SPDX-License-Identifier: Apache-2.0
#include "postgres/database.hpp"
#include "support/tcp_proxy.hpp"

#include <list>
#include <memory>
#include <optional>
#include <string>

using namespace apus;
using test::database;
using test::running_task;

namespace {

const char* const sleeping =
    "select count(*) from pg_stat_activity where query like '%pg_sleep(100)%' and state = 'active' "
    "and pid <> pg_backend_pid() and datname = current_database()";

}  // namespace

TEST_CASE("a statement is cancelled at its deadline, and others on its connection are not affected") {
    test::on_each_backend(
        [](database& db) {
            db.query("create table t (n int)");
            db.wait = 100;
            running_task<sql::outcome> slow(db.engine->execute(db.statement("select pg_sleep(100)")));
            db.wait = 10'000;
            std::list<running_task<sql::outcome>> others;
            for (int i = 0; i < 6; ++i)
                others.emplace_back(db.engine->execute(db.statement("insert into t values ($1)", i)));
            CHECK(slow.wait().error().status() == 504);
            for (auto& one : others) CHECK(one.wait().has_value());
            CHECK(db.query("select count(*), sum(n) from t") == "6|15");
            CHECK(db.query("select count(*) from pg_stat_activity where datname = current_database()") == "1");
        },
        {.connections = 1});
}

TEST_CASE("cancelling a task cancels its statement") {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        const std::string url = support::postgres_server::shared().make_database();
        database db(url, backend);
        postgres::engine other(url, {});  // with separate connections
        {
            running_task<sql::outcome> slow(other.execute(db.statement("select pg_sleep(100)")));
            REQUIRE(db.turn_until([&] { return db.query(sleeping) == "1"; }));
        }
        CHECK(db.turn_until([&] { return db.query(sleeping) == "0"; }));
        const auto in_transaction = [&]() -> task<> {
            auto t = co_await other.begin({}, db.at.loop->now() + db.wait);
            (void)co_await t->execute(db.statement("select pg_sleep(100)"));
        };
        {
            running_task<void> slow(in_transaction());
            REQUIRE(db.turn_until([&] { return db.query(sleeping) == "1"; }));
        }
        CHECK(db.turn_until([&] { return db.query(sleeping) == "0"; }));
    }
}

TEST_CASE("a cancel request that arrives before its statement is repeated") {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        support::postgres_server server;
        support::tcp_proxy proxy(server.socket_path());
        database db("postgres://postgres@127.0.0.1:" + std::to_string(proxy.port()) + "/postgres?sslmode=disable",
                    backend, {.connections = 1});
        const std::string sleep = "select pg_sleep($1::int)";
        db.query(sleep, 0);
        proxy.delay_requests(200);
        {
            running_task<sql::outcome> slow(db.engine->execute(db.statement(sleep, 100)));
            for (int i = 0; i < 3; ++i) db.at.loop->turn(0);
        }
        postgres::engine direct(server.url(), {});
        const char* const active =
            "select count(*) from pg_stat_activity where query like '%pg_sleep(%' and state = 'active' "
            "and pid <> pg_backend_pid()";
        CHECK(db.query("select 1") == "1");  // executed after the cancelled statement, on the same connection
        CHECK(database::shown(db.run(direct.execute(db.statement(active)))) == "0");
    }
}

TEST_CASE("a destroyed database cancels the statements that its server executes") {
    for (const char* backend : {"epoll", "uring"})
        for (const bool script : {false, true}) {
            CAPTURE(backend);
            CAPTURE(script);
            const std::string url = support::postgres_server::shared().make_database();
            database db(url, backend);
            auto other = std::make_unique<postgres::engine>(url, sql::database_options());
            std::optional<running_task<sql::outcome>> one;
            std::optional<running_task<void>> all;
            if (script) all.emplace(other->execute_script({"select pg_sleep(100)"}, db.at.loop->now() + db.wait));
            else one.emplace(other->execute(db.statement("select pg_sleep(100)")));
            REQUIRE(db.turn_until([&] { return db.query(sleeping) == "1"; }));
            other.reset();
            CHECK(db.turn_until([&] { return db.query(sleeping) == "0"; }));
        }
}

TEST_CASE("the pool works after tasks are cancelled at any time") {
    test::on_each_backend([](database& db) {
        for (int round = 0; round < 40; ++round) {
            std::list<running_task<sql::outcome>> all;
            for (int i = 0; i < 10; ++i)
                all.emplace_back(db.engine->execute(db.statement("select $1::int + " + std::to_string(round), i)));
            for (int i = 0; i < round % 8; ++i) db.at.loop->turn(0);
        }
        CHECK(db.query("select 1") == "1");
    });
}

TEST_CASE("statements do not wait behind a slow one while there are other connections") {
    test::on_each_backend(
        [](database& db) {
            const std::string count = "select count(*) from pg_stat_activity where datname = current_database()";
            const auto sleep = [&](const char* s) {
                return db.engine->execute(db.statement("select pg_sleep($1::float8)", std::string(s)));
            };
            REQUIRE(db.turn_until([&] {
                running_task<sql::outcome> one(sleep("0.02")), other(sleep("0.02"));
                return one.wait().has_value() && other.wait().has_value() && db.query(count) == "2";
            }));
            running_task<sql::outcome> slow(sleep("100"));
            CHECK(db.query("select pg_sleep(0.03)") == "");
            for (int i = 0; i < 20; ++i) {
                std::list<running_task<sql::outcome>> all;
                for (int n = 0; n < 20; ++n) all.emplace_back(db.engine->execute(db.statement("select 2")));
                for (auto& one : all) CHECK(one.wait().has_value());
            }
            CHECK_FALSE(slow.ended());
        },
        {.connections = 2});
}

TEST_CASE("statements over the queue limit are rejected") {
    test::on_each_backend(
        [](database& db) {
            running_task<sql::outcome> slow(db.engine->execute(db.statement("select pg_sleep(0.3)")));
            std::list<running_task<sql::outcome>> all;
            for (int i = 0; i < 60; ++i) all.emplace_back(db.engine->execute(db.statement("select 1")));
            int refused = 0;
            for (auto& one : all)
                if (!one.wait()) refused += one.wait().error().status() == 503;
            CHECK(refused > 0);
            CHECK(refused < 60);
        },
        {.connections = 1, .queue = 5});
}

TEST_CASE("a result over the limit is an error, and the next statement works") {
    test::on_each_backend([](database& db) {
        auto large = db.statement("select repeat('x', 10000000)");
        large.result_size = 1'000'000;
        const auto got = db.run(db.engine->execute(std::move(large)));
        REQUIRE_FALSE(got);
        CHECK(got.error().status() == 500);
        CHECK(db.query("select 1") == "1");
    });
}
