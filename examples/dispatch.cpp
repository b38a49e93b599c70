// SPDX-License-Identifier: Apache-2.0
// Passes orders between processes by NATS: a JetStream stream stores each order once, any of the processes answers
// requests for prices, and browsers get the orders as events. NATS_URL is nats://127.0.0.1:4222 by default.
#include <apus/app.hpp>
#include <apus/environment.hpp>
#include <apus/events.hpp>
#include <apus/json.hpp>
#include <apus/log.hpp>
#include <apus/nats.hpp>
#include <apus/sleep.hpp>

namespace {

struct order {
    std::string id, item;
};

struct stored_order {
    std::uint64_t number;
    bool duplicate;
};

struct stream_settings {
    std::string name;
    std::vector<std::string> subjects;
};

// JetStream is configured by requests. A stream that exists with the same settings is not an error.
apus::task<> create_stream(apus::nats::client bus) {
    const stream_settings wanted{.name = "ORDERS", .subjects = {"orders.>"}};
    const auto made = co_await bus.request("$JS.API.STREAM.CREATE.ORDERS", apus::to_json(wanted));
    apus::log::info("stream", {"response", made.payload});
}

// A client that repeats its request does not store the order twice.
apus::task<stored_order> place(apus::nats::client bus, order placed) {
    const auto ack = co_await bus.publish_to_stream("orders.placed", apus::to_json(placed), {.id = placed.id});
    co_return stored_order{.number = ack.sequence, .duplicate = ack.duplicate};
}

// One of the subscribers with this queue, in any process, gets the request.
apus::task<std::string> find_price(apus::nats::client bus, std::string item) {
    const auto found = co_await bus.request("prices", item, {.timeout = apus::seconds(1)});
    co_return found.payload + "\n";
}

apus::task<> answer_prices(apus::nats::client bus) {
    auto requests = bus.subscribe("prices", "price-service");
    while (true) {
        const auto next = co_await requests.next().outcome();
        if (!next) co_await apus::sleep_for(apus::seconds(1));  // NATS is unreachable
        if (!next || (*next && (*next)->gap)) continue;
        if (!*next) co_return;  // the server stops
        const apus::nats::message& asked = **next;
        const std::string price = std::to_string(100 * asked.payload.size());
        // The sender chooses the subject for the response, which may be invalid.
        if (!asked.reply.empty()) (void)co_await bus.publish(asked.reply, price).outcome();
    }
}

// After a gap (at the start, and after a lost connection), orders may be missing.
apus::task<> watch(apus::nats::client bus, apus::event_writer& out) {
    auto orders = bus.subscribe("orders.>");
    while (auto one = co_await orders.next()) co_await out.send(one->payload, one->gap ? "gap" : "order");
}

apus::app make_app() {
    const auto bus = apus::from_environment<apus::nats::client>(
        "NATS_URL", "nats://127.0.0.1:4222",
        apus::nats::client_options{.timeout = apus::seconds(2),
                                   .name = "dispatch",
                                   .tls_authorities = apus::from_environment<std::string>("NATS_AUTHORITIES", "")});
    apus::app app;
    app.check("nats", apus::nats_answers(bus));
    app.background([bus] { return create_stream(bus); });
    app.background([bus] { return answer_prices(bus); });
    app.post("/orders", [bus](apus::json<order> sent) { return place(bus, *std::move(sent)); });
    app.get("/orders", [bus] { return apus::events([bus](apus::event_writer& out) { return watch(bus, out); }); });
    app.get("/prices/{item}", [bus](std::string item) { return find_price(bus, std::move(item)); });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
