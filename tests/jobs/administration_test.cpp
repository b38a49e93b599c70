// SPDX-License-Identifier: Apache-2.0
#include "jobs/nodes.hpp"

#include <apus/jobs/administration.hpp>

#include <string>
#include <vector>

namespace jobs = apus::jobs;
using apus::task;
using apus::task_scope;
using apus::test::job_database;
using apus::test::until;
using apus::test::with_jobs;

namespace {

struct letter {
    std::string to;
};

}  // namespace

TEST_CASE("jobs: an operator lists, retries, cancels and purges jobs") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        int attempts = 0;
        bool repaired = false;
        q.handle<letter>(
            [&](letter) -> task<> {
                ++attempts;
                if (!repaired) co_await apus::fail(503, "down");
            },
            {.attempts = 1});
        task_scope nodes;
        nodes.spawn(q.run());
        const auto first = co_await q.enqueue(letter{"a"}, {.unique_key = "k", .priority = 7});
        co_await until(on, "select state from apus_jobs", "dead");
        const auto second = co_await q.enqueue(letter{"b"}, {.unique_key = "k"});
        co_await until(on, "select count(*) from apus_jobs where state = 'dead'", "2");
        const auto later = co_await q.enqueue(letter{"c"}, {.delay = apus::seconds(3600), .unique_key = "k"});

        jobs::administration admin(on.file.url());
        const auto all = admin.list();
        REQUIRE(all.size() == 3);
        CHECK(all[0].id == later.id);
        CHECK(all[0].state == jobs::job_state::delayed);
        CHECK(all[0].due_at > all[0].created_at + 3'000'000);
        CHECK(all[2].payload == "{\"to\":\"a\"}");
        CHECK(all[2].priority == 7);
        CHECK(all[2].attempt == 1);
        CHECK(all[2].errors.contains("attempt 1: 503 down"));
        CHECK(all[2].ended_at >= all[2].started_at);
        CHECK(admin.list({.id = second.id}).size() == 1);
        CHECK(admin.list({.queue = "other"}).empty());
        CHECK(admin.list({.kind = "letter", .state = jobs::job_state::dead}).size() == 2);
        CHECK(admin.list({}, 1).size() == 1);

        repaired = true;
        std::int64_t kept = 0;
        CHECK(admin.retry({.state = jobs::job_state::dead}, kept) == 0);
        CHECK(kept == 2);
        CHECK(admin.cancel({.id = later.id}) == 1);
        CHECK(admin.cancel({.id = first.id}) == 0);
        kept = 0;
        CHECK(admin.retry({.state = jobs::job_state::dead}, kept) == 1);
        co_await until(on, "select count(*) from apus_jobs", "1");
        CHECK(attempts == 3);
        CHECK(admin.purge({.kind = "letter"}) == 1);
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: the dead letters of a lane that are retried become ready one after the other") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        std::vector<std::string> ran;
        bool repaired = false;
        q.handle<letter>(
            [&](letter job) -> task<> {
                if (!repaired) co_await apus::fail(503, "down");
                ran.push_back(job.to);
            },
            {.attempts = 1});
        for (const char* to : {"a1", "b1", "a2", "b2", "a3", "c1"}) {
            const std::string lane(to, *to == 'c' ? 0 : 1);
            co_await q.enqueue(letter{to}, {.lane = lane});
        }
        {
            task_scope nodes;
            nodes.spawn(q.run());
            co_await until(on, "select count(*) from apus_jobs where state = 'dead'", "6");
            q.stop();
            co_await nodes.join();
        }
        co_await q.enqueue(letter{"a4"}, {.lane = "a"});
        co_await q.enqueue(letter{"a5"}, {.lane = "a"});
        jobs::administration admin(on.file.url());
        std::int64_t kept = 0;
        CHECK(admin.retry({.state = jobs::job_state::dead}, kept) == 6);
        CHECK(on.value("select count(*) from apus_jobs where state = 'ready' and lane = 'a'") == "2");  // a1 and a4
        CHECK(on.value("select count(*) from apus_jobs where state = 'ready' and lane = 'b'") == "1");
        CHECK(on.value("select count(*) from apus_jobs where state = 'blocked'") == "4");
        repaired = true;
        jobs::queue again(on.db);
        again.handle<letter>([&](letter job) -> task<> {
            ran.push_back(job.to);
            co_return;
        });
        task_scope nodes;
        nodes.spawn(again.run());
        co_await until(on, "select count(*) from apus_jobs", "0");
        again.stop();
        co_await nodes.join();
        std::erase_if(ran, [](const std::string& to) { return to[0] != 'a'; });
        CHECK(ran == std::vector<std::string>{"a1", "a2", "a3", "a4", "a5"});
    });
}

TEST_CASE("jobs: an operator sees the progress of a running job, and cancels it") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        q.handle<letter>([](letter, jobs::context& c) -> task<> {
            co_await c.progress(0.5, "half");
            co_await apus::sleep_for(apus::seconds(60));
        });
        task_scope nodes;
        nodes.spawn(q.run());
        jobs::administration admin(on.file.url());
        const auto slow = co_await q.enqueue(letter{"slow"});
        co_await until(on, "select note from apus_jobs", "half");
        CHECK(admin.list({.id = slow.id})[0].progress == 0.5);
        CHECK(admin.list({.id = slow.id})[0].state == jobs::job_state::running);
        CHECK(admin.cancel({.id = slow.id}) == 1);
        co_await until(on, "select count(*) from apus_jobs", "0");
        q.stop();
        co_await nodes.join();
    });
    CHECK_THROWS_AS(jobs::administration("sqlite:/nonexistent/none.db"), apus::sql::migration_error);
    CHECK(jobs::state_of("dead") == jobs::job_state::dead);
    CHECK_FALSE(jobs::state_of("done"));
}
