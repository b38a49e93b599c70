// SPDX-License-Identifier: Apache-2.0
#include "jobs/nodes.hpp"
#include "jobs/store.hpp"

#include <apus/jobs/administration.hpp>

#include <algorithm>
#include <map>
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

struct parcel {
    std::int64_t number;
};

struct slow_parcel {
    std::int64_t number;
};

using numbers = std::vector<std::int64_t>;

bool is_postgres(const job_database& on) { return on.file.url().starts_with("postgres"); }

}  // namespace

TEST_CASE("jobs: jobs of a lane run one after the other, in order, while other lanes run") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue one(on.db, {.concurrency = 8}), two(sql::database(on.file.url()), {.concurrency = 8});
        std::map<std::int64_t, numbers> ran;  // by lane
        std::map<std::int64_t, int> at_once;
        int most = 0, overlaps = 0;
        const auto handler = [&](parcel job) -> task<> {
            const auto lane = job.number / 1000;
            overlaps += at_once[lane]++ != 0 ? 1 : 0;
            int busy = 0;
            for (const auto& [name, count] : at_once) busy += count;
            most = std::max(most, busy);
            co_await apus::sleep_for(milliseconds(1));
            ran[lane].push_back(job.number);
            --at_once[lane];
        };
        one.handle<parcel>(handler);
        two.handle<parcel>(handler);
        for (std::int64_t i = 0; i < 20; ++i)
            for (std::int64_t lane = 1; lane <= 4; ++lane)
                co_await one.enqueue(parcel{lane * 1000 + i}, {.lane = std::to_string(lane)});
        task_scope nodes;
        nodes.spawn(one.run());
        nodes.spawn(two.run());
        co_await until(on, "select count(*) from apus_jobs", "0");
        one.stop();
        two.stop();
        co_await nodes.join();
        CHECK(overlaps == 0);
        CHECK(most > 1);
        for (const auto& [lane, all] : ran) {
            CHECK(all.size() == 20);
            CHECK(std::ranges::is_sorted(all));
        }
    });
}

TEST_CASE("jobs: a failing job holds back its lane only, and a dead letter lets the lane continue") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        numbers ran;
        q.handle<parcel>(
            [&](parcel job, jobs::context& c) -> task<> {
                // The last attempt fails after the jobs of the other lane have ended.
                while (job.number == 1 && c.attempt() == 2 && ran.size() < 2) co_await apus::sleep_for(milliseconds(1));
                if (job.number == 1) co_await apus::fail(503, "closed");
                ran.push_back(job.number);
            },
            {.attempts = 2, .retry_delay = milliseconds(1)});
        for (const std::int64_t i : {1, 2, 3}) co_await q.enqueue(parcel{i}, {.lane = "a"});
        for (const std::int64_t i : {11, 12}) co_await q.enqueue(parcel{i}, {.lane = "b"});
        task_scope nodes;
        nodes.spawn(q.run());
        co_await until([&] { return ran.size() >= 2; });
        CHECK(numbers(ran.begin(), ran.begin() + 2) == numbers{11, 12});
        co_await until(on, "select count(*) from apus_jobs where state <> 'dead'", "0");
        CHECK(ran == numbers{11, 12, 2, 3});
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: the next job of a lane follows a cancelled, purged or completed job, also in the handler's commit") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        numbers ran;
        q.handle<parcel>([&](parcel job, jobs::context& c) -> task<> {
            auto t = co_await c.transaction();
            co_await t.run("insert into effect (n) values ($1)", job.number);
            ran.push_back(job.number);
        });
        const auto first = co_await q.enqueue(parcel{1}, {.lane = "a"});
        const auto second = co_await q.enqueue(parcel{2}, {.lane = "a"});
        for (const std::int64_t i : {3, 4}) co_await q.enqueue(parcel{i}, {.delay = milliseconds(50), .lane = "a"});
        CHECK(on.value("select count(*) from apus_jobs where state = 'blocked'") == "3");
        CHECK(co_await q.cancel(on.db, second.id));
        CHECK(on.value("select count(*) from apus_jobs where state = 'blocked'") == "2");
        CHECK(co_await q.cancel(on.db, first.id));
        CHECK(on.value("select count(*) from apus_jobs where state = 'blocked'") == "1");
        task_scope nodes;
        nodes.spawn(q.run());
        co_await until(on, "select count(*) from apus_jobs", "0");
        CHECK(ran == numbers{3, 4});
        q.stop();
        co_await nodes.join();
        auto refused = co_await q.enqueue(parcel{5}, {.lane = std::string(256, 'x')}).outcome();
        REQUIRE(!refused);
        CHECK(refused.error().status() == 400);
    });
}

