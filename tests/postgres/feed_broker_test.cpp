// SPDX-License-Identifier: Apache-2.0
#include <apus/sql/feed_broker.hpp>

#include "feed/resumption.hpp"
#include "runtime/core_user.hpp"
#include "support/postgres_server.hpp"
#include "support/skipped.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;
using support::postgres_server;

namespace {

/// A loop on this thread, and a database with the tables of feeds.
struct feed_user : core_user {
    explicit feed_user(std::string u, const char* backend = "epoll", const sql::database_options& o = {})
        : core_user(backend), url(std::move(u)), db(url, o) {
        sql::migrate_feeds(url);
        sql::migrate_feeds(url);  // any number of times
    }
    std::string query(const sql::detail::statement_of<std::string>& statement) {
        return value(db.one<std::string>(statement));
    }

    std::string url;
    sql::database db;
};

void on_each_loop(const std::function<void(feed_user&)>& check) {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        feed_user user(postgres_server::shared().make_database(), backend);
        if (user.at.loop->io().name() != std::string(backend)) support::skip_uring("this kernel lacks it");
        else check(user);
    }
}

struct node : feed_node<sql::feed_broker, sql::feed_broker_options> {
    explicit node(const feed_user& u, const feed_options& o = {}, sql::feed_broker_options b = {})
        : feed_node(u.db, o, std::move(b)) {}
};

}  // namespace

TEST_CASE("feed on PostgreSQL: readers of all processes get each event once, in one order") {
    on_each_loop([](feed_user& u) {
        std::array<std::unique_ptr<node>, 3> nodes;
        for (auto& each : nodes) each = std::make_unique<node>(u);
        reading one(nodes[0]->news, "a"), two(nodes[1]->news, "a"), three(nodes[2]->news, "a"),
            elsewhere(nodes[2]->news, "b");
        REQUIRE(u.turn_until([&] { return one.begun && two.begun && three.begun && elsewhere.begun; }));
        std::vector<std::unique_ptr<running_task<std::string>>> publishing;
        for (std::size_t i = 0; i < 300; ++i)
            publishing.push_back(std::make_unique<running_task<std::string>>(
                nodes[i % 3]->news.publish("a", std::to_string(i))));  // at the same time
        for (auto& each : publishing) REQUIRE(u.turn_until([&] { return each->ended(); }));
        const auto events = [](const reading& of) { return std::count(of.seen.begin(), of.seen.end(), ' '); };
        CHECK(u.turn_until([&] { return events(one) == 300 && events(two) == 300 && events(three) == 300; }));
        CHECK(one.seen == two.seen);
        CHECK(one.seen == three.seen);
        CHECK(one.last_id == three.last_id);
        CHECK_FALSE(one.seen.contains('|'));
        CHECK(elsewhere.seen.empty());
    });
}

TEST_CASE("feed on PostgreSQL: a client continues at another process, also for events that the process never had") {
    on_each_loop([](feed_user& u) {
        constexpr int events = 300;  // more than a page
        node one(u);
        std::vector<std::string> ids;
        for (int i = 0; i < events; ++i) ids.push_back(u.value(one.news.publish("a", std::to_string(i))));
        node other(u);
        check_resumption(u, one.news, other.news, ids);
    });
}

TEST_CASE("feed on PostgreSQL: the tables keep the newest events of a room, and an older position is a gap") {
    on_each_loop([](feed_user& u) {
        node one(u, {.room_events = 10});
        const auto first = u.value(one.news.publish("a", "0"));
        for (int i = 1; i < 60; ++i) u.value(one.news.publish("a", std::to_string(i)));
        CHECK(u.query("select count(*)::text from apus_feed_events") == "10");
        node other(u);
        reading late(other.news, "a", first);
        CHECK(u.turn_until([&] { return late.seen == "|" + numbers(50, 60); }));
    });
}

TEST_CASE("feed on PostgreSQL: rooms expire, and later events of other rooms delete them") {
    on_each_loop([](feed_user& u) {
        node brief(u, {.keep = milliseconds(1)}), other(u);
        for (int i = 0; i < 20; ++i) u.value(brief.news.publish("room " + std::to_string(i), "old"));
        REQUIRE(u.turn_until([&] {
            return u.query(
                       "select count(*)::text from apus_feed_rooms where expires_at > extract(epoch from "
                       "clock_timestamp()) * 1000") == "0";
        }));
        reading expired(other.news, "room 19", std::string(feed::from_start));
        REQUIRE(u.turn_until([&] { return expired.begun; }));
        for (int i = 0; i < 10; ++i) u.value(other.news.publish("room 19", std::to_string(i)));
        CHECK(u.turn_until([&] { return expired.seen.ends_with(numbers(0, 10)); }));
        CHECK_FALSE(expired.seen.contains("old"));
        CHECK(u.query("select count(*)::text from apus_feed_rooms") == "1");
        CHECK(u.query("select count(*)::text from apus_feed_events") == "10");
    });
}

