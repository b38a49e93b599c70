// SPDX-License-Identifier: Apache-2.0
#include "sql/each_engine.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sql = apus::sql;
using apus::task;
using apus::test::on_each_engine;
using apus::test::result_of;
using apus::test::running_task;

namespace {

constexpr sql::migration_file files[] = {{"0001_t.up.sql", "create table t (id integer primary key, name text)"}};

bool is_sqlite(std::string_view url) { return url.starts_with("sqlite"); }

task<std::string> ids(const sql::executor& in) {
    std::string all;
    for (const auto id : co_await in.all<std::int64_t>("select id from t order by id")) all += std::to_string(id) + " ";
    co_return all;
}

task<> insert(const sql::executor& in, std::int64_t id) { co_await in.run("insert into t (id) values ($1)", id); }

std::string state_of(const auto& failed) {
    const auto* why = sql::failure_of(failed);
    return why ? why->state : failed ? "success" : "no SQLSTATE";
}

template <class F>
void in_database(F f, const sql::database_options& options = {}) {
    on_each_engine(files, [&](const std::string& url) {
        const auto done = result_of(f(sql::database(url, options), is_sqlite(url)));
        CHECK_MESSAGE(done.has_value(), std::string(done ? "" : done.error().cause()));
    });
}

}  // namespace

TEST_CASE("savepoint: an error rolls back only its scope") {
    in_database([](sql::database db, bool) -> task<> {
        const std::string result = co_await db.transaction([](sql::transaction& t) -> task<std::string> {
            co_await insert(t, 1);
            auto failed = co_await t
                              .savepoint([](sql::transaction& inner) -> task<int> {
                                  co_await insert(inner, 2);
                                  co_await inner.savepoint([](sql::transaction& third) { return insert(third, 3); });
                                  co_await insert(inner, 1);
                                  co_return 7;
                              })
                              .outcome();
            CHECK(state_of(failed) == "23505");
            CHECK(co_await ids(t) == "1 ");
            const int made = co_await t.savepoint([](sql::transaction& inner) -> task<int> {
                co_await insert(inner, 4);
                auto refused = co_await inner
                                   .savepoint([](sql::transaction& third) -> task<> {
                                       co_await insert(third, 5);
                                       co_await apus::fail(422, "no");
                                   })
                                   .outcome();
                CHECK(refused.error().status() == 422);
                co_await inner.savepoint([](sql::transaction& third) { return insert(third, 6); });
                co_return 8;
            });
            CHECK(made == 8);
            co_return co_await ids(t);
        });
        CHECK(result == "1 4 6 ");
        CHECK(co_await ids(db) == "1 4 6 ");
    });
}

TEST_CASE("savepoint: a function that ignores an error cannot commit on PostgreSQL, and the transaction continues") {
    in_database([](sql::database db, bool sqlite) -> task<> {
        auto t = co_await db.begin();
        co_await insert(t, 1);
        auto done = co_await t
                        .savepoint([](sql::transaction& inner) -> task<> {
                            co_await insert(inner, 2);
                            (void)co_await insert(inner, 1).outcome();
                        })
                        .outcome();
        CHECK(state_of(done) == (sqlite ? "success" : "25P02"));
        co_await insert(t, 3);
        co_await t.commit();
        CHECK(co_await ids(db) == (sqlite ? "1 2 3 " : "1 3 "));
    });
}

TEST_CASE("savepoint: only the innermost scope executes statements") {
    in_database([](sql::database db, bool) -> task<> {
        auto t = co_await db.begin();
        {
            auto inner = co_await t.savepoint();
            CHECK(state_of(co_await insert(t, 1).outcome()) == "3B001");
            CHECK(state_of(co_await t.all<int>("select 1").outcome()) == "3B001");
            CHECK(state_of(co_await t.run_each("insert into t (id) values ($1)", std::vector<int>{1}).outcome()) ==
                  "3B001");
            CHECK(state_of(co_await t.notify("a", "").outcome()) == "3B001");
            CHECK(state_of(co_await t.commit().outcome()) == "3B001");
            CHECK(state_of(co_await t.rollback().outcome()) == "3B001");
            CHECK(state_of(co_await t.savepoint().outcome()) == "3B001");
            co_await insert(inner, 2);
            co_await inner.commit();
            for (auto ended : {co_await inner.commit().outcome(), co_await inner.rollback().outcome(),
                               co_await insert(inner, 3).outcome()})
                CHECK(state_of(ended) == "25P03");
        }
        { (void)co_await t.savepoint(); }  // destroyed without statements
        co_await insert(t, 4);
        co_await t.commit();
        CHECK(co_await ids(db) == "2 4 ");
    });
}

