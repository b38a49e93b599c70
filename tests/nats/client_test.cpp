// SPDX-License-Identifier: Apache-2.0
#include <apus/nats.hpp>

#include "nats/nats_server.hpp"

#include <apus/json.hpp>

#include <stdexcept>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

TEST_CASE("NATS: messages reach the subscribers of their subject, with headers") {
    on_each_nats([](nats_server&, nats_user& u) {
        auto exact = u.client.subscribe("orders.new");
        auto some = u.client.subscribe("orders.*");
        auto all = u.client.subscribe(">");
        CHECK(u.next(exact) == "gap");
        CHECK(u.next(some) == "gap");
        CHECK(u.next(all) == "gap");
        u.value(u.client.publish("orders.new", "tea"));
        u.value(u.client.publish("orders.new", std::string("\0\r\nPING\r\n", 9),
                                 {.headers = {{"A", "1"}, {"B", ""}, {"A", "2"}}, .reply = "answers.7"}));
        u.value(u.client.publish("other", ""));
        CHECK(u.next(exact) == "orders.new tea");
        const auto second = u.value(exact.next());
        REQUIRE(second);
        CHECK(second->payload == std::string("\0\r\nPING\r\n", 9));
        CHECK(second->reply == "answers.7");
        CHECK(second->headers.size() == 3);
        CHECK(second->header_value("A") == "1");
        CHECK(second->header_value("B") == "");
        CHECK(second->header_value("a") == std::nullopt);
        CHECK(u.next(some) == "orders.new tea");
        CHECK(u.next(all) == "orders.new tea");
        (void)u.next(all);
        CHECK(u.next(all) == "other ");
        u.value(u.client.flush());
    });
}

TEST_CASE("NATS: of a queue group, one subscription gets each message") {
    on_each_nats([](nats_server&, nats_user& u) {
        auto one = u.client.subscribe("work", "workers"), other = u.client.subscribe("work", "workers");
        CHECK(u.next(one) == "gap");
        CHECK(u.next(other) == "gap");
        unsigned got = 0;
        const auto count = [&got](nats::subscription& of) -> task<> {
            for (; co_await of.next(); ++got) {}
        };
        const running_task<void> first(count(one)), second(count(other));
        for (int i = 0; i < 100; ++i) u.value(u.client.publish("work", std::to_string(i)));
        CHECK(u.turn_until([&] { return got >= 100; }));
        u.value(u.client.flush());
        CHECK(got == 100);
    });
}

TEST_CASE("NATS: requests get the first response, or an error at once without a subscriber") {
    on_each_nats([](nats_server&, nats_user& u) {
        auto service = u.client.subscribe("double");
        CHECK(u.next(service) == "gap");
        const auto serve = [&](unsigned count) -> task<> {
            for (; count != 0; --count) {
                const auto asked = co_await service.next();
                co_await u.client.publish(asked->reply, asked->payload + asked->payload, {.headers = asked->headers});
            }
        };
        running_task<void> serving(serve(2));
        CHECK(u.value(u.client.request("double", "ab")).payload == "abab");
        const auto got = u.value(u.client.request("double", "", {.headers = {{"X", "y"}}}));
        CHECK(got.payload.empty());
        CHECK(got.header_value("X") == "y");

        const auto none = u.run(u.client.request("nobody.home", "?"));
        REQUIRE(nats::failure_of(none));
        CHECK(nats::failure_of(none)->status == 503);
        CHECK(none.error().status() == 503);
        // The subscriber does not respond.
        const auto silent = u.run(u.client.request("double", "x", {.timeout = milliseconds(50)}));
        CHECK(nats_user::failure(silent) == "504 not received in time: response");
        CHECK(nats::failure_of(silent) == nullptr);
        u.value(u.client.flush());
    });
}

TEST_CASE("NATS: names and headers that would inject operations are refused") {
    nats_server server;
    nats_user u(server.url());
    auto all = u.client.subscribe(">");
    CHECK(u.next(all) == "gap");
    for (const std::string& subject :
         std::vector<std::string>{"", "a b", "a\r\nPUB b 0", "a\n", "a..b", "a.*", ">", "a\t", std::string("a\0", 2)}) {
        CAPTURE(subject);
        CHECK(u.failure(u.client.publish(subject, "x")).starts_with("400 NATS: the subject is invalid"));
        CHECK(u.failure(u.client.request(subject, "x")).starts_with("400 NATS: the subject is invalid"));
        CHECK(u.failure(u.client.publish_to_stream(subject, "x")).starts_with("400 NATS: the subject is invalid"));
        if (!subject.empty())
            CHECK(u.failure(u.client.publish("a", "x", {.reply = subject})) ==
                  "400 NATS: the reply subject is invalid");
    }
    for (const nats::header& bad : std::vector<nats::header>{{"", "x"}, {"a b", "x"}, {"a", "x\r\nb: c"}, {"a:", "x"}})
        CHECK(u.failure(u.client.publish("a", "x", {.headers = {bad}})) == "400 NATS: a header is invalid");
    CHECK(u.failure(u.client.publish_to_stream("a", "x", {.id = "1\r\n"})) == "400 NATS: a header is invalid");
    for (const auto& [subject, queue] : std::vector<std::pair<std::string, std::string>>{
             {"", ""}, {"a b", ""}, {"a.>.b", ""}, {"a 1\r\nSUB b", ""}, {"a", "q 1"}, {"a", "q\r\n"}}) {
        auto bad = u.client.subscribe(subject, queue);
        CHECK(u.next(bad).starts_with("400 NATS: the subject or the queue of a subscription is invalid"));
    }
    // The connection was not affected, and nothing was sent.
    u.value(u.client.publish("good", "x"));
    CHECK(u.next(all) == "good x");
}