TEST_CASE("feed on PostgreSQL: without the server, events reach this process; then the rooms span all processes") {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        postgres_server server;
        feed_user u(server.url(), backend, {.connect_timeout = milliseconds(200)});
        node one(u), other(u), third(u);
        reading here(one.news, "a"), there(other.news, "a"), third_seen(third.news, "a");
        REQUIRE(u.turn_until([&] { return here.begun && there.begun && third_seen.begun; }));
        const auto first = u.value(one.news.publish("a", "0"));
        REQUIRE(u.turn_until([&] { return there.seen == " 0" && here.seen == " 0" && third_seen.seen == " 0"; }));
        server.kill();
        CHECK(u.value(one.news.publish("a", "alone")).empty());
        CHECK(u.turn_until([&] { return here.seen == " 0 alone"; }));
        CHECK(here.last_id == first);
        server.start();
        CHECK(u.turn_until([&] { return !u.value(one.news.publish("a", "again")).empty(); }));
        CHECK(u.turn_until([&] { return there.seen.ends_with(" again") && third_seen.seen.ends_with(" again"); }));
        CHECK(u.turn_until([&] { return here.seen.ends_with(" again"); }));
        CHECK_FALSE((here.seen + there.seen + third_seen.seen).contains('|'));  // the events are still stored
        CHECK(there.seen.starts_with(" 0 again"));
        reading resumed(third.news, "a", first);
        CHECK(u.turn_until([&] { return resumed.seen == there.seen.substr(2); }));
    }
}

TEST_CASE("feed on PostgreSQL: events that others publish while the notifications are cut arrive later") {
    on_each_loop([](feed_user& u) {
        node one(u);
        reading here(one.news, "a");
        REQUIRE(u.turn_until([&] { return here.begun; }));
        for (int i = 0; i < 100; ++i) {
            if (i % 25 == 12)
                u.query(
                    "select count(pg_terminate_backend(pid))::text from pg_stat_activity where datname = "
                    "current_database() and pid <> pg_backend_pid() and query ilike 'listen%'");
            u.value(one.news.publish("a", std::to_string(i)));
        }
        const bool all = u.turn_until([&] { return here.seen == numbers(0, 100); });
        CAPTURE(here.seen);
        CHECK(all);
    });
}

TEST_CASE("feed on PostgreSQL: names of any bytes, large data, false notifications and errors") {
    on_each_loop([](feed_user& u) {
        node one(u), other(u), foreign(u, {}, {.channel = "other's \"channel\""});
        std::string name(768, 'n');
        for (int byte = 0; byte < 256; ++byte) name += static_cast<char>(byte);
        reading here(other.news, name), elsewhere(foreign.news, name);
        REQUIRE(u.turn_until([&] { return here.begun && elsewhere.begun; }));
        const std::string large(100'000, '\xff');  // a notification has less than 8,000 bytes
        u.value(one.news.publish(name, large));
        for (const char* payload : {"", "1", "2 1-1 0 61 62", "1 1-1 0 6 62", "1 1-1 2 61 62", "1 x 0 61 62",
                                    "1 99999999999999-1 0 6e 62", "1 1-1 0 61 62 63"})
            u.value(u.db.notify("apus_feed", payload));
        u.value(one.news.publish(name, "1"));
        CHECK(u.turn_until([&] { return here.seen == " " + large + " 1"; }));
        CHECK(elsewhere.seen.empty());
        CHECK(u.failure(one.news.publish(name + "x", "data")).starts_with("400"));
        CHECK_THROWS_AS(sql::feed_broker(u.db, {.channel = ""}), std::invalid_argument);
        CHECK_THROWS_AS(sql::feed_broker(u.db, {.channel = std::string(64, 'c')}), std::invalid_argument);
    });
}

TEST_CASE("feed on PostgreSQL: a database of SQLite is refused, with the alternatives") {
    for (const char* url : {"sqlite::memory:", "sqlite:rooms.db"}) {
        CAPTURE(url);
        CHECK_THROWS_WITH_AS(sql::feed_broker(sql::database(url)),
                             doctest::Contains("sql::feed_broker: SQLite cannot send events to other processes: use"),
                             std::invalid_argument);
        CHECK_THROWS_WITH_AS(sql::migrate_feeds(url), doctest::Contains("redis::feed_broker, or, for a single process"),
                             sql::migration_error);
    }
    CHECK_FALSE(std::filesystem::exists("rooms.db"));
}
