// SPDX-License-Identifier: Apache-2.0
// Measures SQLite with 64 clients on one core: point reads, batches of rows, durable commits, and a mixed load, which
// must have no errors.
// usage: sqlite_speed [FOLDER] [SECONDS OF EACH] [SECONDS OF THE MIXED LOAD]
#include "run_task.hpp"

#include <apus/sql.hpp>
#include <apus/task_scope.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <unistd.h>

using apus::task;
using clock_type = std::chrono::steady_clock;

namespace {

constexpr int clients = 64;
constexpr std::int64_t rows = 100'000;

struct row {
    std::int64_t id;
    std::string name;
    std::int64_t value;
};

struct load {
    apus::sql::database db;
    clock_type::time_point until{};
    std::int64_t done = 0;
    std::int64_t errors = 0;
    std::vector<std::uint32_t> took{};  // microseconds
    std::uint64_t random = 1;

    std::int64_t next_id() {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::int64_t>((random >> 33U) % static_cast<std::uint64_t>(rows)) + 1;
    }
};

template <class T>
void count(load& of, const apus::result<T>& made, clock_type::time_point begin, std::int64_t items = 1) {
    const auto spent = std::chrono::duration_cast<std::chrono::microseconds>(clock_type::now() - begin).count();
    of.took.push_back(static_cast<std::uint32_t>(spent));
    if (made) of.done += items;
    else if (of.errors++ == 0) std::printf("first error: %s\n", std::string(made.error().cause()).c_str());
}

task<> read_rows(load& of) {
    while (clock_type::now() < of.until) {
        const auto begin = clock_type::now();
        count(of, co_await of.db.one<row>("select id, name, value from t where id = $1", of.next_id()).outcome(),
              begin);
    }
}

task<> commit_rows(load& of) {
    while (clock_type::now() < of.until) {
        const auto begin = clock_type::now();
        count(of, co_await of.db.run("insert into w (name, value) values ($1, $2)", "name", of.next_id()).outcome(),
              begin);
    }
}

task<> insert_batches(load& of) {
    struct fields {
        std::string name;
        std::int64_t value;
    };
    const std::vector<fields> batch(1'000, {"a name of some length", 7});
    while (clock_type::now() < of.until) {
        const auto begin = clock_type::now();
        count(of, co_await of.db.run_each("insert into w (name, value) values ($1, $2)", batch).outcome(), begin,
              1'000);
    }
}

// 70 % of the operations read, 20 % write, and 10 % read and write in a transaction.
task<> mix(load& of) {
    for (int turn = 0; clock_type::now() < of.until; ++turn) {
        const std::int64_t id = of.next_id();
        const auto begin = clock_type::now();
        if (turn % 10 < 7) {
            count(of, co_await of.db.one<row>("select id, name, value from t where id = $1", id).outcome(), begin);
        } else if (turn % 10 < 9) {
            count(of, co_await of.db.run("update t set value = value + 1 where id = $1", id).outcome(), begin);
        } else {
            const auto transfer = [id](apus::sql::transaction& t) -> task<> {
                const auto value = co_await t.one<std::int64_t>("select value from t where id = $1", id);
                co_await t.run("update t set value = $1 where id = $2", value + 1, id);
            };
            count(of, co_await of.db.transaction(transfer).outcome(), begin);
        }
    }
}

task<> all_clients(load& of, task<> (*client)(load&), int number) {
    apus::task_scope scope;
    for (int i = 0; i < number; ++i) scope.spawn(client(of));
    co_await scope.join();
}

bool measure(apus::runtime::loop& loop, const char* name, const apus::sql::database& db, task<> (*client)(load&),
             int number, double seconds) {
    load of{.db = db};
    const auto begin = clock_type::now();
    const std::clock_t cpu = std::clock();
    of.until = begin + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    run(loop, all_clients(of, client, number));
    const double spent = std::chrono::duration<double>(clock_type::now() - begin).count();
    std::ranges::sort(of.took);
    const auto at = [&](double part) {
        return of.took.empty() ? 0U : of.took[static_cast<std::size_t>(part * static_cast<double>(of.took.size() - 1))];
    };
    std::printf("%-28s %10.0f /s  p50 %6u us  p99 %7u us  max %8u us  CPU %4.2f cores  errors %lld\n", name,
                static_cast<double>(of.done) / spent, at(0.5), at(0.99), at(1),
                static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC / spent, static_cast<long long>(of.errors));
    std::fflush(stdout);
    return of.errors == 0;
}

task<> prepare(const apus::sql::database& db) {
    co_await db.run("create table t (id integer primary key, name text not null, value integer not null)");
    co_await db.run("create table w (id integer primary key, name text not null, value integer not null)");
    co_await db.run(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < $1) "
        "insert into t select i, 'name ' || i, i from n",
        rows);
}

}  // namespace

int main(int argc, char** argv) {
    const std::filesystem::path base = argc > 1 ? argv[1] : std::filesystem::temp_directory_path();
    const double seconds = argc > 2 ? std::atof(argv[2]) : 3, mixed = argc > 3 ? std::atof(argv[3]) : 60;
    const auto folder = base / ("apus-sqlite-speed-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    bool good = true;
    {
        std::string why;
        apus::runtime::loop loop{apus::runtime::make_backend("", why)};
        const apus::sql::database db("sqlite:" + (folder / "a.db").string());
        run(loop, prepare(db));
        good = measure(loop, "point reads, 64 clients", db, read_rows, clients, seconds) &&
               measure(loop, "rows in batches of 1,000", db, insert_batches, 2, seconds) &&
               measure(loop, "durable commits, 64 clients", db, commit_rows, clients, seconds) &&
               measure(loop, "durable commits, 1 client", db, commit_rows, 1, seconds) &&
               measure(loop, "mixed, 64 clients", db, mix, clients, mixed);
    }
    std::filesystem::remove_all(folder);
    return good ? 0 : 1;
}
