// SPDX-License-Identifier: Apache-2.0
#include "postgres/database.hpp"
#include "postgres/scripted_server.hpp"
#include "support/tcp_proxy.hpp"

#include <memory>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;
using support::postgres_server;
using support::tcp_proxy;

namespace {

sql::copy_piece numbers(database& db, std::int64_t from, std::int64_t count) {
    auto values = std::make_shared<sql::parameters>(1 << 20);
    for (std::int64_t n = from; n < from + count; ++n) values->add_copy(sql::value::of(n), false);
    return {.table = "t",
            .columns = "n",
            .column_count = 1,
            .values = std::move(values),
            .deadline = db.at.loop->now() + db.wait};
}

/// Copies pieces of 1,000 rows, and commits.
task<> copy_pieces(database& db, int pieces, int* done = nullptr) {
    auto t = co_await db.engine->begin({}, db.at.loop->now() + db.wait);
    for (int i = 0; i < pieces; ++i) {
        (void)co_await t->copy_in(numbers(db, 1'000 * i, 1'000));
        if (done) ++*done;
    }
    co_await t->commit();
}

task<std::size_t> read_all(database& db, std::string sql, int* pieces = nullptr) {
    auto owner = std::make_shared<const std::string>("copy (" + sql + ") to stdout");
    auto from = co_await db.engine->copy_out({*owner, owner}, db.at.loop->now() + db.wait);
    std::size_t size = 0;
    while (auto piece = co_await from->next(db.at.loop->now() + db.wait)) {
        size += piece->size();
        if (pieces) ++*pieces;
    }
    co_return size;
}

template <class T>
int status_of(const result<T>& r) {
    return r ? 200 : r.error().status();
}

/// Returns the status and, for the output of a failed check, the cause.
template <class T>
std::string outcome_of(const result<T>& r) {
    if (r) return "200";
    return std::to_string(r.error().status()) + " " + std::string(r.error().cause());
}

}  // namespace

TEST_CASE("copies are destroyed at any turn: nothing is stored, and the database continues to work") {
    on_each_backend(
        [](database& db) {
            db.query("create table t (n bigint primary key)");
            for (int turns = 0; turns < 40; ++turns) {
                {
                    running_task<void> in(copy_pieces(db, 1'000));
                    running_task<std::size_t> out(read_all(db, "select generate_series(1, 100000000)"));
                    for (int i = 0; i < turns; ++i) db.at.loop->turn(1);
                }
                REQUIRE(db.query("select count(*) from t") == "0");
            }
        },
        {.connections = 2});
}

TEST_CASE("the server is killed, or the network is cut, in the middle of a copy: an error, and nothing is stored") {
    for (const char* backend : {"epoll", "uring"})
        for (const bool kill : {true, false}) {
            CAPTURE(backend);
            CAPTURE(kill);
            postgres_server server;
            tcp_proxy proxy(server.socket_path());
            database db("postgres://postgres@127.0.0.1:" + std::to_string(proxy.port()) + "/postgres?sslmode=disable",
                        backend);
            db.query("create table t (n bigint primary key)");
            int copied = 0, read = 0;
            running_task<void> in(copy_pieces(db, 1'000'000, &copied));
            running_task<std::size_t> out(read_all(db, "select generate_series(1, 1000000000)", &read));
            REQUIRE(db.turn_until([&] { return copied > 3 && read > 3; }));
            if (kill) server.kill();
            else proxy.set(tcp_proxy::mode::reset);
            const std::string outcomes[] = {outcome_of(in.wait()), outcome_of(out.wait())};
            CAPTURE(outcomes[0]);
            CAPTURE(outcomes[1]);
            CHECK((outcomes[0].starts_with("503 ") && outcomes[1].starts_with("503 ")));
            if (kill) server.start();
            else proxy.set(tcp_proxy::mode::forward);
            CHECK(db.query("select count(*) from t") == "0");
        }
}

TEST_CASE("the deadline of a copy passes: 504, and the server stops copying") {
    on_each_backend([](database& db) {
        db.query("create table t (n bigint primary key)");
        auto holder = db.run(db.engine->begin({}, db.at.loop->now() + db.wait));
        REQUIRE(holder);
        REQUIRE(db.run((*holder)->execute(db.statement("lock table t"))));
        const std::uint64_t wait = std::exchange(db.wait, 300);
        CHECK(status_of(db.run(copy_pieces(db, 1))) == 504);
        CHECK(status_of(db.run(read_all(db, "select n from t"))) == 504);
        db.wait = wait;
        REQUIRE(db.run((*holder)->rollback()));
        CHECK(db.turn_until([&] {
            return db.query(
                       "select count(*) from pg_stat_activity where datname = current_database() and query ~ "
                       "'^(begin;)?copy'") == "0";
        }));
        CHECK(db.query("select count(*) from t") == "0");
    });
}

TEST_CASE("a reader that does not read: the server waits") {
    on_each_backend([](database& db) {
        const std::string sql = "copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout";
        auto owner = std::make_shared<const std::string>(sql);
        auto from = db.run(db.engine->copy_out({*owner, owner}, db.at.loop->now() + db.wait));
        REQUIRE(from);
        auto piece = db.run((*from)->next(db.at.loop->now() + db.wait));
        REQUIRE(piece);
        REQUIRE(*piece);
        CHECK((*piece)->size() < 100'000);
        CHECK(db.turn_until([&] {
            return db.query("select wait_event from pg_stat_activity where query = $1", sql) == "ClientWrite";
        }));
        std::size_t size = (*piece)->size();
        while ((piece = db.run((*from)->next(db.at.loop->now() + db.wait))) && *piece) size += (*piece)->size();
        CHECK(size == 1001UL * 100'000);
    });
}

TEST_CASE("a server that sends unexpected responses to COPY: an error in time, and no crash") {
    const std::string in = message('G', std::string("\0\0\0", 3)), out = message('H', std::string("\0\0\0", 3));
    const std::string row = message('d', "row\n"), end = message('c', ""), ready = message('Z', "I");
    const std::string done = message('C', std::string("COPY 1\0", 7)) + ready;
    std::string large = message('d', std::string(4'000'000, 'x'));
    const std::vector<std::string> senseless = {
        "",
        in,
        out,
        in + in,
        in + out,
        in + done,
        out + row,
        out + row + in,
        out + row + end,
        out + end + end,
        out + end + ready,
        out + message('d', "", 0x7fffffff) + std::string(4'000'000, 'x'),
        out + message('d', "", 3),
        message('W', std::string("\0\0\0", 3)) + row,
        row + end + done,
        done + out + row,
        message('G', std::string("\1\0\5", 3)) + done,
        std::string(100'000, '\0'),
        std::string(100'000, '\xff'),
    };
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        for (const std::string& s : senseless) {
            const std::string shown = s.substr(0, 20);
            CAPTURE(shown);
            const scripted_server server({.says = {welcome(), s}});
            database db(server.url(), backend, {.connect_timeout = milliseconds(150), .result_size = 1 << 20});
            db.wait = 150;
            running_task<void> copying(copy_pieces(db, 2));
            running_task<std::size_t> reading(read_all(db, "select 1"));
            CHECK(db.turn_until([&] { return copying.ended() && reading.ended(); }));
            CHECK(status_of(copying.wait()) >= 500);
        }
        const scripted_server server({.says = {welcome(), out + row + end + done}});
        database db(server.url(), backend);
        CHECK(db.run(read_all(db, "select 1")) == 4);
    }
}