TEST_CASE("savepoint: of two concurrent savepoints, one is refused") {
    on_each_engine(files, [&](const std::string& url) {
        const sql::database db(url);
        auto t = result_of(db.begin());
        REQUIRE(t);
        const auto store = [](std::int64_t id) { return [id](sql::transaction& inner) { return insert(inner, id); }; };
        running_task<void> one(t->savepoint(store(1)));
        running_task<void> other(t->savepoint(store(2)));
        CHECK(state_of(other.wait()) == "3B001");
        CHECK(state_of(one.wait()) == "success");
        REQUIRE(result_of(t->savepoint(store(3))));
        REQUIRE(result_of(t->commit()));
        CHECK(result_of(ids(db)).value() == "1 3 ");
    });
}

TEST_CASE("savepoint: destruction rolls back, also in the middle of a statement") {
    on_each_engine(files, [&](const std::string& url) {
        const sql::database db(url);
        auto t = result_of(db.begin());
        REQUIRE(t);
        REQUIRE(result_of(insert(*t, 1)));
        for (const bool waits : {false, true}) {
            bool begun = false;
            const auto work = [&](sql::transaction& inner) -> task<> {
                co_await insert(inner, 2);
                auto deeper = co_await inner.savepoint();
                co_await insert(deeper, 3);
                begun = true;
                if (is_sqlite(url))
                    co_await deeper.run(
                        "select max(i) from (with recursive n(i) as (select 1 union all select i + 1 "
                        "from n) select i from n)");
                else co_await deeper.run("select pg_sleep(600)");
            };
            running_task<void> scope(t->savepoint(work));
            while (!begun) apus::runtime::loop::current().turn(20);
            if (waits) apus::runtime::loop::current().turn(1);
        }
        CHECK(result_of(ids(*t)).value() == "1 ");
        REQUIRE(result_of(insert(*t, 4)));
        REQUIRE(result_of(t->commit()));
        CHECK(result_of(ids(db)).value() == "1 4 ");
    });
}

TEST_CASE("savepoint: SQLite completes a write whose task was destroyed, and then rolls it back") {
    const apus::test::temporary_database file(files);
    std::string why;
    const apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    const sql::database db(file.url());
    auto t = result_of(db.begin());
    REQUIRE(t);
    REQUIRE(result_of(insert(*t, 1)));
    {
        bool begun = false;
        running_task<void> scope(t->savepoint([&](sql::transaction& inner) -> task<> {
            begun = true;
            co_await inner.run(
                "with recursive n(i) as (select 2 union all select i + 1 from n limit 300000) insert into t (id) "
                "select i from n");
        }));
        while (!begun) apus::runtime::loop::current().turn(20);
    }
    CHECK(result_of(ids(*t)).value() == "1 ");
    REQUIRE(result_of(t->commit()));
    CHECK(result_of(ids(db)).value() == "1 ");
}

