// SPDX-License-Identifier: Apache-2.0
#include "codec/websocket/accept_key.hpp"
#include "outbound/secure_server.hpp"
#include "ws/frames.hpp"
#include "ws/client_connection.hpp"

#include <apus/hub.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/websocket_client.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

using namespace apus;
using namespace apus::test;
using namespace std::string_literals;

namespace {

std::string ws_url(const listening& up, std::string_view path) { return "ws" + up.url().substr(4) + std::string(path); }

app echoing() {
    app a;
    const websocket_options how{
        .subprotocols = {"b", "c"}, .message = 4'000'000, .compress = true, .compress_from = 100};
    a.websocket(
        "/echo",
        [](websocket peer) -> task<> {
            while (auto message = co_await peer.receive()) co_await peer.send(*message);
        },
        how);
    a.websocket("/bye", [](websocket peer) -> task<> {
        auto first = co_await peer.receive();
        peer.close(4000, first->bytes);
    });
    a.websocket("/pages", [](websocket) -> task<> { co_return; });
    a.websocket("/slow", [](websocket peer) -> task<> {
        co_await apus::sleep_for(milliseconds(50));
        std::size_t all = 0;
        while (auto message = co_await peer.receive()) {
            all += message->bytes.size();
            if (message->binary) co_await peer.send(std::to_string(all));
        }
    });
    a.get("/cut", [](request& in) {
        response res = upgrade("websocket", [](writer&) -> task<> { co_return; });
        const auto accept = codec::websocket::accept_key(in.header("sec-websocket-key"));
        res.header("sec-websocket-accept", {accept.data(), accept.size()});
        return res;
    });
    a.get("/no", [] { return "plain\n"; });
    return a;
}

// Returns the messages that a client received from an echo handler, and how the session ended.
task<std::string> echoed(client http, websocket_request req, std::string text) {
    auto chat = co_await connect_websocket(http, std::move(req));
    std::string seen = std::string(chat->subprotocol()) + ":";
    co_await chat->send(text);
    co_await chat->send_binary("\x01\x02");
    for (int i = 0; i < 2; ++i) {
        auto message = co_await chat->receive();
        if (!message) co_return "cut";
        seen += (message->binary ? "binary " : "text ") +
                (message->bytes == text ? "same"s : std::to_string(message->bytes.size())) + " ";
    }
    chat->close(4001, "done");
    while (co_await chat->receive()) {}
    co_return seen + std::to_string(chat->close_code());
}

std::string line_of(const result<std::string>& r) {
    return r ? *r : std::to_string(r.error().status()) + " " + r.error().detail();
}

}  // namespace

