// SPDX-License-Identifier: Apache-2.0
#include <apus/nats.hpp>

#include "nats/nats_server.hpp"
#include "nats/scripted_nats.hpp"

#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

void make_stream(nats_user& u, const std::string& more = "") {
    const auto made =
        u.value(u.client.request("$JS.API.STREAM.CREATE.ORDERS",
                                 "{\"name\":\"ORDERS\",\"subjects\":[\"orders.>\"],\"storage\":\"file\"" + more + "}"));
    REQUIRE_MESSAGE(!made.payload.contains("\"error\""), made.payload);
}

}  // namespace

TEST_CASE("JetStream: messages are stored once per id") {
    on_each_nats([](nats_server& server, nats_user& u) {
        make_stream(u);
        const auto first = u.value(u.client.publish_to_stream("orders.new", "tea", {.id = "1", .stream = "ORDERS"}));
        CHECK(first.stream == "ORDERS");
        CHECK(first.sequence == 1);
        CHECK(!first.duplicate);
        const auto again = u.value(u.client.publish_to_stream("orders.new", "tea", {.id = "1"}));
        CHECK(again.sequence == 1);
        CHECK(again.duplicate);
        CHECK(u.value(u.client.publish_to_stream("orders.new", "tea")).sequence == 2);
        CHECK(u.value(u.client.publish_to_stream("orders.new", "figs", {.headers = {{"A", "b"}}})).sequence == 3);
        // The stream remembers the id although the server was killed.
        server.kill();
        server.start();
        result<nats::stream_ack> stored = std::unexpected(error(500, "not sent"));
        CHECK(u.turn_until([&] {
            stored = u.run(u.client.publish_to_stream("orders.new", "tea", {.id = "1", .timeout = milliseconds(300)}));
            return stored.has_value();
        }));
        CHECK(stored->duplicate);
        CHECK(u.value(u.client.publish_to_stream("orders.new", "tea", {.id = "2"})).sequence == 4);
    });
}

TEST_CASE("JetStream: refused messages") {
    on_each_nats([](nats_server&, nats_user& u) {
        const auto none = u.run(u.client.publish_to_stream("orders.new", "tea"));
        REQUIRE(nats::failure_of(none));
        CHECK(nats::failure_of(none)->status == 503);
        CHECK(none.error().status() == 503);
        make_stream(u, ",\"max_msg_size\":100");
        const auto other = u.run(u.client.publish_to_stream("orders.new", "tea", {.stream = "OTHER"}));
        REQUIRE(nats::failure_of(other));
        CHECK(nats::failure_of(other)->code == 10'060);
        CHECK(other.error().status() == 500);
        CHECK(nats_user::failure(other) == "500 JetStream: expected stream does not match (10060)");
        const auto large = u.run(u.client.publish_to_stream("orders.new", std::string(200, 'x')));
        REQUIRE(nats::failure_of(large));
        CHECK(nats::failure_of(large)->code == 10'054);
    });
}

TEST_CASE("JetStream: responses that are no acknowledgement of a stream") {
    const struct {
        std::string payload, failure;
    } cases[] = {
        {"{\"stream\":\"S\",\"seq\":7}", "value"},
        {"{\"stream\":\"S\",\"seq\":7,\"duplicate\":null,\"domain\":\"d\"}", "value"},
        {"{\"error\":{\"code\":503,\"err_code\":10077,\"description\":\"maximum\\nmessages\"}}",
         "503 JetStream: maximum?messages (10077)"},
        {"{\"error\":{}}", "500 JetStream: unknown error (0)"},
        {"{\"stream\":\"S\"}", "500 the acknowledgement of a stream has no sequence number"},
        {"{\"stream\":\"\",\"seq\":7}", "500 the acknowledgement of a stream has no sequence number"},
        {"{\"stream\":\"S\",\"seq\":0}", "500 the acknowledgement of a stream has no sequence number"},
        {"{\"stream\":\"S\",\"seq\":-1}",
         "500 the response is not the acknowledgement of a stream: is the subject one of a stream?"},
        {"thanks", "500 the response is not the acknowledgement of a stream: is the subject one of a stream?"},
        {"", "500 the response is not the acknowledgement of a stream: is the subject one of a stream?"},
    };
    for (const auto& one : cases) {
        CAPTURE(one.payload);
        nats_server server;
        nats_user u(server.url());
        auto service = u.client.subscribe("a");
        CHECK(u.next(service) == "gap");
        running_task<nats::stream_ack> stored(u.client.publish_to_stream("a", "x"));
        const auto asked = u.value(service.next());
        u.value(u.client.publish(asked->reply, one.payload));
        CHECK(u.turn_until([&] { return stored.ended(); }));
        CHECK(nats_user::failure(stored.wait()) == one.failure);
    }
}
