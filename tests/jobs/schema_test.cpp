// SPDX-License-Identifier: Apache-2.0
#include "jobs/nodes.hpp"

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace jobs = apus::jobs;
using apus::task;
using apus::task_scope;
using apus::test::job_database;
using apus::test::until;
using apus::test::with_jobs;

namespace {

struct bill {
    std::int64_t number;
};

// Changes the tables to those of version 1 or 2, with a job.
void make_version(int version, job_database& on) {
    const std::string of = on.file.url().starts_with("sqlite:") ? "" : " on apus_jobs";
    for (const char* trigger : {"apus_jobs_lane_removed", "apus_jobs_lane_buried"})
        on.file.run("drop trigger " + std::string(trigger) + of);
    for (const char* index : {"apus_jobs_lane", "apus_jobs_lane_blocked", "apus_jobs_lane_runs"})
        on.file.run("drop index " + std::string(index));
    on.file.run("alter table apus_jobs drop column lane");
    if (version == 1) on.file.run("alter table apus_jobs drop column trace");
    on.file.run("update apus_jobs_schema set version = " + std::to_string(version));
    on.file.run(
        "insert into apus_jobs (queue, kind, version, payload, state, due_at, created_at) "
        "values ('default', 'bill', 1, '{\"number\":7}', 'ready', 0, 0)");
}

std::string_view engine_of(const job_database& on) {
    return on.file.url().starts_with("sqlite:") ? "sqlite" : "postgres";
}

task<> run_all_jobs(job_database& on) {
    jobs::queue q(on.db);
    std::vector<std::int64_t> ran;
    q.handle<bill>([&](bill job) -> task<> {
        ran.push_back(job.number);
        co_return;
    });
    task_scope nodes;
    nodes.spawn(q.run());
    co_await q.enqueue(bill{8}, {.lane = "a"});
    co_await q.enqueue(bill{9}, {.lane = "a"});
    co_await until([&] { return ran.size() == 3; });
    q.stop();
    co_await nodes.join();
    CHECK(ran == std::vector<std::int64_t>{7, 8, 9});
}

}  // namespace

TEST_CASE("jobs: tables of earlier versions are changed, by any number of processes, and their jobs run") {
    for (const int version : {1, 2}) {
        CAPTURE(version);
        with_jobs([version](job_database& on) -> task<> {
            make_version(version, on);
            std::vector<std::thread> processes;
            for (int i = 0; i < 4; ++i) processes.emplace_back([&] { jobs::migrate(on.file.url()); });
            for (auto& each : processes) each.join();
            CHECK(on.value("select version from apus_jobs_schema") == "3");
            CHECK(on.value("select count(*) from apus_jobs where trace is null and lane is null") == "1");
            co_await run_all_jobs(on);
        });
    }
}

TEST_CASE("jobs: a change of the tables does not wait for a lock without limit") {
    with_jobs([](job_database& on) -> task<> {
        if (engine_of(on) != "postgres") co_return;
        make_version(2, on);
        auto t = co_await on.db.begin();
        co_await t.run("lock table apus_jobs in access share mode");
        CHECK_THROWS_WITH_AS(jobs::migrate(on.file.url()), doctest::Contains("another transaction has locked them"),
                             apus::sql::migration_error);
        CHECK(on.value("select version from apus_jobs_schema") == "2");
        co_await t.commit();
        jobs::migrate(on.file.url());
        CHECK(on.value("select version from apus_jobs_schema") == "3");
    });
}

TEST_CASE("jobs: a lock timeout is recognized by its SQLSTATE, in any language") {
    struct row {
        std::string message, state, expected;
    };
    const row rows[] = {
        {"Sperre nicht erhalten", "55P03", "another transaction has locked them"},
        {"lock timeout is too short", "P0001", "lock timeout is too short"},
    };
    with_jobs([&rows](job_database& on) -> task<> {
        if (engine_of(on) != "postgres") co_return;
        make_version(2, on);
        for (const auto& [message, state, expected] : rows) {
            on.file.run(
                "create or replace function refuse() returns event_trigger language plpgsql as $$ begin "
                "raise exception using errcode = '" +
                state + "', message = '" + message + "'; end $$");
            on.file.run("create event trigger refusal on ddl_command_start execute function refuse()");
            CHECK_THROWS_WITH_AS(jobs::migrate(on.file.url()), doctest::Contains(expected.c_str()),
                                 apus::sql::migration_error);
            on.file.run("drop event trigger refusal");
        }
        jobs::migrate(on.file.url());
        CHECK(on.value("select version from apus_jobs_schema") == "3");
    });
}

TEST_CASE("jobs: a restart of a program for version 1 does not make the tables unusable") {
    with_jobs([](job_database& on) -> task<> {
        on.file.run("insert into apus_jobs_schema (version) values (1) on conflict (version) do nothing");
        jobs::migrate(on.file.url());
        on.file.run(
            "insert into apus_jobs (queue, kind, version, payload, state, due_at, created_at) "
            "values ('default', 'bill', 1, '{\"number\":7}', 'ready', 0, 0)");
        co_await run_all_jobs(on);
    });
}

TEST_CASE("jobs: tables of earlier versions can be changed by a migration of the program") {
    for (const int version : {1, 2}) {
        CAPTURE(version);
        with_jobs([version](job_database& on) -> task<> {
            make_version(version, on);
            // The statements for a new database refuse existing tables of an earlier version.
            CHECK_THROWS_AS(apus::sql::execute_script(on.file.url(), jobs::schema(engine_of(on)), "whole"),
                            apus::sql::migration_error);
            CHECK(on.value("select version from apus_jobs_schema") == std::to_string(version));
            apus::sql::execute_script(on.file.url(), jobs::schema(engine_of(on), version), "changes");
            CHECK(on.value("select version from apus_jobs_schema") == "3");
            co_await run_all_jobs(on);
            on.file.run("update apus_jobs_schema set version = 4");
            jobs::migrate(on.file.url());  // leaves the tables of a newer program unchanged
            CHECK(on.value("select version from apus_jobs_schema") == "4");
        });
    }
    CHECK_THROWS_AS(jobs::schema("sqlite", 3), std::invalid_argument);
    CHECK_THROWS_AS(jobs::schema("sqlite", -1), std::invalid_argument);
    CHECK_THROWS_AS(jobs::schema("mysql", 1), std::invalid_argument);
}
