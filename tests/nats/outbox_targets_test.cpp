// SPDX-License-Identifier: Apache-2.0
#include <apus/nats/outbox_targets.hpp>

#include "nats/nats_server.hpp"

#include <stdexcept>
#include <string>

using namespace apus;
using namespace apus::test;

TEST_CASE("outbox: events in a JetStream stream") {
    on_each_nats([](nats_server&, nats_user& u) {
        const nats::stream_target target(u.client, "orders.placed", "ORDERS");
        const outbox_event event{.id = "0123456789abcdef0123456789abcdef",
                                 .type = "order_placed",
                                 .key = "ann\r\n\xc3\xa9%",
                                 .body = "{\"order\":7}",
                                 .published_at = 1};
        // Without a stream, the delivery fails, and the outbox repeats it.
        CHECK(u.failure(target(event)).starts_with("503 "));
        u.value(u.client.request("$JS.API.STREAM.CREATE.ORDERS", R"({"name":"ORDERS","subjects":["orders.>"]})"));
        auto seen = u.client.subscribe("orders.>");
        CHECK(u.next(seen) == "gap");
        u.value(target(event));
        u.value(target(event));
        const auto got = u.value(seen.next());
        REQUIRE(got);
        CHECK(got->payload == "{\"order\":7}");
        CHECK(got->header_value("Nats-Msg-Id") == event.id);
        CHECK(got->header_value("Nats-Expected-Stream") == "ORDERS");
        CHECK(got->header_value("Event-Type") == "order_placed");
        CHECK(got->header_value("Event-Key") == "ann%0D%0A%C3%A9%25");
        const auto info = u.value(u.client.request("$JS.API.STREAM.INFO.ORDERS", ""));
        CHECK(info.payload.contains("\"messages\":1,"));
        const nats::stream_target other(u.client, "orders.placed", "OTHER");
        CHECK(u.failure(other(event)).starts_with("500 JetStream: "));
    });
}

TEST_CASE("outbox: invalid subjects and streams of NATS") {
    const nats::client bus("nats://h");
    for (const char* subject : {"", "a b", "a.>", "a\r\n"})
        CHECK_THROWS_AS(nats::stream_target(bus, subject), std::invalid_argument);
    for (const char* stream : {"a b", "a.b", "*", "a\n"})
        CHECK_THROWS_AS(nats::stream_target(bus, "a", stream), std::invalid_argument);
}
