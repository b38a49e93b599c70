// SPDX-License-Identifier: Apache-2.0
#include "postgres/listening.hpp"

#include "postgres/database.hpp"
#include "postgres/scripted_server.hpp"
#include "support/tcp_proxy.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;
using support::postgres_server;
using support::tcp_proxy;

namespace {

/// A task that records the notifications of a channel: payloads, "(gap)", "! STATUS", "(end)".
struct recorder {
    recorder(database& db, const std::string& channel) : from(db.engine->listen(channel)), running(record()) {}

    task<> record() {
        while (true) {
            auto got = co_await from->next().outcome();
            if (!got) all.push_back("! " + std::to_string(got.error().status()));
            else if (*got) all.push_back((*got)->gap ? "(gap)" : (*got)->payload);
            if (got && !*got) break;
        }
        all.emplace_back("(end)");
    }
    bool has(const std::string& one) const { return std::ranges::find(all, one) != all.end(); }
    bool last_is(const std::string& one) const { return !all.empty() && all.back() == one; }

    std::unique_ptr<sql::listener> from;
    std::vector<std::string> all;
    running_task<void> running;
};

using list = std::vector<std::string>;

result<void> notified(database& db, const std::string& channel, const std::string& payload) {
    return db.run(db.engine->notify(channel, payload, db.at.loop->now() + db.wait));
}

/// Whether a session of the test's database has executed this statement last.
bool was_executed(database& db, const std::string& statement) {
    return db.query("select count(*) > 0 from pg_stat_activity where datname = current_database() and query = $1",
                    statement) == "true";
}

std::string sessions(database& db) {
    return db.query("select count(*) from pg_stat_activity where datname = current_database()");
}

}  // namespace