// The second transaction has seen the first job, and commits after this job has ended.
TEST_CASE("jobs: a job that was added while the previous job of its lane ended is not forgotten") {
    with_jobs([](job_database& on) -> task<> {
        if (!is_postgres(on)) co_return;
        jobs::queue q(on.db);
        numbers ran;
        q.handle<parcel>([&](parcel job) -> task<> {
            ran.push_back(job.number);
            co_return;
        });
        co_await q.enqueue(parcel{1}, {.lane = "a"});
        auto t = co_await on.db.begin();
        co_await q.enqueue(t, parcel{2}, {.lane = "a"});
        task_scope nodes;
        nodes.spawn(q.run());
        co_await until(on, "select count(*) from apus_jobs", "0");
        co_await t.commit();
        co_await q.enqueue(parcel{3}, {.lane = "a"});
        co_await until([&] { return ran.size() == 3; });
        CHECK(ran == numbers{1, 2, 3});
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: the search for free lanes is bounded, and continues until the last lane") {
    with_jobs([](job_database& on) -> task<> {
        if (!is_postgres(on)) co_return;
        const auto blocked = [](const char* lanes, const char* state, const char* due) {
            return std::string(
                       "insert into apus_jobs (queue, kind, version, payload, state, due_at, created_at, lane) "
                       "select 'default', 'parcel', 1, '{\"number\":' || n || '}', '") +
                   state + "', " + due + ", 0, 'lane ' || to_char(n, '00000') from generate_series(" + lanes + ") n";
        };
        // A job waits for its next attempt in 2,500 lanes; the last lane has only a job that was forgotten.
        on.file.run(blocked("1, 2500", "delayed", "9000000000000"));
        on.file.run(blocked("1, 2501", "blocked", "0"));
        const jobs::store rows(on.db, "default");
        const auto one = co_await rows.unblock("");
        CHECK(one.freed == 0);
        CHECK(one.last == "lane  01000");
        CHECK((co_await rows.unblock("lane  01000")).last == "lane  02000");
        CHECK(!(co_await rows.unblock("lane  02501")).last);
        jobs::queue q(on.db);
        numbers ran;
        q.handle<parcel>([&](parcel job) -> task<> {
            ran.push_back(job.number);
            co_return;
        });
        task_scope nodes;
        nodes.spawn(q.run());
        co_await until([&] { return !ran.empty(); });
        CHECK(ran == numbers{2501});
        CHECK(on.value("select count(*) from apus_jobs where state = 'blocked'") == "2500");
        q.stop();
        co_await nodes.join();
    });
}

// Two jobs of a lane are ready, since their transactions did not see each other.
TEST_CASE("jobs: jobs of concurrent transactions in an empty lane run one after the other") {
    with_jobs([](job_database& on) -> task<> {
        if (!is_postgres(on)) co_return;
        jobs::queue q(on.db);
        numbers ran;
        int busy = 0, overlaps = 0;
        q.handle<parcel>([&](parcel job) -> task<> {
            overlaps += busy++ != 0 ? 1 : 0;
            co_await apus::sleep_for(milliseconds(50));
            ran.push_back(job.number);
            --busy;
        });
        auto t = co_await on.db.begin(), u = co_await on.db.begin();
        co_await q.enqueue(t, parcel{1}, {.lane = "a"});
        co_await q.enqueue(u, parcel{2}, {.lane = "a"});
        co_await u.commit();
        CHECK(on.value("select state from apus_jobs") == "ready");
        task_scope nodes;
        nodes.spawn(q.run());
        co_await until([&] { return busy == 1; });
        co_await t.commit();
        CHECK(on.value("select count(*) from apus_jobs where state = 'ready'") == "1");
        co_await until([&] { return ran.size() == 2; });
        CHECK(ran == numbers{2, 1});
        CHECK(overlaps == 0);
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: a limited handler leaves the slots to other handlers") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db, {.concurrency = 4});
        int slow = 0, most = 0, quick = 0;
        bool open = false;
        q.handle<slow_parcel>(
            [&](slow_parcel) -> task<> {
                most = std::max(most, ++slow);
                while (!open) co_await apus::sleep_for(milliseconds(1));
                --slow;
            },
            {.concurrency = 2});
        q.handle<parcel>([&](parcel) -> task<> {
            ++quick;
            co_return;
        });
        for (std::int64_t i = 0; i < 8; ++i) co_await q.enqueue(slow_parcel{i});
        for (std::int64_t i = 0; i < 8; ++i) co_await q.enqueue(parcel{i});
        task_scope nodes;
        nodes.spawn(q.run());
        co_await until([&] { return quick == 8; });
        CHECK(slow == 2);
        open = true;
        co_await until(on, "select count(*) from apus_jobs", "0");
        CHECK(most == 2);
        q.stop();
        co_await nodes.join();
    });
}

TEST_CASE("jobs: a handler delays its next attempt, up to the maximum delay") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        q.handle<parcel>([&](parcel, jobs::context& c) -> task<> { co_await c.retry_after(seconds(600), "busy"); });
        q.handle<slow_parcel>(
            [&](slow_parcel, jobs::context& c) -> task<> { co_await c.retry_after(seconds(1'000'000), "busy"); },
            {.max_retry_delay = seconds(60)});
        co_await q.enqueue(parcel{1});
        co_await q.enqueue(slow_parcel{2});
        task_scope nodes;
        nodes.spawn(q.run());
        co_await until(on, "select count(*) from apus_jobs where state = 'delayed'", "2");
        q.stop();
        co_await nodes.join();
        jobs::administration admin(on.file.url());
        for (const auto& each : admin.list()) {
            const auto delay = each.due_at - each.started_at;
            CAPTURE(each.kind);
            CHECK(each.errors.contains("503 busy"));
            CHECK(delay >= (each.kind == "parcel" ? 600'000 : 60'000));
            CHECK(delay < (each.kind == "parcel" ? 700'000 : 100'000));
        }
    });
}
