// SPDX-License-Identifier: Apache-2.0
// Apus in the comparison of job queues, tests/e2e/jobs_compared.py; bench/jobs/README.md describes the arguments.
#include "run_task.hpp"

#include <apus/jobs.hpp>
#include <apus/sleep.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using apus::task;

namespace {

// A job that does nothing. `sent`: when it was added, in microseconds since 1970.
struct noop {
    std::int64_t sent;
};

std::int64_t microseconds_now() {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

// The rows that `enqueue` would add, in one statement.
task<> fill(const apus::sql::database& db, std::int64_t count) {
    co_await db.run(
        "insert into apus_jobs (queue, kind, version, payload, state, due_at, created_at) select 'default', 'noop', 1, "
        "'{\"sent\":1}', 'ready', now, now from generate_series(1, cast($1 as bigint)), (select cast(extract(epoch "
        "from clock_timestamp()) * 1000 as bigint) as now) as time",
        count);
}

task<> produce(const apus::jobs::queue& jobs, std::int64_t count, std::int64_t per_second) {
    const std::int64_t begun = microseconds_now();
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t wait = begun + i * 1'000'000 / per_second - microseconds_now();
        if (wait > 0) co_await apus::sleep_for(apus::milliseconds(wait / 1000));
        co_await jobs.enqueue(noop{microseconds_now()});
    }
}

struct work_state {
    std::vector<std::int64_t> delays;
    std::size_t count;
};

task<> handle(const apus::jobs::queue& jobs, work_state& state, std::int64_t sent) {
    state.delays.push_back(microseconds_now() - sent);
    if (state.delays.size() == state.count) jobs.stop();
    co_return;
}

void wait_for_go() {
    std::puts("ready");
    std::fflush(stdout);
    (void)std::getchar();
}

void print(const std::vector<std::int64_t>& delays) {
    for (std::size_t i = 0; i < delays.size(); ++i)
        std::printf("%s%lld", i == 0 ? "[" : ",", static_cast<long long>(delays[i]));
    std::puts("]");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    const std::int64_t count = argc > 2 ? std::atoll(argv[2]) : 0;
    const char* url = std::getenv("DATABASE_URL");
    if (what == "migrate") return apus::jobs::migrate(url), 0;

    const char* backend = std::getenv("APUS_IO");
    std::string why;
    apus::runtime::loop loop{apus::runtime::make_backend(backend ? backend : "", why)};
    const apus::sql::database db(url);
    const apus::jobs::queue jobs(db, {.concurrency = 500});
    work_state state{{}, static_cast<std::size_t>(count)};
    jobs.handle<noop>([&](noop job) { return handle(jobs, state, job.sent); });
    if (what == "fill") return run(loop, fill(db, count)), 0;
    if (what == "produce") return run(loop, produce(jobs, count, std::atoll(argv[3]))), 0;
    wait_for_go();
    run(loop, jobs.run());
    if (what == "delays") print(state.delays);
}