TEST_CASE("10,000 notifications in a burst: all arrive in order") {
    on_each_backend(
        [](database& db) {
            recorder all(db, "burst");
            REQUIRE(db.turn_until([&] { return all.has("(gap)"); }));
            db.query("select pg_notify('burst', n::text) from generate_series(1, 10000) n");
            REQUIRE(db.turn_until([&] { return all.has("10000"); }));
            list expected{"(gap)"};
            for (int i = 1; i <= 10'000; ++i) expected.push_back(std::to_string(i));
            CHECK(all.all == expected);
        },
        {.notifications = 10'000});
}

TEST_CASE("a server that is killed while tasks listen: they get a gap, and then new notifications") {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        postgres_server server;
        database db(server.url(), backend);
        recorder one(db, "a"), other(db, "b");
        REQUIRE(db.turn_until([&] { return one.has("(gap)") && other.has("(gap)"); }));
        server.kill();
        server.start();
        REQUIRE(db.turn_until([&] { return one.all.size() == 2 && other.all.size() == 2; }));
        CHECK(one.all == list{"(gap)", "(gap)"});
        REQUIRE(notified(db, "a", "1"));
        REQUIRE(notified(db, "b", "2"));
        REQUIRE(db.turn_until([&] { return one.has("1") && other.has("2"); }));
    }
}

TEST_CASE("a network that is cut silently or reset while a task listens: it gets a gap") {
    for (const char* backend : {"epoll", "uring"})
        for (const auto how : {tcp_proxy::mode::silent, tcp_proxy::mode::reset}) {
            CAPTURE(backend);
            CAPTURE(static_cast<int>(how));
            postgres_server server;
            tcp_proxy proxy(server.socket_path());
            database db("postgres://postgres@127.0.0.1:" + std::to_string(proxy.port()) + "/postgres?sslmode=disable",
                        backend, {.connect_timeout = milliseconds(500)});
            recorder events(db, "a");
            REQUIRE(db.turn_until([&] { return events.has("(gap)"); }));
            events.all.clear();
            const unsigned before = proxy.accepted();
            proxy.set(how);
            REQUIRE(db.turn_until([&] { return proxy.accepted() > before + 1; }));  // one attempt has failed
            CHECK(events.all.empty());
            proxy.set(tcp_proxy::mode::forward);
            REQUIRE(db.turn_until([&] { return events.has("(gap)"); }));
        }
}

TEST_CASE("UNLISTEN when the last listener of a channel leaves, and no connection without listeners") {
    on_each_backend(
        [](database& db) {
            recorder stays(db, "stays");
            {
                recorder leaves(db, "it \"leaves\"");
                auto again = std::make_unique<recorder>(db, "it \"leaves\"");
                REQUIRE(db.turn_until([&] { return stays.has("(gap)") && again->has("(gap)"); }));
                again.reset();
                REQUIRE(notified(db, "it \"leaves\"", "1"));
                REQUIRE(db.turn_until([&] { return leaves.has("1"); }));
                CHECK_FALSE(was_executed(db, "unlisten \"it \"\"leaves\"\"\";"));
            }
            CHECK(db.turn_until([&] { return was_executed(db, "unlisten \"it \"\"leaves\"\"\";"); }));
            REQUIRE(notified(db, "stays", "2"));
            CHECK(db.turn_until([&] { return stays.has("2"); }));
            recorder returns(db, "it \"leaves\"");
            CHECK(db.turn_until([&] { return returns.has("(gap)"); }));
        },
        {.connect_timeout = seconds(30)});
    on_each_backend(
        [](database& db) {
            {
                recorder leaves(db, "a");
                REQUIRE(db.turn_until([&] { return leaves.has("(gap)"); }));
                REQUIRE(sessions(db) == "2");
            }
            CHECK(db.turn_until([&] { return sessions(db) == "1"; }));
        },
        {.connect_timeout = milliseconds(500), .connections = 1});
}

TEST_CASE("names of channels are quoted") {
    on_each_backend([](database& db) {
        const list names = {"orders",
                            "Orders",
                            "a;drop table t",
                            "a\"; drop table t; --",
                            "a'b",
                            "\\",
                            "select",
                            " ",
                            "\n\t",
                            "\"",
                            "$1",
                            "\xc3\xa9",
                            "a\xe2\x80\xa8"
                            "b",
                            std::string(63, 'x')};
        CHECK(db.query("create table t (n int)") == "0");
        for (const std::string& name : names) {
            CAPTURE(name);
            recorder events(db, name);
            REQUIRE(db.turn_until([&] { return events.has("(gap)"); }));
            REQUIRE(notified(db, name, name));
            REQUIRE(db.turn_until([&] { return events.all.size() > 1; }));
            CHECK(events.all == list{"(gap)", name});
        }
        CHECK(db.query("select count(*) from t") == "0");
    });
}

TEST_CASE("a thousand channels on one connection") {
    database db(postgres_server::shared().make_database(), "epoll", {.connections = 1});
    std::vector<std::unique_ptr<recorder>> all;
    for (int i = 0; i < 1'000; ++i) all.push_back(std::make_unique<recorder>(db, "channel" + std::to_string(i)));
    REQUIRE(db.turn_until([&] { return std::ranges::all_of(all, [](const auto& r) { return r->has("(gap)"); }); }));
    CHECK(sessions(db) == "2");
    db.query("select pg_notify('channel' || n, n::text) from generate_series(0, 999) n");
    CHECK(db.turn_until([&] { return std::ranges::all_of(all, [](const auto& r) { return r->all.size() == 2; }); }));
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i]->last_is(std::to_string(i)));
}

TEST_CASE("listeners are destroyed at any turn") {
    on_each_backend([](database& db) {
        for (int turns = 0; turns < 40; ++turns) {
            recorder stays(db, "a");
            {
                recorder leaves(db, "a"), other(db, "b" + std::to_string(turns));
                for (int i = 0; i < turns; ++i) db.at.loop->turn(1);
            }
            REQUIRE(db.turn_until([&] { return stays.has("(gap)"); }));
            REQUIRE(notified(db, "a", "1"));
            REQUIRE(db.turn_until([&] { return stays.has("1"); }));
        }
    });
}

TEST_CASE("a database that ends while a task listens: the stream ends") {
    on_each_backend([](database& db) {
        recorder events(db, "a"), early(db, "b");
        REQUIRE(db.turn_until([&] { return events.has("(gap)"); }));
        const recorder starting(db, "c");
        db.engine.reset();
        REQUIRE(db.turn_until([&] { return events.has("(end)") && early.has("(end)") && starting.has("(end)"); }));
    });
}

TEST_CASE("without a server: an error after the connect timeout, and a start when the server starts") {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        postgres_server server;
        server.kill();
        database db(server.url(), backend, {.connect_timeout = milliseconds(500)});
        recorder events(db, "a");
        REQUIRE(db.turn_until([&] { return events.has("! 503"); }));
        CHECK_FALSE(events.has("(gap)"));
        server.start();
        REQUIRE(db.turn_until([&] { return events.has("(gap)"); }));
        events.all.clear();
        server.kill();
        server.start();
        REQUIRE(db.turn_until([&] { return !events.all.empty(); }));
        CHECK(events.all.front() == "(gap)");  // only the start of listening has a time limit
    }
}

