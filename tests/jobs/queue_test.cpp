// SPDX-License-Identifier: Apache-2.0
#include "jobs/nodes.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace jobs = apus::jobs;
namespace sql = apus::sql;
using apus::milliseconds;
using apus::seconds;
using apus::task;
using apus::task_scope;
using apus::test::job_database;
using apus::test::until;
using apus::test::with_jobs;

namespace {

struct order {
    std::int64_t number;
};

struct report {
    static constexpr std::string_view job_name = "daily_report";
    static constexpr int job_version = 3;
    std::string title;
};

using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("jobs: a job is invisible until its transaction commits, and never runs after a rollback") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        numbers ran;
        q.handle<order>([&](order job) -> task<> {
            ran.push_back(job.number);
            co_return;
        });
        task_scope nodes;
        nodes.spawn(q.run());
        {
            auto t = co_await on.db.begin();
            co_await q.enqueue(t, order{1});
            co_await t.rollback();
        }
        co_await q.enqueue(order{2});
        co_await until([&] { return !ran.empty(); });
        auto t = co_await on.db.begin();
        co_await q.enqueue(t, order{3});
        // SQLite has one writer. In PostgreSQL, a later job can run before the job of the uncommitted transaction.
        if (on.file.url().starts_with("postgres")) {
            co_await q.enqueue(order{4});
            co_await until([&] { return ran.size() == 2; });
            CHECK(ran == numbers{2, 4});
        }
        co_await t.commit();
        co_await until([&] { return ran.back() == 3; });
        q.stop();
        co_await nodes.join();
        CHECK(on.value("select count(*) from apus_jobs") == "0");
        CHECK(on.value("select count(*) from apus_jobs_workers") == "0");
    });
}

TEST_CASE("jobs: a failed job is retried with its error and id, and becomes a dead letter after the last attempt") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        std::vector<std::string> ran;
        q.handle<order>(
            [&](order, jobs::context& c) -> task<> {
                ran.push_back(std::to_string(c.id()) + "/" + std::to_string(c.attempt()));
                if (c.attempt() == 2) throw std::runtime_error("not UTF-8: \xff");
                co_await apus::fail(503, "the mail server is down");
            },
            {.attempts = 3, .retry_delay = milliseconds(1), .max_retry_delay = milliseconds(5)});
        q.handle<report>([](report, jobs::context& c) -> task<> { co_await c.discard("no such report"); });
        task_scope nodes;
        nodes.spawn(q.run());
        const auto added = co_await q.enqueue(order{1});
        co_await until(on, "select state from apus_jobs", "dead");
        const std::string id = std::to_string(added.id);
        CHECK(ran == std::vector{id + "/1", id + "/2", id + "/3"});
        const std::string errors = on.value("select errors from apus_jobs");
        CHECK(errors.contains("attempt 1: 503 the mail server is down\n"));
        CHECK(errors.contains("attempt 2: 500 "));
        CHECK(errors.contains("attempt 3: 503 the mail server is down\n"));

        co_await q.enqueue(report{"x"});
        co_await until(on, "select state from apus_jobs where kind = 'daily_report'", "dead");
        CHECK(on.value("select attempt from apus_jobs where kind = 'daily_report'") == "1");
        CHECK(on.value("select errors from apus_jobs where kind = 'daily_report'").contains("no such report"));
        CHECK(co_await q.cancel(on.db, added.id));
        CHECK_FALSE(co_await q.cancel(on.db, added.id));
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: the writes of a job's transaction and its completion commit together") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        q.handle<order>(
            [](order job, jobs::context& c) -> task<> {
                auto t = co_await c.transaction();
                auto same = co_await c.transaction();
                co_await t.run("insert into effect (n) values ($1)", job.number);
                co_await same.run("insert into effect (n) values ($1)", job.number);
                if (c.attempt() == 1) co_await apus::fail(500, "after its writes");
            },
            {.retry_delay = milliseconds(1)});
        task_scope nodes;
        nodes.spawn(q.run());
        for (int i = 0; i < 20; ++i) co_await q.enqueue(order{i});
        co_await until(on, "select count(*) from apus_jobs", "0");
        CHECK(on.value("select count(*) from effect") == "40");
        CHECK(on.value("select count(distinct n) from effect") == "20");
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: priorities, delays and unique keys") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db, {.concurrency = 1});
        numbers ran;
        q.handle<order>([&](order job) -> task<> {
            ran.push_back(job.number);
            co_return;
        });
        co_await q.enqueue(order{1});
        co_await q.enqueue(order{2}, {.priority = -1});
        co_await q.enqueue(order{3}, {.priority = 5});
        co_await q.enqueue(order{4}, {.delay = milliseconds(50), .priority = 9});
        co_await q.enqueue(order{5});
        const auto first = co_await q.enqueue(order{6}, {.unique_key = "a"});
        const auto second = co_await q.enqueue(order{7}, {.unique_key = "a"});
        CHECK(first.added);
        CHECK_FALSE(second.added);
        CHECK(second.id == first.id);
        CHECK((co_await q.enqueue(order{8}, {.unique_key = "b"})).added);
        task_scope nodes;
        nodes.spawn(q.run());
        co_await until([&] { return ran.size() == 7; });
        // The delayed job starts when it is due, which may be before, between or after the other jobs.
        std::erase(ran, 4);
        CHECK(ran == numbers{3, 1, 5, 6, 8, 2});
        co_await until(on, "select count(*) from apus_jobs", "0");
        CHECK((co_await q.enqueue(order{9}, {.unique_key = "a"})).added);
        co_await until([&] { return ran.back() == 9; });
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: concurrent producers with one unique key add one job") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        int added = 0;
        task_scope producers;
        for (int i = 0; i < 50; ++i)
            producers.spawn([](jobs::queue to, int n, int& sum) -> task<> {
                sum += (co_await to.enqueue(order{n}, {.unique_key = "one"})).added;
            }(q, i, added));
        co_await producers.join();
        CHECK(added == 1);
        CHECK(on.value("select count(*) from apus_jobs") == "1");
    });
}