TEST_CASE("NATS: invalid URLs and options") {
    CHECK_THROWS_AS(nats::client("redis://h"), std::invalid_argument);
    CHECK_THROWS_AS(nats::client("tls://h", {.tls_authorities = "/does/not/exist"}), std::runtime_error);
}

TEST_CASE("NATS: a message over max_payload of the server is an error, and the connection stays") {
    on_each_backend([](const char* backend) {
        nats_server server("max_payload: 1000");
        nats_user u(server.url(), backend);
        auto all = u.client.subscribe("a");
        CHECK(u.next(all) == "gap");
        u.value(u.client.publish("a", std::string(1'000, 'x')));
        CHECK(u.failure(u.client.publish("a", std::string(1'001, 'x'))) ==
              "413 1001 bytes, over max_payload of the server: 1000");
        CHECK(u.failure(u.client.request("a", std::string(990, 'x'), {.headers = {{"a", "b"}}})).starts_with("413 "));
        CHECK(u.next(all).size() == 1'002);
        u.value(u.client.publish("a", "y"));
        CHECK(u.next(all) == "a y");
    });
}

TEST_CASE("NATS: users and tokens") {
    nats_server server("authorization { user: app, password: \"p@ss word\" }");
    const auto as = [&](const std::string& account) {
        nats_user u("nats://" + account + server.host(), "epoll", {.connect_timeout = milliseconds(1'000)});
        return u.failure(u.client.flush());
    };
    CHECK(as("app:p%40ss%20word@") == "value");
    CHECK(as("app:wrong@") == "503 the server has refused the connection: Authorization Violation");
    CHECK(as("") == "503 the server has refused the connection: Authorization Violation");
    nats_server other("authorization { token: secret }");
    nats_user good("nats://secret@" + other.host());
    CHECK(good.failure(good.client.flush()) == "value");
}

TEST_CASE("NATS: a subscription that the server refuses is an error, others are not affected") {
    on_each_backend([](const char* backend) {
        nats_server server(
            "authorization { users: [ { user: a, password: b, permissions: { subscribe: \"open.>\", "
            "publish: \"open.>\" } } ] }");
        nats_user u("nats://a:b@" + server.host(), backend);
        auto refused = u.client.subscribe("closed"), good = u.client.subscribe("open.1");
        running_task<std::optional<nats::message>> waiting(good.next());
        CHECK(u.next(refused).starts_with("500 Permissions Violation for Subscription to \"closed\""));
        CHECK(u.turn_until([&] { return waiting.ended(); }));
        // The server ignores the message, and reports an error that is logged.
        u.value(u.client.publish("closed", "x"));
        u.value(u.client.publish("open.1", "y"));
        CHECK(u.next(good) == "open.1 y");
    });
}

TEST_CASE("NATS: a subscriber that falls behind gets a gap and the latest messages") {
    on_each_nats(
        [](nats_server&, nats_user& u) {
            auto slow = u.client.subscribe("a"), heavy = u.client.subscribe("b");
            CHECK(u.next(slow) == "gap");
            CHECK(u.next(heavy) == "gap");
            for (int i = 0; i < 1'000; ++i) u.value(u.client.publish("a", std::to_string(i)));
            for (int i = 0; i < 5; ++i) u.value(u.client.publish("b", std::string(5'000, 'x')));
            u.value(u.client.publish("b", "last"));
            // Each response to PING comes after the messages, which are passed on in several turns.
            for (int i = 0; i < 3; ++i) u.value(u.client.flush());
            CHECK(u.next(slow) == "gap");
            for (int i = 990; i < 1'000; ++i) CHECK(u.next(slow) == "a " + std::to_string(i));
            CHECK(u.next(heavy) == "gap");
            CHECK(u.next(heavy).size() == 5'002);
            CHECK(u.next(heavy) == "b last");
        },
        {.messages = 10, .message_bytes = 8'000});
}

TEST_CASE("NATS: a cancelled `next` loses no message") {
    on_each_nats([](nats_server&, nats_user& u) {
        auto s = u.client.subscribe("a");
        CHECK(u.next(s) == "gap");
        {
            const running_task<std::optional<nats::message>> cancelled(s.next());
            u.value(u.client.publish("a", "1"));
        }
        {
            const running_task<nats::message> cancelled(u.client.request("a", "2"));
            u.value(u.client.flush());
        }
        CHECK(u.next(s) == "a 1");
        CHECK(u.next(s) == "a 2");
    });
}
