// SPDX-License-Identifier: Apache-2.0
#include "server/websocket_peer.hpp"

#include <apus/hub.hpp>
#include <apus/json.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>

namespace {

apus::app talking(apus::hub& rooms, int& gone) {
    apus::app app;
    app.websocket("/chat/{room}", [&rooms](apus::websocket peer, std::string room) -> apus::task<> {
        auto seat = rooms.join(room, peer);
        while (auto message = co_await peer.receive()) rooms.send(room, *message);
    });
    const apus::websocket_options bounds{
        .subprotocols = {"echo"}, .message = 200'000, .compress = true, .idle = apus::seconds(300)};
    app.websocket(
        "/echo",
        [&gone](apus::websocket peer) -> apus::task<> {
            struct leaving {
                int& count;
                ~leaving() { ++count; }
            } here{gone};
            while (auto message = co_await peer.receive()) {
                if (*message == std::string_view("fail")) co_await apus::fail(500, "as it was told to");
                if (*message == std::string_view("later")) co_await apus::sleep_for(apus::seconds(60));
                if (*message == std::string_view("enough")) co_return peer.close(4001, "so be it");
                co_await peer.send(*message);
            }
        },
        bounds);
    app.get("/page", [] { return "no socket\n"; });
    app.get("/other", [] {
        return apus::upgrade("websocket", [](apus::writer& out) -> apus::task<> { co_await out.write("\xff\xff"); });
    });
    return app;
}

struct talk {
    apus::hub rooms;
    int gone = 0;
    apus::test::client client{talking(rooms, gone)};
};

}  // namespace

TEST_CASE("a test client exchanges WebSocket messages with an app") {
    talk t;
    auto& client = t.client;
    auto echo = client.connect("/echo", {{"sec-websocket-protocol", "chat, echo"}});
    CHECK(echo.handshake().status == 101);
    CHECK(echo.subprotocol() == "echo");
    echo.send("[1,2]");
    CHECK(echo.receive()->json<std::vector<int>>() == std::vector{1, 2});
    echo.send("hello");
    CHECK(echo.receive() == "hello");
    const std::string large(150'000, 'x');
    echo.send(large);
    echo.send_binary(std::string_view("\0\1", 2));
    CHECK(echo.receive() == large);
    const auto binary = echo.receive();
    REQUIRE(binary.has_value());
    CHECK(binary->binary);
    CHECK(binary->bytes == std::string_view("\0\1", 2));
    CHECK(client.get("/page").body == "no socket\n");
    CHECK(echo.is_open());
    echo.send("last");
    echo.close(3000, "bye");
    CHECK(echo.receive() == "last");
    CHECK_FALSE(echo.receive().has_value());
    CHECK(echo.close_code() == 3000);
    CHECK_FALSE(echo.is_open());
}

TEST_CASE("members of a room receive each other's messages") {
    talk t;
    auto& client = t.client;
    auto ann = client.connect("/chat/lobby");
    auto bob = client.connect("/chat/lobby");
    ann.send("hello Bob");
    CHECK(bob.receive() == "hello Bob");
    CHECK(ann.receive() == "hello Bob");
    CHECK_FALSE(bob.has_message());
}

TEST_CASE("a test observes how a WebSocket ends, and why a handshake fails") {
    talk t;
    auto& client = t.client;
    auto failing = client.connect("/echo");
    failing.send("fail");
    CHECK(failing.close_code() == 1011);
    CHECK(failing.close_reason() == "internal error");
    auto told = client.connect("/echo");
    told.send("enough");
    CHECK(told.close_code() == 4001);
    CHECK(told.close_reason() == "so be it");
    told.send("to nobody");
    CHECK_FALSE(told.receive().has_value());
    auto large = client.connect("/echo");
    large.send(std::string(200'001, 'x'));
    CHECK(large.close_code() == 1009);

    auto refused = client.connect("/echo", {{"origin", "https://evil.example"}});
    CHECK(refused.handshake().status == 403);
    CHECK(refused.handshake().body.contains("WebSocket connections from this origin are not allowed"));
    CHECK_FALSE(refused.is_open());
    CHECK_FALSE(refused.receive().has_value());
    CHECK(client.connect("/nowhere").handshake().status == 404);
    CHECK(client.connect("/page").handshake().status == 200);
    CHECK_THROWS_WITH(
        client.connect("/other").close_code(),
        "WebSocket handshake with the app failed: a frame has a reserved bit set, but no extension defines it");

    CHECK(t.gone == 3);
    {
        auto leaves = client.connect("/echo");
        leaves.send("hi");
        CHECK(leaves.receive() == "hi");
    }
    CHECK(client.get("/page").status == 200);
    CHECK(t.gone == 4);
    std::optional<apus::test::websocket> kept;
    {
        apus::test::client hasty(talking(t.rooms, t.gone), {.timeout = apus::milliseconds(20)});
        kept = hasty.connect("/chat/a");
        auto silent = hasty.connect("/chat/b");
        CHECK_THROWS_WITH(silent.receive(), "no response within 20 ms");
    }
    CHECK(kept->close_code() == 1006);
}

TEST_CASE("time is advanced for WebSockets too") {
    talk t;
    auto& client = t.client;
    auto idle = client.connect("/echo");
    client.advance(apus::seconds(299));
    CHECK(idle.pings() > 5);
    CHECK(idle.is_open());
    client.advance(apus::seconds(2));
    CHECK(idle.close_code() == 1001);

    auto lost = client.connect("/echo");
    lost.respond_to_pings(false);
    client.advance(apus::seconds(39));
    CHECK(lost.is_open());
    client.advance(apus::seconds(10));
    CHECK(lost.close_code() == 1006);

    auto late = client.connect("/echo");
    late.send("later");
    CHECK_FALSE(late.has_message());
    client.advance(apus::seconds(61));
    CHECK(late.receive() == "later");
}