TEST_CASE("jobs: an attempt is cancelled at its deadline, and by an operator") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        int begun = 0;
        q.handle<order>(
            [&](order, jobs::context& c) -> task<> {
                auto t = co_await c.transaction();
                co_await t.run("insert into effect (n) values (1)");
                ++begun;
                co_await apus::sleep_for(seconds(60));
            },
            {.attempts = 2, .deadline = milliseconds(700), .retry_delay = milliseconds(1)});
        q.handle<report>([&](report, jobs::context& c) -> task<> {
            co_await c.progress(0.25, "a quarter");
            ++begun;
            co_await apus::sleep_for(seconds(60));
        });
        task_scope nodes;
        nodes.spawn(q.run());
        co_await q.enqueue(order{1});
        co_await until(on, "select state from apus_jobs", "dead");
        CHECK(begun == 2);
        CHECK(on.value("select errors from apus_jobs").contains("longer than its deadline"));
        CHECK(on.value("select count(*) from effect") == "0");

        const auto job = co_await q.enqueue(report{"x"});
        co_await until([&] { return begun == 3; });
        CHECK(on.value("select note from apus_jobs where state = 'running'") == "a quarter");
        CHECK(co_await q.cancel(on.db, job.id));
        co_await until(on, "select count(*) from apus_jobs where state <> 'dead'", "0");
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: payloads of other versions are dead letters or wait for a newer node") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        std::vector<std::string> ran;
        q.handle<report>([&](report job) -> task<> {
            ran.push_back(job.title);
            co_return;
        });
        const auto add = [&](const char* payload, int version) {
            return on.db.run(
                "insert into apus_jobs (queue, kind, version, payload, state, due_at, created_at) values ('default', "
                "'daily_report', $1, $2, 'ready', 0, 0)",
                version, std::string(payload));
        };
        co_await add(R"({"title":"older, but readable"})", 2);
        co_await add(R"({"name":"x"})", 1);
        co_await add("not JSON", 3);
        co_await add(R"({"title":"newer"})", 4);
        task_scope nodes;
        nodes.spawn(q.run());
        co_await until(on, "select count(*) from apus_jobs where state = 'dead'", "2");
        co_await until(on, "select count(*) from apus_jobs where state = 'delayed' and attempt = 0", "1");
        CHECK(ran == std::vector<std::string>{"older, but readable"});
        CHECK(on.value("select errors from apus_jobs where version = 1").contains("does not match its struct"));
        CHECK(on.value("select errors from apus_jobs where version = 1").contains("title"));
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: a draining node finishes its jobs, and releases the ones that take too long") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db, {.drain = milliseconds(100)});
        int begun = 0, ended = 0;
        q.handle<order>([&](order job) -> task<> {
            ++begun;
            co_await apus::sleep_for(milliseconds(job.number));
            ++ended;
        });
        task_scope nodes;
        nodes.spawn(q.run());
        co_await q.enqueue(order{20});
        co_await q.enqueue(order{60'000});
        co_await until([&] { return begun == 2; });
        q.stop();
        co_await nodes.join();
        CHECK(ended == 1);
        CHECK(on.value("select count(*) from apus_jobs where state = 'ready' and attempt = 0 and errors = ''") == "1");
        CHECK(on.value("select count(*) from apus_jobs") == "1");
        CHECK(on.value("select count(*) from apus_jobs_workers") == "0");
    });
}

