// SPDX-License-Identifier: Apache-2.0
#include <apus/events.hpp>
#include <apus/json.hpp>
#include <apus/sleep.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace std::string_view_literals;
using apus::test::client;

namespace {

constexpr apus::events_options silent{.heartbeat = {}};

struct sent {
    std::string_view data, name, id;
    std::string_view bytes;
};

constexpr sent events[] = {
    {"hello", "", "", "data: hello\n\n"},
    {"", "", "", "data: \n\n"},
    {"a\nb", "", "", "data: a\ndata: b\n\n"},
    {"a\r\nb\rc\n", "", "", "data: a\ndata: b\ndata: c\ndata: \n\n"},
    {"\n\n", "", "", "data: \ndata: \ndata: \n\n"},
    {" padded", "", "", "data:  padded\n\n"},
    {"x\n\nevent: forged", "", "", "data: x\ndata: \ndata: event: forged\n\n"},
    {"{\"a\":1}", "update", "", "event: update\ndata: {\"a\":1}\n\n"},
    {"x", "tick", "17", "event: tick\nid: 17\ndata: x\n\n"},
    {"caf\xc3\xa9", "", "a b", "id: a b\ndata: caf\xc3\xa9\n\n"},
};

struct drink {
    std::string name;
    int price = 0;
};

}  // namespace

TEST_CASE("events are formatted for the browser's parser") {
    apus::app app;
    app.get("/", [] {
        return apus::events(
            [](apus::event_writer& out) -> apus::task<> {
                for (const auto& e : events) co_await out.send(e.data, e.name, e.id);
                co_await out.comment("the end\nof it");
            },
            silent);
    });
    client c(std::move(app));
    std::string expected;
    for (const auto& e : events) expected += e.bytes;
    const auto seen = c.get("/");
    CHECK(seen.status == 200);
    CHECK(seen.header("content-type") == "text/event-stream");
    CHECK(seen.header("cache-control") == "no-store");
    CHECK(seen.header("x-accel-buffering") == "no");
    CHECK(seen.body == expected + ": the end\n: of it\n\n");
}

TEST_CASE("a reconnecting client sends its last event id") {
    apus::app app;
    app.get("/", [] {
        return apus::events(
            [](apus::event_writer& out) -> apus::task<> {
                const int last = out.last_id().empty() ? 0 : std::stoi(std::string(out.last_id()));
                for (int i = last + 1; i <= last + 2; ++i) co_await out.send("x", {}, std::to_string(i));
            },
            {.heartbeat = {}, .retry = apus::milliseconds(1'500)});
    });
    client c(std::move(app));
    CHECK(c.get("/").body == "retry: 1500\n\nid: 1\ndata: x\n\nid: 2\ndata: x\n\n");
    CHECK(c.get("/", {{"last-event-id", "2"}}).body == "retry: 1500\n\nid: 3\ndata: x\n\nid: 4\ndata: x\n\n");
}

TEST_CASE("a name or id with a line break aborts the stream") {
    for (const auto& [name, id] : {std::pair{"a\nb"sv, ""sv}, std::pair{"a\rb"sv, ""sv},
                                   std::pair{""sv, "1\n\ndata: x"sv}, std::pair{""sv, "1\0"sv}}) {
        apus::app app;
        app.get("/", [name, id] {
            return apus::events(
                [name, id](apus::event_writer& out) -> apus::task<> {
                    co_await out.send("good");
                    co_await out.send("bad", name, id);
                },
                silent);
        });
        client c(std::move(app));
        const auto seen = c.get("/");
        CHECK(seen.closed);
        CHECK(seen.body.find("bad") == std::string::npos);
    }
}

TEST_CASE("heartbeats are sent only while idle") {
    apus::app app;
    app.get("/", [] {
        return apus::events(
            [](apus::event_writer& out) -> apus::task<> {
                co_await out.send("a");
                co_await apus::sleep_for(apus::milliseconds(60));
                co_await out.send("b");
            },
            {.heartbeat = apus::milliseconds(20)});
    });
    app.get("/busy", [] {
        return apus::events(
            [](apus::event_writer& out) -> apus::task<> {
                for (int i = 0; i < 100; ++i) co_await out.send("x");
            },
            {.heartbeat = apus::milliseconds(1)});
    });
    client c(std::move(app));
    const std::string seen = c.get("/").body;
    CHECK(seen.starts_with("data: a\n\n:\n\n"));
    CHECK(seen.ends_with("\n\n:\n\ndata: b\n\n"));
    CHECK(c.get("/busy").body.find(':' + std::string("\n\n")) == std::string::npos);
}

TEST_CASE("events are sent and read as values") {
    apus::app app;
    app.get("/orders", [] {
        return apus::events([](apus::event_writer& out) -> apus::task<> {
            co_await out.send(drink{"tea", 3}, "served", "1");
            co_await out.send(apus::json(7));
            co_await out.send(std::vector{1, 2});
        });
    });
    client to(std::move(app));
    auto orders = to.open("GET", "/orders");
    const auto served = orders.next_event()->json<drink>();
    CHECK(served.name == "tea");
    CHECK(served.price == 3);
    const auto number = orders.next_event();
    CHECK(number->data == "7");
    CHECK(number->json<int>() == 7);
    CHECK_THROWS_AS(number->json<drink>(), std::runtime_error);
    CHECK(orders.next_event()->json<std::vector<int>>() == std::vector{1, 2});
    CHECK(to.get("/orders").body.starts_with("event: served\nid: 1\ndata: {\"name\":\"tea\",\"price\":3}\n\n"));
}
