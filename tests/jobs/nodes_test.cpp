// SPDX-License-Identifier: Apache-2.0
#include "jobs/nodes.hpp"
#include "jobs/store.hpp"

#include <memory>
#include <string>
#include <vector>

namespace jobs = apus::jobs;
namespace sql = apus::sql;
using apus::milliseconds;
using apus::seconds;
using apus::task;
using apus::task_scope;
using apus::test::job_database;
using apus::test::running_task;
using apus::test::until;
using apus::test::with_jobs;

namespace {

struct shipment {
    std::int64_t number;
};

struct tick {
    std::string name;
};

// A node that may end without draining, as by SIGKILL.
struct node {
    jobs::queue queue;
    std::unique_ptr<running_task<void>> running;

    node(job_database& on, const jobs::queue_options& how = {}) : queue(sql::database(on.file.url()), how) {}
    void start() { running = std::make_unique<running_task<void>>(queue.run()); }
    void die() { running.reset(); }
};

}  // namespace

TEST_CASE("jobs: the jobs of a dead node run elsewhere after the lease, and count the attempt") {
    with_jobs([](job_database& on) -> task<> {
        node dies(on, {.lease = seconds(1)}), lives(on, {.lease = seconds(1)});
        int begun = 0, attempts = 0;
        dies.queue.handle<shipment>([&](shipment) -> task<> {
            ++begun;
            co_await apus::sleep_for(seconds(60));
        });
        lives.queue.handle<shipment>([&](shipment, jobs::context& c) -> task<> {
            attempts += static_cast<int>(c.attempt());
            co_return;
        });
        for (int i = 0; i < 3; ++i) co_await dies.queue.enqueue(shipment{i});
        dies.start();
        co_await until([&] { return begun == 3; });
        dies.die();
        lives.start();
        co_await until([&] { return attempts >= 6; });
        co_await until(on, "select count(*) from apus_jobs", "0");
        CHECK(on.value("select count(*) from apus_jobs_workers") == "1");
    });
}

TEST_CASE("jobs: a job that ends its nodes becomes a dead letter") {
    with_jobs([](job_database& on) -> task<> {
        node lives(on, {.lease = seconds(1)});
        int ran = 0;
        lives.queue.handle<shipment>(
            [&](shipment) -> task<> {
                ++ran;
                co_return;
            },
            {.attempts = 2});
        co_await on.db.run(
            "insert into apus_jobs (queue, kind, version, payload, state, attempt, worker, due_at, created_at) values "
            "('default', 'shipment', 1, '{\"number\":1}', 'running', 2, 'dead', 0, 0)");
        lives.start();
        co_await until(on, "select state from apus_jobs", "dead");
        CHECK(ran == 0);
        CHECK(on.value("select errors from apus_jobs").contains("the node ended during the last attempt"));
    });
}

TEST_CASE("jobs: an attempt that lost its job to another node changes nothing") {
    with_jobs([](job_database& on) -> task<> {
        node slow(on, {.lease = seconds(60)}), other(on, {.lease = seconds(1)});
        bool begun = false, finish = false, ended = false, ran = false;
        slow.queue.handle<shipment>([&](shipment, jobs::context& c) -> task<> {
            {
                auto t = co_await c.transaction();
                (void)co_await t.one<std::int64_t>("select count(*) from effect");
            }
            begun = true;
            co_await until([&] { return finish; });
            auto t = co_await c.transaction();
            co_await t.run("insert into effect (n, node) values (1, 'slow')");
            ended = true;
        });
        other.queue.handle<shipment>([&](shipment, jobs::context& c) -> task<> {
            auto t = co_await c.transaction();
            co_await t.run("insert into effect (n, node) values (1, 'other')");
            ran = true;
        });
        if (!on.file.url().starts_with("postgres")) co_return;  // SQLite: the transaction blocks the other node
        co_await slow.queue.enqueue(shipment{1});
        slow.start();
        co_await until([&] { return begun; });
        on.file.run("delete from apus_jobs_workers");  // as another node does after the lease
        other.start();
        co_await until([&] { return ran; });
        co_await until(on, "select count(*) from apus_jobs", "0");
        finish = true;
        co_await until([&] { return ended; });
        slow.queue.stop();
        co_await until([&] { return slow.running->ended(); });
        CHECK(on.value("select count(*) from effect") == "1");
        CHECK(on.value("select node from effect") == "other");
    });
}

