// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"

#include <apus/sql.hpp>
#include <apus/test/database.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sql = apus::sql;
using apus::task;
using apus::test::postgres;
using apus::test::running_task;
using apus::test::temporary_database;

namespace {

using list = std::vector<std::string>;

constexpr sql::migration_file files[] = {{"0001_a.up.sql", "create table t (n bigint)"}};

void check_on(const std::string& url, const std::function<task<>(sql::database)>& check,
              const sql::database_options& options) {
    CAPTURE(url);
    std::string why;
    const apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    running_task<void> running(check(sql::database(url, options)));
    const auto& done = running.wait();
    if (!done) FAIL_CHECK(done.error().status(), " ", done.error().detail(), " ", done.error().cause());
}

/// Runs `check` with a database of each engine.
void on_each_engine(const std::function<task<>(sql::database)>& check, const sql::database_options& options = {}) {
    const temporary_database file(files), served(postgres::shared(), files);
    check_on(file.url(), check, options);
    check_on(served.url(), check, options);
}

task<std::string> next(sql::notification_stream& from) {
    auto got = co_await from.next().outcome();
    if (!got) co_return "! " + std::to_string(got.error().status());
    if (!*got) co_return "(end)";
    co_return (*got)->gap ? "(gap)" : (*got)->payload;
}

}  // namespace

TEST_CASE("notifications reach each listener of their channel, after a gap at the start") {
    on_each_engine([](sql::database db) -> task<> {
        auto one = db.listen("a"), other = db.listen("a"), third = db.listen("A");
        CHECK(co_await next(one) == "(gap)");
        CHECK(co_await next(other) == "(gap)");
        CHECK(co_await next(third) == "(gap)");
        co_await db.notify("a", "1");
        co_await db.notify("a");
        co_await db.notify("A", "2");
        CHECK(co_await next(one) == "1");
        CHECK(co_await next(one) == "");
        CHECK(co_await next(other) == "1");
        CHECK(co_await next(third) == "2");
    });
}

TEST_CASE("notifications of a transaction are sent by its commit only") {
    on_each_engine([](sql::database db) -> task<> {
        auto events = db.listen("a");
        CHECK(co_await next(events) == "(gap)");
        {
            auto t = co_await db.begin();
            co_await t.notify("a", "of a transaction that is rolled back");
            co_await t.rollback();
        }
        {
            auto t = co_await db.begin();
            co_await t.notify("a", "of a transaction that is destroyed");
        }
        auto t = co_await db.begin();
        co_await t.run("insert into t values (1)");
        co_await t.notify("a", "2");
        {
            auto inner = co_await t.savepoint();
            co_await inner.notify("a", "3");
            {
                auto dropped = co_await inner.savepoint();
                co_await dropped.notify("a", "of a savepoint that is destroyed");
            }
            co_await inner.commit();
        }
        auto inner = co_await t.savepoint();
        co_await inner.notify("a", "of a savepoint that is rolled back");
        co_await inner.rollback();
        co_await t.notify("a", "4");
        co_await db.notify("a", "1");
        co_await t.commit();
        for (const char* expected : {"1", "2", "3", "4"}) CHECK(co_await next(events) == expected);
    });
}

TEST_CASE("a slow listener misses the oldest notifications, and gets a gap") {
    on_each_engine(
        [](sql::database db) -> task<> {
            auto slow = db.listen("a"), fast = db.listen("a");
            CHECK(co_await next(slow) == "(gap)");
            CHECK(co_await next(fast) == "(gap)");
            for (int i = 1; i <= 10; ++i) {
                co_await db.notify("a", std::to_string(i));
                CHECK(co_await next(fast) == std::to_string(i));
            }
            for (const char* expected : {"(gap)", "7", "8", "9", "10"}) CHECK(co_await next(slow) == expected);
        },
        {.notifications = 4});
    CHECK_THROWS_AS(sql::database("sqlite:a.db", {.notifications = 0}), std::invalid_argument);
}

TEST_CASE("invalid channels and payloads are errors of the caller, and the largest payload arrives") {
    on_each_engine([](sql::database db) -> task<> {
        const auto status = [&](std::string channel, std::string payload) -> task<int> {
            auto sent = co_await db.notify(channel, payload).outcome();
            co_return sent ? 200 : sent.error().status();
        };
        const std::string nul(1, '\0'), longest(7'999, 'x');
        for (const std::string& name : {std::string(), std::string(64, 'x'), "a" + nul, std::string("\xff")}) {
            auto events = db.listen(name);
            CHECK(co_await next(events) == "! 400");
            CHECK(co_await next(events) == "! 400");
            CHECK(co_await status(name, "x") == 400);
        }
        CHECK(co_await status("a", "x" + nul) == 400);
        CHECK(co_await status("a", "\xc0\x80") == 400);
        CHECK(co_await status("a", longest + "x") == 413);
        auto events = db.listen("a");
        CHECK(co_await next(events) == "(gap)");
        CHECK(co_await status("a", longest) == 200);
        CHECK(co_await next(events) == longest);
    });
}
