// SPDX-License-Identifier: Apache-2.0
#include "postgres/database.hpp"
#include "support/tcp_proxy.hpp"

#include <algorithm>
#include <chrono>
#include <list>
#include <string>
#include <vector>

using namespace apus;
using support::postgres_server;
using support::tcp_proxy;
using test::database;
using test::running_task;
using clock_type = std::chrono::steady_clock;

namespace {

constexpr int accounts = 20;

void make_bank(database& db) {
    db.query("create table account (id int primary key, balance bigint not null)");
    db.query("create table transfer (id bigint primary key)");
    db.query("insert into account select n, 1000 from generate_series(0, 19) n");
}

/// Concurrent transfers by several tasks, each with a unique number.
/// Records acknowledged transfers.
struct load {
    explicit load(database& d) : db(d) {}

    task<> transfer_once(std::int64_t id) {
        // Accounts are locked in one order: the server takes a second to detect a deadlock.
        const int one = static_cast<int>(id % accounts), other = static_cast<int>(id * 7 % accounts);
        const int from = std::min(one, other), to = std::max(one, other);
        auto t = co_await db.engine->begin({}, db.at.loop->now() + db.wait);
        (void)co_await t->execute(db.statement("insert into transfer values ($1)", id));
        (void)co_await t->execute(db.statement("update account set balance = balance - 1 where id = $1", from));
        (void)co_await t->execute(db.statement("update account set balance = balance + 1 where id = $1", to));
        co_await t->commit();
    }
    task<> work() {
        while (!stops) {
            const std::int64_t id = ++ids;
            const std::uint64_t began = db.at.loop->now();
            const auto done = co_await transfer_once(id).outcome();
            longest = std::max(longest, db.at.loop->now() - began);
            if (done) acknowledged.push_back(id), last = clock_type::now();
            else {
                ++failed;
                co_await apus::sleep_for(milliseconds(5));
            }
        }
    }

    database& db;
    bool stops = false;
    std::int64_t ids = 0;
    int failed = 0;
    std::uint64_t longest = 0;  // longest transfer in milliseconds
    clock_type::time_point last{};
    std::vector<std::int64_t> acknowledged;
};

/// Checks that no acknowledged transfer is lost, and none is partial.
void check_bank(database& db, const load& done) {
    CHECK(db.query("select sum(balance) from account") == "20000");
    CHECK(db.query("select count(*) from transfer where id = any($1)", done.acknowledged) ==
          std::to_string(done.acknowledged.size()));
}

void turn_for(database& db, std::chrono::milliseconds time) {
    const auto until = clock_type::now() + time;
    while (clock_type::now() < until) db.at.loop->turn(5);
}

/// Runs transfers, calls `disturb`, and waits until a transfer succeeds after `mend`.
/// Returns the time from `mend` to that transfer.
template <class Disturb, class Mend>
std::chrono::milliseconds disturbed(database& db, load& transfers, Disturb disturb, Mend mend) {
    std::list<running_task<void>> tasks;
    for (int i = 0; i < 12; ++i) tasks.emplace_back(transfers.work());
    turn_for(db, std::chrono::milliseconds(150));
    disturb();
    turn_for(db, std::chrono::milliseconds(150));
    mend();
    const auto mended = clock_type::now();
    REQUIRE(db.turn_until([&] { return transfers.last > mended; }));
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(transfers.last - mended);
    turn_for(db, std::chrono::milliseconds(150));
    transfers.stops = true;
    for (auto& t : tasks) t.wait();
    return whole;
}

std::string through(const tcp_proxy& proxy) {
    return "postgres://postgres@127.0.0.1:" + std::to_string(proxy.port()) + "/postgres?sslmode=disable";
}

}  // namespace

TEST_CASE("PostgreSQL killed and started again under load: nothing acknowledged is lost") {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        postgres_server server;
        database db(server.url(), backend);
        db.wait = 3'000;
        make_bank(db);
        load transfers(db);
        const auto whole = disturbed(db, transfers, [&] { server.kill(); }, [&] { server.start(); });
        MESSAGE("transfers: " << transfers.acknowledged.size() << ", failed: " << transfers.failed
                              << ", whole again after ms: " << whole.count() << ", longest ms: " << transfers.longest);
        CHECK(transfers.failed > 0);
        CHECK(whole < std::chrono::milliseconds(1000));
        CHECK(transfers.longest < 3'500);
        check_bank(db, transfers);
    }
}

TEST_CASE("a network that is reset or cut under load: nothing hangs beyond its deadline") {
    for (const char* backend : {"epoll", "uring"})
        for (const auto how : {tcp_proxy::mode::reset, tcp_proxy::mode::silent}) {
            CAPTURE(backend);
            CAPTURE(static_cast<int>(how));
            postgres_server server;
            tcp_proxy proxy(server.socket_path());
            database db(through(proxy), backend, {.connect_timeout = seconds(1)});
            db.wait = 300;
            make_bank(db);
            load transfers(db);
            (void)disturbed(db, transfers, [&] { proxy.set(how); }, [&] { proxy.set(tcp_proxy::mode::forward); });
            CHECK(transfers.longest < 3 * 300 + 300);  // deadlines of three statements
            db.wait = 10'000;
            check_bank(db, transfers);
        }
}
