// SPDX-License-Identifier: Apache-2.0
// A node for orders_run.py: an order adds a job, whose transaction publishes an event to a webhook and to a stream.
// DATABASE_URL is the database, REDIS_URL the stream's server, RECEIVER the URL of the webhook. Without DATABASE_URL,
// the process receives the webhooks. With TICKS, a node only runs a schedule.
#include <apus/app.hpp>
#include <apus/jobs.hpp>
#include <apus/outbox.hpp>
#include <apus/outbox/webhook.hpp>
#include <apus/redis/outbox_targets.hpp>
#include <apus/sleep.hpp>

#include <chrono>
#include <cstdlib>
#include <map>
#include <string>

namespace {

struct order_charged {
    std::int64_t order;
};
struct charge {
    std::int64_t order;
};
struct tick {};

std::string setting(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

const apus::jobs::handler_options patient{.attempts = 100'000,
                                          .deadline = apus::milliseconds(1500),
                                          .retry_delay = apus::milliseconds(100),
                                          .max_retry_delay = apus::seconds(1)};

// The first statement counts attempts. The other statements take effect once.
apus::task<> charge_order(apus::sql::database db, apus::outbox events, charge job, apus::jobs::context& c) {
    co_await db.run("insert into attempted (number) values ($1)", job.order);
    auto t = co_await c.transaction();
    co_await t.run("insert into charged (number) values ($1)", job.order);
    co_await events.publish(t, order_charged{job.order}, {.key = "customer " + std::to_string(job.order % 1000)});
}

apus::task<> count_tick(apus::jobs::context& c) {
    auto t = co_await c.transaction();
    co_await t.run("insert into ticked (job) values ($1)", c.id());
}

// Commits after `wait` milliseconds, or rolls back if `wait` is negative.
apus::task<> take_orders(apus::sql::database db, apus::jobs::queue jobs, std::int64_t first, std::int64_t count,
                         std::int64_t wait) {
    auto t = co_await db.begin();
    for (std::int64_t i = first; i < first + count; ++i) {
        co_await t.run("insert into orders (number) values ($1)", i);
        co_await jobs.enqueue(t, charge{i});
    }
    if (wait != 0) co_await apus::sleep_for(apus::milliseconds(wait < 0 ? -wait : wait));
    if (wait < 0) co_await t.rollback();
    else co_await t.commit();
}

void add_outbox(apus::app& app, const apus::sql::database& db, const apus::jobs::queue& jobs) {
    const apus::outbox events(db, {.lease = apus::seconds(2), .drain = apus::seconds(5)});
    const apus::redis::client redis(setting("REDIS_URL"));
    events.deliver("shop", apus::webhook({.url = setting("RECEIVER")}), patient);
    events.deliver("stream", apus::redis::stream_target(redis, "orders", 10'000'000), patient);
    jobs.handle<charge>([db, events](charge job, apus::jobs::context& c) { return charge_order(db, events, job, c); },
                        patient);
    app.post("/orders/{first}/{count}/{wait}", [db, jobs](std::int64_t first, std::int64_t count, std::int64_t wait) {
        return take_orders(db, jobs, first, count, wait);
    });
    events.start(app);
}

apus::app make_node() {
    const apus::sql::database db(setting("DATABASE_URL"));
    const apus::jobs::queue jobs(db, {.concurrency = 16, .lease = apus::seconds(2), .drain = apus::seconds(5)});
    apus::app app;
    if (setting("TICKS").empty()) {
        add_outbox(app, db, jobs);
    } else {
        jobs.handle<tick>([](tick, apus::jobs::context& c) { return count_tick(c); }, patient);
        jobs.schedule("minutely", "* * * * *", tick{});
    }
    jobs.start(app);
    return app;
}

// Deliveries of an order. `first`: time of the first delivery, in microseconds of the monotonic clock.
struct deliveries {
    std::int64_t first, count;
};
struct delivered_order {
    std::int64_t order, first, count;
};
using received_orders = std::map<std::int64_t, deliveries>;

std::int64_t monotonic_microseconds() {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

apus::app make_receiver(received_orders& received) {
    apus::app app;
    app.post("/events", [&](apus::json<order_charged> event) {
        ++received.try_emplace(event->order, monotonic_microseconds(), 0).first->second.count;
    });
    app.get("/count", [&] { return std::to_string(received.size()); });
    app.get("/received", [&] {
        std::vector<delivered_order> all;
        for (const auto& [order, of] : received) all.push_back({order, of.first, of.count});
        return all;
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    if (!setting("DATABASE_URL").empty())
        return apus::serve(make_node, argc, argv, {.prepare = [] { apus::jobs::migrate(setting("DATABASE_URL")); }});
    received_orders received;  // of the only core
    return apus::serve([&] { return make_receiver(received); }, argc, argv);
}
