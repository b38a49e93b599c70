// SPDX-License-Identifier: Apache-2.0
// A node with an outbox, for outbox_test.py. DATABASE_URL is the database, RECEIVERS has pairs of a destination's name
// and its URL, and REDIS_URL and NATS_URL are optional.
#include <apus/app.hpp>
#include <apus/nats/outbox_targets.hpp>
#include <apus/outbox.hpp>
#include <apus/outbox/webhook.hpp>
#include <apus/redis/outbox_targets.hpp>
#include <apus/sleep.hpp>

#include <cstdlib>
#include <sstream>
#include <string>

namespace {

struct order_placed {
    std::int64_t order;
};

std::string setting(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// Stores `count` orders, whose events have ten keys, and then commits or rolls back.
apus::task<> place_orders(apus::sql::database db, apus::outbox events, std::int64_t first, std::int64_t count,
                          std::int64_t wait, bool commit) {
    auto t = co_await db.begin();
    for (std::int64_t i = first; i < first + count; ++i) {
        co_await t.run("insert into orders (number) values ($1)", i);
        co_await events.publish(t, order_placed{i}, {.key = "customer " + std::to_string(i % 10)});
    }
    if (wait != 0) co_await apus::sleep_for(apus::milliseconds(wait));
    if (commit) co_await t.commit();
    else co_await t.rollback();
}

apus::app make_app() {
    const apus::sql::database db(setting("DATABASE_URL"));
    const apus::outbox events(db, {.lease = apus::seconds(2), .drain = apus::seconds(5)});
    const apus::jobs::handler_options how{.attempts = static_cast<unsigned>(std::stoul(setting("ATTEMPTS"))),
                                          .deadline = apus::milliseconds(1500),
                                          .retry_delay = apus::milliseconds(100),
                                          .max_retry_delay = apus::seconds(5),
                                          .concurrency = 16};
    std::istringstream receivers(setting("RECEIVERS"));
    for (std::string name, url; receivers >> name >> url;) {
        const char* secret = name == "other" ? "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
                                             : "a secret of twenty-four bytes or more";
        events.deliver(name, apus::webhook({.url = url, .signing_secret = secret}), how);
    }
    if (const std::string url = setting("REDIS_URL"); !url.empty()) {
        const apus::redis::client redis(url);
        events.deliver("stream", apus::redis::stream_target(redis, "orders", 1'000'000), how);
        events.deliver("channel", apus::redis::channel_target(redis, "orders"), how);
    }
    if (const std::string url = setting("NATS_URL"); !url.empty())
        events.deliver("nats", apus::nats::stream_target(apus::nats::client(url), "orders.placed"), how);
    apus::app app;
    app.post("/orders/{first}/{count}", [db, events](std::int64_t first, std::int64_t count) {
        return place_orders(db, events, first, count, 0, true);
    });
    app.post("/slow/{first}/{wait}/{commit}", [db, events](std::int64_t first, std::int64_t wait, bool commit) {
        return place_orders(db, events, first, 10, wait, commit);
    });
    if (setting("DELIVERS") != "no") events.start(app);
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    return apus::serve(make_app, argc, argv, {.prepare = [] { apus::jobs::migrate(setting("DATABASE_URL")); }});
}
