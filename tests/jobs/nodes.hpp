// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"

#include <apus/jobs.hpp>
#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>
#include <apus/test/database.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

namespace apus::test {

/// A database with the tables of jobs and a table of effects.
/// The test's coroutine runs on a loop of this thread.
struct job_database {
    temporary_database& file;
    sql::database db;

    std::string value(const std::string& statement) const { return file.value(statement); }
};

inline void run_on(temporary_database& file, const std::function<task<>(job_database&)>& check) {
    CAPTURE(file.url());
    jobs::migrate(file.url());
    jobs::migrate(file.url());  // any number of times
    file.run("create table effect (n bigint not null, node text not null default '')");
    std::string why;
    const char* backend = std::getenv("APUS_IO");
    const runtime::loop loop{runtime::make_backend(backend ? backend : "", why)};
    job_database on{file, sql::database(file.url())};
    running_task<void> running(check(on));
    const auto& done = running.wait();
    if (!done) FAIL_CHECK(done.error().status(), " ", done.error().detail(), " ", done.error().cause());
}

/// Runs `check` with a database of each engine.
inline void with_jobs(const std::function<task<>(job_database&)>& check) {
    temporary_database file(std::span<const sql::migration_file>{});
    run_on(file, check);
    temporary_database served(postgres::shared(), std::span<const sql::migration_file>{});
    run_on(served, check);
}

/// Waits until a condition is true; fails the test after ten seconds.
inline task<> until(std::function<bool()> done) {
    const std::uint64_t last = runtime::loop::current().now() + 10'000;
    while (!done() && runtime::loop::current().now() < last) co_await sleep_for(milliseconds(1));
    CHECK(done());
}

/// Waits until a statement returns a value; fails the test after ten seconds.
inline task<> until(job_database& on, std::string statement, std::string_view expected) {
    const std::uint64_t last = runtime::loop::current().now() + 10'000;
    while (on.value(statement) != expected && runtime::loop::current().now() < last)
        co_await sleep_for(milliseconds(5));
    CHECK(on.value(statement) == expected);
}

}  // namespace apus::test
