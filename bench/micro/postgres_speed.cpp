// SPDX-License-Identifier: Apache-2.0
// Measures the CPU time that a PostgreSQL statement takes in this program, which runs on the first processor. The
// program starts a server on the other processors. Loads: rows by primary key one by one, twenty at once, and in
// transactions. usage: postgres_speed [SECONDS OF EACH] [ROUNDS]
#include "run_task.hpp"
#include "testing/postgres_server.hpp"

#include <apus/sql.hpp>
#include <apus/task_scope.hpp>
#include <apus/when_all.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <sched.h>

using apus::task;
using clock_type = std::chrono::steady_clock;

namespace {

constexpr int rows = 10'000;

struct row {
    std::int32_t id;
    std::int32_t value;
};

struct load {
    apus::sql::database db;
    clock_type::time_point until{};
    long done = 0;
    unsigned random = 1;

    int next_id() { return static_cast<int>((random = random * 1664525U + 1013904223U) >> 8U) % rows + 1; }
};

constexpr apus::sql::text by_id = "select id, value from t where id = $1";

task<> read_one(load& of) {
    (void)co_await of.db.one<row>(by_id, of.next_id());
    ++of.done;
}

task<> read_twenty(load& of) {
    std::vector<task<row>> all;
    for (int i = 0; i < 20; ++i) all.push_back(of.db.one<row>(by_id, of.next_id()));
    (void)co_await apus::when_all(std::move(all));
    of.done += 20;
}

task<> change(load& of) {
    const int id = of.next_id();
    co_await of.db.transaction([id](apus::sql::transaction& t) -> task<> {
        const auto found = co_await t.one<row>(by_id, id);
        co_await t.run("update t set value = $1 where id = $2", found.value + 1, id);
    });
    of.done += 4;
}

task<> client(load& of, task<> (*work)(load&)) {
    while (clock_type::now() < of.until) co_await work(of);
}

task<> clients(load& of, task<> (*work)(load&), int number) {
    apus::task_scope scope;
    for (int i = 0; i < number; ++i) scope.spawn(client(of, work));
    co_await scope.join();
}

void measure(apus::runtime::loop& loop, const char* name, load& of, task<> (*work)(load&), int number, double seconds) {
    of.done = 0;
    const std::clock_t cpu = std::clock();
    of.until = clock_type::now() + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    run(loop, clients(of, work, number));
    std::printf("%-36s %8.0f statements/s  CPU %5.2f us each\n", name, static_cast<double>(of.done) / seconds,
                1e6 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC / static_cast<double>(of.done));
    std::fflush(stdout);
}

task<> prepare(const apus::sql::database& db) {
    co_await db.run("create table t (id int primary key, value int not null)");
    co_await db.run("insert into t select n, n from generate_series(1, $1::int) n", rows);
}

void use_processors(bool first) {
    cpu_set_t all, set;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&set);
    for (int cpu = 0, found = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &all) && (found++ == 0) == first) CPU_SET(cpu, &set);
    if (CPU_COUNT(&set) != 0) sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    use_processors(false);
    const apus::testing::postgres_server server({.settings = {"synchronous_commit=off"}, .hba = "", .tcp = true});
    sched_setaffinity(0, sizeof all, &all);
    use_processors(true);
    std::string why;
    apus::runtime::loop loop{apus::runtime::make_backend("", why)};
    const std::string url =
        "postgres://postgres@127.0.0.1:" + std::to_string(server.port()) + "/postgres?sslmode=disable";
    load of{.db = apus::sql::database(url, {.connections = 16, .queue = 16'384})};
    run(loop, prepare(of.db));
    for (int i = 0; i < rounds; ++i) {
        measure(loop, "rows, 64 clients", of, read_one, 64, seconds);
        measure(loop, "20 rows at once, 64 clients", of, read_twenty, 64, seconds);
        measure(loop, "transactions of 4, 16 clients", of, change, 16, seconds);
    }
}