TEST_CASE("savepoint: after an error that ends the transaction, nothing is committed") {
    const auto lose = [](sql::database db, bool sqlite) -> task<> {
        auto t = co_await db.begin();
        co_await insert(t, 1);
        if (sqlite) (void)co_await t.one<std::int64_t>("pragma max_page_count = 10");
        auto failed = co_await t
                          .savepoint([&](sql::transaction& inner) -> task<> {
                              co_await insert(inner, 2);
                              if (sqlite) co_await inner.run("update t set name = $1", std::string(200'000, 'x'));
                              else (void)co_await inner.one<bool>("select pg_terminate_backend(pg_backend_pid())");
                          })
                          .outcome();
        CHECK(failed.error().status() == 503);
        CHECK(state_of(co_await insert(t, 3).outcome()) == (sqlite ? "25P02" : "08006"));
        CHECK(state_of(co_await t.savepoint([](sql::transaction& s) { return insert(s, 4); }).outcome()) ==
              (sqlite ? "25P02" : "08006"));
        CHECK_FALSE((co_await t.commit().outcome()).has_value());
        CHECK(co_await ids(db) == "");
    };
    in_database(lose);
    // A program that releases the savepoint itself: the rollback in the background fails.
    in_database([](sql::database db, bool) -> task<> {
        auto t = co_await db.begin();
        co_await insert(t, 1);
        {
            auto inner = co_await t.savepoint();
            co_await insert(inner, 2);
            co_await inner.run("release savepoint apus_savepoint_1");
        }
        CHECK_FALSE((co_await insert(t, 3).outcome()).has_value());
        CHECK_FALSE((co_await t.commit().outcome()).has_value());
        CHECK(co_await ids(db) == "");
    });
}

TEST_CASE("savepoint: the depth is limited") {
    in_database([](sql::database db, bool) -> task<> {
        std::vector<sql::transaction> scopes;
        scopes.push_back(co_await db.begin());
        for (unsigned i = 0; i < sql::most_savepoints; ++i) {
            scopes.push_back(co_await scopes.back().savepoint());
            co_await insert(scopes.back(), i);
        }
        CHECK(state_of(co_await scopes.back().savepoint().outcome()) == "3B001");
        while (scopes.size() > 3) {
            co_await scopes.back().commit();
            scopes.pop_back();
        }
        scopes.pop_back();
        co_await scopes.back().commit();
        co_await scopes.front().commit();
        CHECK(co_await ids(db) == "0 ");
    });
}

TEST_CASE("savepoint: transactions with savepoints run beside grouped writes of SQLite") {
    const apus::test::temporary_database file(files);
    const sql::database db(file.url(), {.durable = sql::durability::process});
    std::atomic<int> failed = 0;
    const auto core = [&](int which) {
        std::string why;
        const apus::runtime::loop loop(apus::runtime::make_backend("", why));
        const auto client = [&](std::int64_t first) -> task<> {
            for (std::int64_t id = first; id < first + 60; id += 3) {
                failed += !(co_await insert(db, id).outcome());
                failed += !(co_await db
                                .transaction([&](sql::transaction& t) -> task<> {
                                    co_await insert(t, id + 1);
                                    (void)co_await t
                                        .savepoint([&](sql::transaction& inner) -> task<> {
                                            co_await insert(inner, id + 2);
                                            co_await insert(inner, id);
                                        })
                                        .outcome();
                                })
                                .outcome());
            }
        };
        std::vector<std::unique_ptr<running_task<void>>> clients;
        for (std::int64_t n = 0; n < 16; ++n)
            clients.push_back(std::make_unique<running_task<void>>(client(which * 10'000 + n * 100)));
        for (auto& c : clients) (void)c->wait();
    };
    std::thread one([&] { core(1); });
    std::thread other([&] { core(2); });
    one.join();
    other.join();
    CHECK(failed == 0);
    std::string why;
    const apus::runtime::loop loop(apus::runtime::make_backend("", why));
    CHECK(result_of(db.one<std::int64_t>("select count(*) from t")).value() == 32 * 40);
    CHECK(result_of(db.one<std::int64_t>("select count(*) from t where id % 100 % 3 = 2")).value() == 0);
}

TEST_CASE("savepoint: a stream that is open at the rollback does not harm the transaction") {
    in_database([](sql::database db, bool) -> task<> {
        const std::string result = co_await db.transaction([](sql::transaction& t) -> task<std::string> {
            co_await insert(t, 1);
            {
                auto inner = co_await t.savepoint();
                co_await insert(inner, 2);
                auto rows = inner.stream<std::int64_t>("select id from t");
                REQUIRE(co_await rows.next());
                co_await inner.rollback();
            }
            co_await insert(t, 3);
            co_return co_await ids(t);
        });
        CHECK(result == "1 3 ");
    });
}