TEST_CASE("a server that rejects LISTEN: the listener gets the server's error") {
    const std::string refused =
        message('E', std::string("SERROR\0VERROR\0C25006\0Mrecovery\0\0", 32)) + message('Z', "I");
    for (const char* backend : {"epoll", "uring"}) {
        const scripted_server server({.says = {welcome(), refused}});
        database db(server.url(), backend);
        recorder events(db, "a");
        CHECK(db.turn_until([&] { return events.has("! 500"); }));
    }
}

TEST_CASE("a server that sends unexpected responses to LISTEN: an error in time, and no crash") {
    const std::string listened = message('C', std::string("LISTEN\0", 7)) + message('Z', "I");
    const auto notification = [](const std::string& channel, const std::string& payload) {
        return message('A', number4(1) + channel + '\0' + payload + '\0');
    };
    std::string many;
    for (int i = 0; i < 20'000; ++i) many += notification("other", "x");
    const std::vector<std::string> senseless = {
        "",
        many,
        message('C', std::string("LISTEN\0", 7)),
        notification("a", "x"),
        message('G', std::string("\0\0\0", 3)),
        message('H', std::string("\0\0\0", 3)) + message('d', "x"),
        message('W', std::string("\0\0\0", 3)),
        one_column() + message('D', number2(1) + number4(4) + number4(42)) + listened,
        message('A', number4(1) + "a"),
        message('A', "", 0x7fffffff) + std::string(1'000'000, 'x'),
        message('A', "", 3),
        message('Z', "T"),
        std::string(100'000, '\0'),
        std::string(100'000, '\xff'),
    };
    for (const char* backend : {"epoll", "uring"})
        for (const std::string& s : senseless) {
            CAPTURE(backend);
            const std::string shown = s.substr(0, 20);
            CAPTURE(shown);
            const scripted_server server({.says = {welcome(), s}});
            database db(server.url(), backend, {.connect_timeout = milliseconds(100)});
            recorder events(db, "a");
            CHECK(db.turn_until([&] { return !events.all.empty(); }));
            CHECK_FALSE(events.has("(gap)"));
        }
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        const std::string large = message('A', number4(1) + std::string("a\0", 2) + std::string(500'000, 'x') + '\0');
        const scripted_server server({.says = {welcome(), listened + notification("a", "1") + many + large}});
        database db(server.url(), backend, {.connect_timeout = seconds(2)});
        recorder events(db, "a");
        CHECK(db.turn_until([&] { return std::ranges::count(events.all, "(gap)") == 2; }));
        CHECK(events.all[1] == "1");
    }
}
