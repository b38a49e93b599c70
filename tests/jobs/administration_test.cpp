// SPDX-License-Identifier: Apache-2.0
#include "jobs/nodes.hpp"

#include <apus/jobs/administration.hpp>

#include <string>

namespace jobs = apus::jobs;
using apus::milliseconds;
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