TEST_CASE("jobs: a node that was expelled cancels its jobs, and works again under a new id") {
    with_jobs([](job_database& on) -> task<> {
        node one(on, {.lease = seconds(1)});
        int begun = 0, ended = 0;
        one.queue.handle<shipment>([&](shipment, jobs::context& c) -> task<> {
            ++begun;
            if (c.attempt() == 1) co_await apus::sleep_for(seconds(60));
            ++ended;
        });
        co_await one.queue.enqueue(shipment{1});
        one.start();
        co_await until([&] { return begun == 1; });
        const std::string id = on.value("select id from apus_jobs_workers");
        on.file.run("delete from apus_jobs_workers");
        co_await until([&] { return ended == 1; });
        CHECK(begun == 2);
        CHECK(on.value("select id from apus_jobs_workers") != id);
        co_await until(on, "select count(*) from apus_jobs", "0");
    });
}

TEST_CASE("jobs: a job that a failed claim took without a response is released and runs") {
    with_jobs([](job_database& on) -> task<> {
        node one(on);
        std::vector<std::string> ran;
        one.queue.handle<shipment>([&](shipment job, jobs::context& c) -> task<> {
            ran.push_back(std::to_string(job.number) + "/" + std::to_string(c.attempt()));
            co_return;
        });
        one.start();
        co_await until(on, "select count(*) from apus_jobs_workers", "1");
        const std::string id = on.value("select id from apus_jobs_workers");
        on.file.run("alter table apus_jobs rename to hidden");  // claims fail
        co_await apus::sleep_for(milliseconds(1'200));
        on.file.run(
            "insert into hidden (queue, kind, version, payload, state, attempt, fence, worker, due_at, created_at) "
            "values ('default', 'shipment', 1, '{\"number\":7}', 'running', 1, 1, '" +
            id + "', 0, 0); alter table hidden rename to apus_jobs");
        co_await until([&] { return !ran.empty(); });
        CHECK(ran == std::vector<std::string>{"7/1"});
        co_await until(on, "select count(*) from apus_jobs", "0");
    });
}

TEST_CASE("jobs: transactions of jobs on all connections do not stop heartbeats and other jobs") {
    with_jobs([](job_database& on) -> task<> {
        if (!on.file.url().starts_with("postgres")) co_return;  // SQLite has one writer
        node one(on, {.lease = seconds(1)});
        int begun = 0, ended = 0;
        one.queue.handle<shipment>([&](shipment, jobs::context& c) -> task<> {
            auto t = co_await c.transaction();
            ++begun;
            co_await apus::sleep_for(milliseconds(1'500));
            co_await t.run("insert into effect (n) values (1)");
            ++ended;
        });
        for (int i = 0; i < 16; ++i) co_await one.queue.enqueue(shipment{i});
        one.start();
        co_await until([&] { return ended >= 16; });
        co_await until(on, "select count(*) from apus_jobs", "0");
        CHECK(on.value("select count(*) from effect") == "16");
        CHECK(begun == 16);
    });
}

TEST_CASE("jobs: three nodes run each of many jobs once") {
    with_jobs([](job_database& on) -> task<> {
        std::vector<std::unique_ptr<node>> nodes;
        std::vector<int> runs(600);
        std::vector<int> by_node(3);
        for (std::size_t i = 0; i < 3; ++i) {
            nodes.push_back(std::make_unique<node>(on, jobs::queue_options{.concurrency = 8}));
            nodes.back()->queue.handle<shipment>([&, i](shipment job) -> task<> {
                ++runs[static_cast<std::size_t>(job.number)];
                ++by_node[i];
                co_await apus::sleep_for(milliseconds(1));
            });
            nodes.back()->start();
        }
        auto t = co_await on.db.begin();
        for (int i = 0; i < 600; ++i) co_await nodes[0]->queue.enqueue(t, shipment{i});
        co_await t.commit();
        co_await until(on, "select count(*) from apus_jobs", "0");
        CHECK(runs == std::vector<int>(600, 1));
        CHECK(by_node[0] + by_node[1] + by_node[2] == 600);
    });
}

TEST_CASE("jobs: a schedule fires once for all nodes, not at its first start, and once after an outage") {
    with_jobs([](job_database& on) -> task<> {
        std::vector<std::unique_ptr<node>> nodes;
        int fired = 0;
        const auto start = [&](std::size_t count) {
            nodes.clear();
            for (std::size_t i = 0; i < count; ++i) {
                nodes.push_back(std::make_unique<node>(on));
                nodes.back()->queue.handle<tick>([&](tick) -> task<> {
                    ++fired;
                    co_return;
                });
                nodes.back()->queue.schedule("minutely", "* * * * *", tick{"a"});
                nodes.back()->queue.schedule("new year", "0 0 1 1 *", tick{"b"});
                nodes.back()->start();
            }
        };
        start(3);
        co_await until(on, "select count(distinct schedule) from apus_jobs_ticks", "2");
        co_await apus::sleep_for(milliseconds(100));
        const int at_start = fired;  // 1 if the minute has just changed
        CHECK(at_start <= 1);
        // Simulates an outage of all nodes for five minutes: the latest tick is missed.
        on.file.run("update apus_jobs_ticks set tick = tick - 300000");
        start(3);
        co_await until([&] { return fired > at_start; });
        co_await apus::sleep_for(milliseconds(100));
        CHECK(fired <= at_start + 2);
        CHECK(on.value("select count(*) from apus_jobs_ticks where schedule = 'default/new year'") == "2");
        // A clock that is set back fires no tick again.
        const int before = fired;
        start(1);
        co_await apus::sleep_for(milliseconds(200));
        CHECK(fired <= before + 1);
    });
}

TEST_CASE("jobs: a job starts within milliseconds after its commit, and an idle node reads once a second at most") {
    with_jobs([](job_database& on) -> task<> {
        node one(on);
        bool ran = false;
        one.queue.handle<shipment>([&](shipment) -> task<> {
            ran = true;
            co_return;
        });
        one.start();
        co_await until(on, "select count(*) from apus_jobs_workers", "1");
        co_await apus::sleep_for(milliseconds(300));
        const std::uint64_t begun = apus::runtime::loop::current().now();
        co_await one.queue.enqueue(shipment{1});
        co_await until([&] { return ran; });
        CHECK(apus::runtime::loop::current().now() - begun < 500);
        co_await until(on, "select count(*) from apus_jobs", "0");
    });
}

TEST_CASE("jobs: each of 100 ticks adds one job by three nodes, one of which is killed at each tick") {
    with_jobs([](job_database& on) -> task<> {
        const jobs::store rows(on.db, "default");
        const jobs::detail::job_type type{"tick", 1};
        const auto fire = [&](int tick) { return rows.fire("s", tick * 60'000, type, "{}", 0, false); };
        co_await fire(0);  // the first start
        for (int tick = 1; tick <= 100; ++tick) {
            task_scope killed, others;
            const auto ignore = [](task<bool> t) -> task<> { (void)co_await std::move(t).outcome(); };
            killed.spawn(ignore(fire(tick)));
            for (int i = 0; i < 2; ++i) others.spawn(ignore(fire(tick)));
            if (tick % 2) co_await apus::yield();
            killed.cancel();
            co_await others.join();
        }
        CHECK(on.value("select count(*) from apus_jobs") == "100");
        CHECK(on.value("select count(*) from apus_jobs_ticks") == "101");
    });
}
