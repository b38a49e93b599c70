// SPDX-License-Identifier: Apache-2.0
// Orders whose events reach other systems: a webhook (WEBHOOK_URL; by default a receiver in this program) and, with
// REDIS_URL or NATS_URL, a stream of Redis or NATS. In SQLite, or in PostgreSQL by DATABASE_URL.
#include <apus/app.hpp>
#include <apus/environment.hpp>
#include <apus/idempotency.hpp>
#include <apus/json.hpp>
#include <apus/log.hpp>
#include <apus/nats/outbox_targets.hpp>
#include <apus/outbox.hpp>
#include <apus/outbox/webhook.hpp>
#include <apus/redis/outbox_targets.hpp>
#include <apus/rules.hpp>

namespace {

struct new_order {
    apus::text<1, 200> item;
    apus::text<1, 100> customer;
};

struct order {
    std::int64_t id;
    std::string item;
    std::string customer;
};

// An event. It is stored and delivered as JSON.
struct order_placed {
    std::int64_t order;
    std::string item;
    std::string customer;
};

constexpr const char* default_database = "sqlite:webhooks.db";

apus::sql::database open_database() {
    return apus::from_environment<apus::sql::database>("DATABASE_URL", default_database);
}

// The event is delivered if and only if the order is stored.
apus::task<apus::created<order>> take_order(apus::sql::database db, apus::outbox events, apus::json<new_order> sent) {
    auto made = co_await db.transaction([&](apus::sql::transaction& t) -> apus::task<order> {
        auto row = co_await t.one<order>(
            "insert into orders (item, customer) values ($1, $2) returning id, item, customer", *sent);
        const order_placed event{.order = row.id, .item = row.item, .customer = row.customer};
        co_await events.publish(t, event, {.key = row.customer});
        co_return std::move(row);
    });
    co_return apus::created(std::move(made));
}

apus::app make_app(apus::memory_idempotency_store& seen) {
    const auto db = open_database();
    const apus::outbox events(db);
    const auto receiver = apus::from_environment<std::string>("WEBHOOK_URL", "http://127.0.0.1:8080/billing");
    events.deliver("billing", apus::webhook({.url = receiver}));
    if (!apus::from_environment<std::string>("REDIS_URL", "").empty()) {
        const auto redis = apus::from_environment<apus::redis::client>("REDIS_URL", "");
        events.deliver("stream", apus::redis::stream_target(redis, "orders", 100'000));
    }
    if (!apus::from_environment<std::string>("NATS_URL", "").empty()) {
        const auto nats = apus::from_environment<apus::nats::client>("NATS_URL", "");
        events.deliver("nats", apus::nats::stream_target(nats, "orders.placed"));
    }

    apus::app app;
    app.post("/orders", [db, events](apus::json<new_order> sent) { return take_order(db, events, std::move(sent)); });
    // A receiver. The middleware returns the first response for a repeated event, without calling the handler.
    app.post("/billing", apus::with(apus::idempotency(seen)), [](apus::json<order_placed> event) {
        apus::log::info("billed", {"order", event->order}, {"customer", event->customer});
    });
    events.start(app);
    return app;
}

constexpr apus::sql::migration_file files[] = {
    {"0001_create_orders.sqlite.up.sql",
     "create table orders (id integer primary key, item text not null, customer text not null);"},
    {"0001_create_orders.postgres.up.sql",
     "create table orders (id bigint generated always as identity primary key, item text not null, "
     "customer text not null);"},
};

void prepare() {
    open_database().migrate(files);
    apus::jobs::migrate(apus::from_environment<std::string>("DATABASE_URL", default_database));
}

}  // namespace

int main(int argc, char** argv) {
    apus::memory_idempotency_store seen;
    return apus::serve([&] { return make_app(seen); }, argc, argv, {.prepare = prepare});
}