TEST_CASE("jobs: the rate of a queue holds for all of its nodes") {
    with_jobs([](job_database& on) -> task<> {
        const jobs::queue_options how{.rate = 5, .rate_period = milliseconds(500)};
        jobs::queue one(on.db, how), other(on.db, how);
        int ran = 0;
        const auto count = [&](order) -> task<> {
            ++ran;
            co_return;
        };
        one.handle<order>(count);
        other.handle<order>(count);
        for (int i = 0; i < 12; ++i) co_await one.enqueue(order{i});
        const std::uint64_t begun = apus::runtime::loop::current().now();
        task_scope nodes;
        nodes.spawn(one.run());
        nodes.spawn(other.run());
        co_await until([&] { return ran == 12; });
        CHECK(apus::runtime::loop::current().now() - begun >= 680);  // 7 of 12 jobs wait, for 100 ms each
        one.stop();
        other.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: invalid options are errors of the program") {
    const sql::database db("sqlite::memory:");
    CHECK_THROWS_AS(jobs::queue(db, {.name = ""}), std::invalid_argument);
    CHECK_THROWS_AS(jobs::queue(db, {.name = "a b"}), std::invalid_argument);
    CHECK_THROWS_AS(jobs::queue(db, {.name = std::string(41, 'a')}), std::invalid_argument);
    CHECK_THROWS_AS(jobs::queue(db, {.concurrency = 0}), std::invalid_argument);
    CHECK_THROWS_AS(jobs::queue(db, {.lease = milliseconds(999)}), std::invalid_argument);
    CHECK_THROWS_AS(jobs::queue(db, {.rate_period = milliseconds(0)}), std::invalid_argument);
    const jobs::queue q(db);
    const auto nothing = [](order) -> task<> { co_return; };
    CHECK_THROWS_AS(q.handle<order>(nothing, {.attempts = 0}), std::invalid_argument);
    CHECK_THROWS_AS(q.handle<order>(nothing, {.deadline = milliseconds(0)}), std::invalid_argument);
    q.handle<order>(nothing);
    CHECK_THROWS_AS(q.handle<order>(nothing), std::logic_error);
    CHECK_THROWS_AS(q.schedule("x", "61 * * * *", order{1}), std::invalid_argument);
    q.schedule("x", "0 3 * * 1-5", order{1});
    CHECK_THROWS_AS(q.schedule("x", "* * * * *", order{1}), std::logic_error);
    CHECK_THROWS_AS((void)jobs::schema("mysql"), std::invalid_argument);
}
