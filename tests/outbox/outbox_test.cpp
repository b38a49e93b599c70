// SPDX-License-Identifier: Apache-2.0
#include "jobs/nodes.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>
#include <apus/outbox.hpp>
#include <apus/outbox/webhook.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

using apus::outbox;
using apus::outbox_event;
using apus::task;
using apus::task_scope;
using apus::test::job_database;
using apus::test::until;
using apus::test::with_jobs;
namespace jobs = apus::jobs;

namespace {

struct order_placed {
    std::int64_t order;
};

struct renamed {
    static constexpr std::string_view event_name = "order.cancelled";
    std::string why;
};

// Runs an outbox until `done` is true.
task<> run_until(job_database& on, outbox of, std::string statement, std::string expected) {
    task_scope nodes;
    nodes.spawn(of.run());
    co_await until(on, std::move(statement), std::move(expected));
    of.stop();
    co_await nodes.join();
}

}  // namespace

TEST_CASE("outbox: an event reaches each destination after the commit, and none after a rollback") {
    with_jobs([](job_database& on) -> task<> {
        const outbox events(on.db);
        std::vector<outbox_event> first, second;
        events.deliver("first", [&](const outbox_event& e) -> task<> {
            first.push_back(e);
            co_return;
        });
        events.deliver("second", [&](const outbox_event& e, jobs::context& c) -> task<> {
            CHECK(c.attempt() == 1);
            second.push_back(e);
            co_return;
        });
        {
            auto t = co_await on.db.begin();
            co_await events.publish(t, order_placed{1});
            co_await t.rollback();
        }
        const auto a = co_await events.publish(on.db, order_placed{2}, {.key = "k"});
        const auto b = co_await events.publish(on.db, renamed{"sold out"}, {.key = "k", .to = {"second"}});
        co_await run_until(on, events, "select count(*) from apus_jobs", "0");
        REQUIRE(first.size() == 1);
        REQUIRE(second.size() == 2);
        CHECK(first[0].id == a);
        CHECK(a.size() == 32);
        CHECK(first[0].type == "order_placed");
        CHECK(first[0].key == "k");
        CHECK(first[0].body == R"({"order":2})");
        CHECK(second[0].id == a);
        CHECK(second[1].id == b);
        CHECK(a != b);
        CHECK(second[1].type == "order.cancelled");
        CHECK(second[1].body == R"({"why":"sold out"})");
    });
}

TEST_CASE("outbox: an event that fails is repeated with its id, then kept, and its key continues") {
    with_jobs([](job_database& on) -> task<> {
        const outbox events(on.db);
        std::vector<std::string> ids;
        std::vector<std::string> bodies;
        events.deliver("broken",
                       [&](const outbox_event& e) -> task<> {
                           ids.push_back(e.id);
                           if (e.body.contains(":1}")) co_await apus::fail(502, "no route");
                           bodies.push_back(e.body);
                       },
                       {.attempts = 2, .retry_delay = apus::milliseconds(300)});
        const auto id = co_await events.publish(on.db, order_placed{1}, {.key = "a"});
        co_await events.publish(on.db, order_placed{2}, {.key = "a"});
        co_await events.publish(on.db, order_placed{3}, {.key = "b"});
        co_await run_until(on, events, "select count(*) from apus_jobs where state <> 'dead'", "0");
        CHECK(std::ranges::count(ids, id) == 2);
        CHECK(bodies == std::vector<std::string>{R"({"order":3})", R"({"order":2})"});
        CHECK(on.value("select errors from apus_jobs").contains("attempt 2: 502 no route"));
    });
}

// The limits of the four destinations are as many deliveries as the outbox runs at a time.
TEST_CASE("outbox: destinations that hang do not stop the others") {
    with_jobs([](job_database& on) -> task<> {
        for (const unsigned concurrency : {64U, 5U}) {
            const outbox events(on.db, {.concurrency = concurrency, .drain = apus::duration()});
            int good = 0, hung = 0;
            for (const char* name : {"a", "b", "c", "d"})
                events.deliver(name, [&](const outbox_event&) -> task<> {
                    ++hung;
                    co_await apus::sleep_for(apus::seconds(1000));
                });
            events.deliver("good", [&](const outbox_event&) -> task<> {
                ++good;
                co_return;
            });
            auto t = co_await on.db.begin();
            for (int i = 0; i < 40; ++i) co_await events.publish(t, order_placed{i});
            co_await t.commit();
            task_scope nodes;
            nodes.spawn(events.run());
            co_await until([&] { return good == 40; });
            CHECK(hung >= 4);
            CHECK(hung < static_cast<int>(concurrency));
            events.stop();
            co_await nodes.join();
            on.file.run("delete from apus_jobs");
        }
    });
}