TEST_CASE("client and server exchange messages of any size, compressed or not") {
    own_loop on;
    app_server up(on, echoing());
    client http;
    for (const std::size_t size : {std::size_t(0), std::size_t(20), std::size_t(5'000), std::size_t(3'000'000)}) {
        for (const bool compress : {false, true}) {
            websocket_request req(ws_url(up, "/echo"));
            req.subprotocol("a").subprotocol("c").options(
                {.message = 4'000'000, .compress = compress, .window_bits = size == 20 ? 0U : 10U});
            CHECK(line_of(on.wait(echoed(http, std::move(req), std::string(size, 'x')))) ==
                  "c:text same binary 2 4001");
        }
    }
    on.turn_until([&] { return up.connections() == 0; });
    CHECK(up.connections() == 0);
}

TEST_CASE("wss: the same over TLS, with trusted certificates") {
    secure_server s(echoing());
    client http(s.options);
    for (const std::size_t size : {std::size_t(20), std::size_t(3'000'000)}) {
        websocket_request req(s.url("localhost", size == 20 ? "wss" : "WSS") + "/echo");
        req.subprotocol("b").options({.message = 4'000'000, .compress = size == 20});
        CHECK(line_of(s.on.wait(echoed(http, std::move(req), std::string(size, 'x')))) == "b:text same binary 2 4001");
    }
    s.on.turn_until([&] { return s.up.connections() == 0; });
    CHECK(s.up.connections() == 0);
    CHECK(line_of(s.on.wait(echoed(http, websocket_request(s.url("127.0.0.2", "wss") + "/echo"), "")))
              .starts_with("502 "));
    client_options by_system;
    by_system.tls = client_tls(client_tls_options());
    CHECK(line_of(s.on.wait(echoed(client(by_system), websocket_request(s.url("localhost", "wss") + "/echo"), ""))) ==
          "502 the upstream's certificate is not trusted: self-signed certificate");
    CHECK(line_of(s.on.wait(echoed(http, websocket_request(ws_url(s.up, "/echo")), ""))).starts_with("502 "));
}

TEST_CASE("a client gets the server's close code, and detects that the server has disconnected") {
    own_loop on;
    app_server up(on, echoing());
    const auto talk = [](client http, std::string url) -> task<std::string> {
        websocket_request req(url);
        auto chat = co_await connect_websocket(http, std::move(req));
        hub rooms;
        CHECK_THROWS_AS(static_cast<void>(rooms.join("room", *chat)), std::invalid_argument);
        co_await chat->send("see you");
        while (co_await chat->receive()) {}
        co_return std::to_string(chat->close_code()) + " " + std::string(chat->close_reason());
    };
    CHECK(line_of(on.wait(talk(client(), ws_url(up, "/bye")))) == "4000 see you");
    CHECK(line_of(on.wait(talk(client(), ws_url(up, "/pages")))) == "1000 ");

    const auto accepted =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        "wrong\r\n\r\n";
    scripted_server wrong(on, {scripted_reply(accepted), scripted_reply("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
                               scripted_reply("", true)});
    CHECK(line_of(on.wait(talk(client(), ws_url(wrong, "/")))) ==
          "502 the upstream refused the WebSocket: Sec-WebSocket-Accept is wrong");
    CHECK(line_of(on.wait(talk(client(), ws_url(wrong, "/")))) ==
          "502 the upstream refused the WebSocket: response status 200");
    CHECK(line_of(on.wait(talk(client(), ws_url(wrong, "/")))) ==
          "502 the upstream closed the connection during the handshake");
    CHECK(wrong.heads[0].contains("Sec-WebSocket-Version: 13\r\n"));
    CHECK(line_of(on.wait(talk(client(), ws_url(up, "/no")))) ==
          "502 the upstream refused the WebSocket: response status 200");
    CHECK(line_of(on.wait(talk(client(), up.url()))) == "500 the URL of a WebSocket must begin with ws:// or wss://");
    CHECK(line_of(on.wait(talk(client(), "wss://a.example/"))) ==
          "500 this client does not support https: its options have no `tls`");
    CHECK_THROWS_AS(websocket_request("ws://a").subprotocol("a b"), std::invalid_argument);
    CHECK_THROWS_AS(websocket_request("ws://a").header("upgrade", "x"), std::invalid_argument);

    CHECK(line_of(on.wait(talk(client(), ws_url(up, "/cut")))) == "1006 ");
}

TEST_CASE("sending waits while the server does not read, and the client may disconnect at any time") {
    own_loop on;
    app_server up(on, echoing());
    const auto flood = [](client http, std::string url) -> task<std::string> {
        websocket_request req(url);
        auto chat = co_await connect_websocket(http, std::move(req));
        const std::string much(100'000, 'm');
        for (int i = 0; i < 60; ++i) co_await chat->send(much);
        co_await chat->send_binary("!");
        auto sum = co_await chat->receive();
        co_return std::string(sum ? sum->bytes : "nothing");
    };
    CHECK(line_of(on.wait(flood(client(), ws_url(up, "/slow")))) == "6000001");
    on.turn_until([&] { return up.connections() == 0; });
    CHECK(up.connections() == 0);  // the client has disconnected without a Close frame
}
