// SPDX-License-Identifier: Apache-2.0
// State that all processes of a service share, on Redis. REDIS_URL is redis://127.0.0.1:6379 by default.
#include <apus/app.hpp>
#include <apus/environment.hpp>
#include <apus/redis/cache_relay.hpp>
#include <apus/redis/hub_relay.hpp>
#include <apus/redis/idempotency_store.hpp>
#include <apus/redis/lock.hpp>
#include <apus/redis/rate_limit_store.hpp>
#include <apus/redis/response_cache_store.hpp>
#include <apus/sleep.hpp>

namespace {

apus::task<apus::response> create_order(apus::redis::client db, std::string item) {
    co_await apus::sleep_for(apus::milliseconds(200));  // calls a payment service
    const auto number = std::to_string(co_await db.incr("orders"));
    co_return apus::response::text("order " + number + ": " + item + "\n")
        .status(201)
        .header("Location", "/orders/" + number);
}

// One process at a time writes the report, with a token that is greater than all earlier tokens.
apus::task<std::string> write_report(apus::redis::lock lock, apus::redis::client db) {
    const auto written = co_await lock.run([&db](long long token) -> apus::task<long long> {
        co_await apus::sleep_for(apus::milliseconds(100));
        co_await db.command("RPUSH", "reports", token);
        co_return token;
    });
    co_return std::to_string(written) + "\n";
}

// All processes keep the response until one of them changes the catalog.
apus::task<apus::response> catalog(apus::redis::client db) {
    auto found = apus::response::text((co_await db.get("catalog")).value_or("nothing for sale\n"));
    found.header("Cache-Control", "max-age=3600").header("Cache-Tag", "catalog");
    co_return found;
}

apus::task<> change_catalog(apus::redis::client db, apus::redis::cache_relay& relay, std::string text) {
    co_await db.set("catalog", text);
    co_await relay.drop_tag("catalog");
}

// Created once per program.
struct shared_state {
    apus::redis::client db;
    apus::redis::rate_limit_store buckets{db};
    apus::rate_limit searches{{.requests = 20, .period = apus::seconds(3600), .name = "search", .store = &buckets},
                              [](apus::request& req) { return req.header("x-user"); }};
    apus::redis::idempotency_store keys{db};
    apus::redis::hub_relay relay{db};
    apus::hub rooms{{}, relay};
    apus::redis::response_cache_store page_store{db};
    apus::response_cache pages{{.store = &page_store}};
    apus::redis::cache_relay page_relay{db, pages};
};

apus::app make_app(shared_state& shared) {
    apus::app app;
    const auto db = shared.db;
    apus::app search;
    search.use(shared.searches);
    search.get("/", [] { return "no results\n"; });
    app.mount("/search", std::move(search));

    apus::app orders;
    orders.use(apus::idempotency(shared.keys, {.required = true}));
    orders.post("/", [db](apus::body_text item) { return create_order(db, std::string(item.bytes)); });
    app.mount("/orders", std::move(orders));

    const apus::redis::lock report(db, "report", {.wait = apus::seconds(10)});
    app.post("/reports", [db, report] { return write_report(report, db); });

    app.get("/catalog", apus::with(shared.pages), [db] { return catalog(db); });
    app.put("/catalog", [db, &shared](apus::body_text sent) {
        return change_catalog(db, shared.page_relay, std::string(sent.bytes));
    });
    app.background([&shared] { return shared.page_relay.run(); });

    app.websocket("/rooms/{room}", [&shared](apus::websocket peer, std::string room) -> apus::task<> {
        auto seat = shared.rooms.join(room, peer);
        while (auto message = co_await peer.receive()) shared.rooms.send(room, *message);
    });
    app.background([&shared] { return shared.relay.run(shared.rooms); });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const auto make = [] {
        static shared_state shared{.db = apus::from_environment<apus::redis::client>(
                                       "REDIS_URL", "redis://127.0.0.1:6379",
                                       apus::redis::client_options{.connect_timeout = apus::seconds(1)})};
        return make_app(shared);
    };
    return apus::serve(make, argc, argv);
}