TEST_CASE("outbox: without a transaction, an event is stored for all destinations or for none") {
    with_jobs([](job_database& on) -> task<> {
        const outbox events(on.db);
        for (const char* name : {"one", "two", "three"})
            events.deliver(name, [](const outbox_event&) -> task<> { co_return; });
        on.file.run("create unique index at_most_one on apus_jobs (queue) where kind in ('two', 'three')");
        CHECK(!co_await events.publish(on.db, order_placed{1}).outcome());
        CHECK(on.value("select count(*) from apus_jobs") == "0");
        on.file.run("drop index at_most_one");
        co_await events.publish(on.db, order_placed{2});
        CHECK(on.value("select count(*) from apus_jobs") == "3");
    });
}

TEST_CASE("outbox: a webhook refuses invalid secrets and fields") {
    const auto made = [](std::string secret, std::string field) {
        apus::webhook_options how{.url = "http://127.0.0.1:1/", .signing_secret = std::move(secret)};
        how.headers.emplace_back(std::move(field), "a");
        const apus::webhook hook(std::move(how));
    };
    const std::string key(32, 'k');
    CHECK_NOTHROW(made(key, "Authorization"));
    CHECK_NOTHROW(made("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "Authorization"));
    for (const std::string secret :
         {"short", "whsec_", "whsec_AAECAwQFBgcICQoLDA0O", "whsec_not base64, but long enough",
          "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}) {
        CAPTURE(secret);
        CHECK_THROWS_AS(made(secret, "Authorization"), std::invalid_argument);
    }
    for (const std::string name : {"idempotency-key", "Content-Type", "Webhook-Id", "a b", ""}) {
        CAPTURE(name);
        CHECK_THROWS_AS(made(key, name), std::invalid_argument);
    }
}

TEST_CASE("outbox: two outboxes of an app have their own metrics") {
    with_jobs([](job_database& on) -> task<> {
        const auto target = [](const outbox_event&) -> task<> { co_return; };
        const outbox events(on.db), mails(on.db, {.name = "mails"});
        events.deliver("billing", target);
        mails.deliver("smtp", target);
        apus::app inner, outer;
        events.start(outer);
        mails.start(outer);
        const outbox third(on.db, {.name = "third"});
        third.deliver("log", target);
        third.start(inner);
        outer.mount("/inner", std::move(inner));
        CHECK_NOTHROW(apus::web::application(std::move(outer)));
        co_return;
    });
}

TEST_CASE("outbox: invalid names, keys and destinations") {
    with_jobs([](job_database& on) -> task<> {
        const outbox events(on.db);
        const auto target = [](const outbox_event&) -> task<> { co_return; };
        const auto status_of = [&](apus::publish_options how) -> task<int> {
            const auto done = co_await events.publish(on.db, order_placed{1}, how).outcome();
            co_return done ? 200 : done.error().status();
        };
        CHECK(co_await status_of({}) == 500);
        CHECK(co_await status_of({.to = {"elsewhere"}}) == 500);
        events.deliver("one", target);
        events.deliver("two", target);
        CHECK(co_await status_of({.to = {"one", "elsewhere"}}) == 500);
        CHECK(co_await status_of({.to = {"on"}}) == 500);
        CHECK(on.value("select count(*) from apus_jobs") == "0");
        CHECK(co_await status_of({.to = {"one", "one"}}) == 200);
        CHECK(on.value("select count(*) from apus_jobs") == "1");
        CHECK_THROWS_AS(events.deliver("one", target), std::logic_error);
        CHECK_THROWS_AS(events.deliver("", target), std::invalid_argument);
        CHECK_THROWS_AS(events.deliver("a b", target), std::invalid_argument);
        CHECK_THROWS_AS(events.deliver(std::string(41, 'x'), target), std::invalid_argument);
        CHECK_THROWS_AS(outbox(on.db, {.name = ""}), std::invalid_argument);
        CHECK(co_await status_of({.key = std::string(200, 'k')}) == 200);
        CHECK(co_await status_of({.key = std::string(201, 'k')}) == 400);
        CHECK(co_await status_of({.key = "\xff"}) == 400);
        CHECK(co_await status_of({.key = std::string(1, '\0')}) == 400);
    });
}
