// SPDX-License-Identifier: Apache-2.0
#include "nats/session.hpp"

#include "nats/call.hpp"
#include "nats/listener.hpp"
#include "nats/scripted_nats.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

namespace {

using step = scripted_nats::step;

}  // namespace

TEST_CASE("NATS: after invalid bytes of the server, requests fail, and the client connects again") {
    const std::string request = "PUB a _INBOX.";
    const struct {
        std::string says, failure;
        bool closes = false;
    } cases[] = {
        {"HTTP/1.1 200 OK\r\n", "unknown operation from the NATS server"},
        {"MSG _INBOX 1 2\r\nabc\r\n", "malformed operation from the NATS server"},
        {"MSG _INBOX 1 2000001\r\n", "a message from the NATS server exceeds the limit"},
        {"HMSG _INBOX 1 9 5\r\n", "malformed operation from the NATS server"},
        {"INFO " + std::string(70'000, 'x'), "a line from the NATS server exceeds the limit"},
        {"INFO {\r\n", "NATS has sent an unexpected operation"},
        {"PONG\r\n", "NATS has sent an unexpected operation"},
        {"MSG _INBOX 1 5\r\nhel", "NATS has closed the connection", true},
        {"", "NATS has closed the connection", true},
        {"-ERR 'Stale Connection'\r\n", "NATS has closed the connection: Stale Connection", true},
    };
    on_each_backend([&](const char* backend) {
        for (const auto& one : cases) {
            CAPTURE(one.failure);
            const scripted_nats server({.steps = scripted_nats::accepted({{request, one.says}}), .closes = one.closes});
            nats_user u(server.url(), backend, {.message_size = 2'000'000});
            CHECK(u.failure(u.client.request("a", "x")) ==
                  "503 " + one.failure + "; the request may have been processed");
            CHECK(u.failure(u.client.request("a", "x")) ==
                  "503 " + one.failure + "; the request may have been processed");
            CHECK(server.count() == 2);
        }
    });
}

TEST_CASE("NATS: messages that nothing waits for are ignored") {
    const scripted_nats server(
        {.steps = scripted_nats::accepted({{"PING\r\n",
                                            "MSG a 99 1\r\nx\r\nMSG _INBOX.x.1 1 1\r\nx\r\nMSG x 1 0\r\n\r\n+OK\r\n"
                                            "MSG _INBOX. 1 0\r\n\r\nHMSG a 99 4 4\r\n\r\n\r\n\r\nPONG\r\n"},
                                           {"PING\r\n", "PONG\r\n"}})});
    nats_user u(server.url());
    u.value(u.client.flush());
    u.value(u.client.flush());
}

TEST_CASE("NATS: a server that stops responding is noticed, and the client connects again") {
    on_each_backend([](const char* backend) {
        const scripted_nats server({.steps = scripted_nats::accepted()});
        nats_user u(server.url(), backend, {.timeout = seconds(60), .ping_interval = milliseconds(50)});
        const auto began = std::chrono::steady_clock::now();
        CHECK(u.failure(u.client.request("a", "x")) ==
              "503 NATS does not respond; the request may have been processed");
        CHECK(u.failure(u.client.flush()) == "503 NATS does not respond; published messages may be lost");
        CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
        CHECK(server.count() == 2);
    });
}

TEST_CASE("NATS: a responsive but idle server is not lost") {
    on_each_backend([](const char* backend) {
        const step answered{"PING\r\n", "PONG\r\n"};
        const scripted_nats server({.steps = scripted_nats::accepted(
                                        {answered, answered, answered, {"PING\r\n", "PONG\r\nMSG a 2 1\r\nx\r\n"}})});
        nats_user u(server.url(), backend, {.ping_interval = milliseconds(200)});
        auto s = u.client.subscribe("a");
        CHECK(u.next(s) == "gap");
        CHECK(u.next(s) == "a x");
        CHECK(server.count() == 1);
    });
}

TEST_CASE("NATS: a server that does not read slows down publishers, up to their deadline") {
    on_each_backend([](const char* backend) {
        const std::string info = "INFO {\"max_payload\":1000000}\r\n";
        const scripted_nats server({.steps = {{"", info}, {"PING\r\n", "PONG\r\n"}}, .deaf = true});
        nats_user u(server.url(), backend, {.timeout = milliseconds(1'000)});
        const std::string large(1'000'000, 'x');
        std::string got = "value";
        unsigned sent = 0;
        for (; got == "value" && sent < 100; ++sent) got = u.failure(u.client.publish("a", large));
        CHECK(got == "504 not received in time: confirmation");
        CHECK(sent < 100);
    });
}

TEST_CASE("NATS: a server that sends PING without reading does not fill the memory") {
    std::string flood;
    for (int i = 0; i < 500'000; ++i) flood += "PING\r\n";
    on_each_backend([&](const char* backend) {
        const scripted_nats server(
            {.steps = scripted_nats::accepted({{"PING\r\n", flood + "PONG\r\n"}}), .deaf = true});
        core_user u(backend);
        const auto state = std::make_shared<const nats::shared_state>(
            nats::shared_state{.to = nats::read_url(server.url()), .options = {}, .tls = {}, .name = {}});
        auto& on = nats::session::of_this_core(state);
        const auto flush = [&on]() -> task<> {
            nats::call c(on, {}, 0, on.after(seconds(60)));
            co_await c;
            if (c.failed) co_await failure(*std::move(c.failed));
        };
        CHECK(u.failure(flush()) == "value");
        CHECK(on.unsent() < 100'000);
    });
}

TEST_CASE("NATS: subscriptions and publishers survive a server that is killed") {
    on_each_nats(
        [](nats_server& server, nats_user& u) {
            auto s = u.client.subscribe("a.*"), other = u.client.subscribe("b", "group");
            CHECK(u.next(s) == "gap");
            CHECK(u.next(other) == "gap");
            u.value(u.client.publish("a.1", "before"));
            u.value(u.client.flush());
            running_task<nats::message> asked(u.client.request("a.2", "?"));
            CHECK(u.turn_until([&] { return u.next(s) == "a.2 ?" || asked.ended(); }));
            server.kill();
            CHECK(u.turn_until([&] { return asked.ended(); }));
            CHECK(nats_user::failure(asked.wait()) ==
                  "503 NATS has closed the connection; the request may have been processed");
            running_task<void> waiting(u.client.publish("a.3", "after"));
            for (int i = 0; i < 20; ++i) u.at.loop->turn(1);
            CHECK(!waiting.ended());
            server.start();
            CHECK(u.next(s) == "gap");
            CHECK(u.next(other) == "gap");
            CHECK(u.turn_until([&] { return waiting.ended(); }));
            CHECK(nats_user::failure(waiting.wait()) == "value");
            // Subscriptions are restored before messages that wait are sent.
            CHECK(u.next(s) == "a.3 after");
            u.value(u.client.publish("b", "x"));
            CHECK(u.next(other) == "b x");
        },
        {.timeout = seconds(20), .connect_timeout = seconds(20)});
}

TEST_CASE("NATS: an unreachable server is an error in time") {
    on_each_backend([](const char* backend) {
        std::uint16_t port = 0;
        const int closed = bound_socket(port);
        nats_user u("nats://127.0.0.1:" + std::to_string(port), backend,
                    {.connect_timeout = milliseconds(100), .queue = 2});
        auto s = u.client.subscribe("a");
        running_task<std::optional<nats::message>> waiting(s.next());
        CHECK(u.failure(u.client.publish("a", "x")) == "503 Connection refused");
        CHECK(u.failure(u.client.request("a", "x")) == "503 Connection refused");
        CHECK(u.failure(u.client.flush()) == "503 Connection refused");
        CHECK(u.turn_until([&] { return waiting.ended(); }));
        CHECK(nats_user::failure(waiting.wait()) == "503 Connection refused");
        const running_task<void> one(u.client.publish("a", "1")), two(u.client.publish("a", "2"));
        CHECK(u.failure(u.client.publish("a", "3")) == "503 over nats::client_options::queue");
        ::close(closed);
    });
}

TEST_CASE("NATS: further servers of the URL are tried") {
    std::uint16_t port = 0;
    const int closed = bound_socket(port);
    nats_server one, other;
    nats_user u("nats://127.0.0.1:" + std::to_string(port) + "," + one.host() + "," + other.host());
    auto s = u.client.subscribe("a");
    CHECK(u.next(s) == "gap");
    one.kill();
    CHECK(u.next(s) == "gap");
    u.value(u.client.publish("a", "x"));
    CHECK(u.next(s) == "a x");
    ::close(closed);
}

TEST_CASE("NATS: the end of a core ends its subscriptions and requests") {
    on_each_backend([](const char* backend) {
        nats_server server;
        auto u = std::make_unique<nats_user>(server.url(), backend);
        auto s = std::make_unique<nats::subscription>(u->client.subscribe("a"));
        CHECK(u->next(*s) == "gap");
        running_task<std::optional<nats::message>> waiting(s->next());
        running_task<nats::message> asked(u->client.request("a", "x"));
        u->value(u->client.flush());
        u->at.loop->settle();
        CHECK(u->turn_until([&] { return waiting.ended() && asked.ended(); }));
        CHECK(nats_user::failure(asked.wait()).starts_with("503 the server stops"));
    });
}

TEST_CASE("NATS: requests of one iteration are sent together") {
    nats_server server;
    nats_user u(server.url());
    auto s = u.client.subscribe("a");
    CHECK(u.next(s) == "gap");
    std::vector<std::unique_ptr<running_task<nats::message>>> asked;
    for (int i = 0; i < 1'000; ++i)
        asked.push_back(std::make_unique<running_task<nats::message>>(u.client.request("a", std::to_string(i))));
    for (int i = 0; i < 1'000; ++i) {
        const auto got = u.value(s.next());
        u.value(u.client.publish(got->reply, got->payload));
    }
    for (int i = 0; i < 1'000; ++i) {
        CHECK(u.turn_until([&] { return asked[static_cast<std::size_t>(i)]->ended(); }));
        CHECK(asked[static_cast<std::size_t>(i)]->wait()->payload == std::to_string(i));
    }
}
