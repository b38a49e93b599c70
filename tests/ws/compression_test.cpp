// SPDX-License-Identifier: Apache-2.0
#include "compression/message_deflate.hpp"
#include "http/h1/wire.hpp"
#include "ws/frames.hpp"

#include <apus/websocket.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace std::string_view_literals;
using test::framed;
using test::opening_request;
using test::whole_text;
using test::wire;

namespace {

app compressing_echo() {
    app a;
    a.websocket("/ws",
                [](websocket peer) -> task<> {
                    while (auto message = co_await peer.receive()) co_await peer.send(*message);
                },
                {.message = 5'000, .compress = true, .compress_from = 20});
    return a;
}

}  // namespace

TEST_CASE("messages are compressed if both ends support it") {
    wire w(compressing_echo());
    const auto answered = [&w](std::string_view offer) {
        w.connect();
        w.send(opening_request(
            "/ws", offer.empty() ? std::string() : "Sec-WebSocket-Extensions: " + std::string(offer) + "\r\n"));
        const std::string head = w.until("\r\n\r\n");
        const auto at = head.find("sec-websocket-extensions: ");
        return at == head.npos ? std::string() : head.substr(at + 26, head.find("\r\n", at) - at - 26);
    };
    CHECK(answered("") == "");
    CHECK(answered("permessage-deflate; server_max_window_bits=8") == "");
    CHECK(answered("x-unknown, permessage-deflate; a=b, permessage-deflate; server_no_context_takeover") ==
          "permessage-deflate; server_no_context_takeover; server_max_window_bits=12");
    CHECK(answered("permessage-deflate; client_max_window_bits") ==
          "permessage-deflate; server_max_window_bits=12; client_max_window_bits=12");
    w.send(framed(0xc1, "\xf2\x48\xcd\xc9\xc9\x07\x00"sv));  // "Hello" (RFC 7692, 7.2.3.2)
    std::string came = w.until("Hello");
    CHECK(test::take_frames(came) == "text:Hello ");  // too small to be compressed
    w.send(framed(0x41, "\xf2\x48\xcd") + framed(0x89, "p") + framed(0x80, "\xc9\xc9\x07\x00"sv));
    came = w.until("Hello");
    CHECK(test::take_frames(came) == "pong:p text:Hello ");
    w.send(whole_text(std::string(4'000, 'x')));
    w.turn(5);
    came = w.take();
    CHECK(came.size() < 50);
    CHECK(test::take_frames(came).starts_with("compressed text:"));

    const auto refused = [&](const std::string& frames) {
        answered("permessage-deflate");
        w.send(frames);
        std::string said = w.rest();
        return test::take_frames(said);
    };
    CHECK(refused(framed(0xc1, "\xff\xff\xff")) == "close:1007:a compressed message is malformed (RFC 7692) ");
    CHECK(refused(framed(0xc1, "\xf2\x00\x11\x00\x00"sv)) ==
          "close:1007:a compressed message is malformed (RFC 7692) ");
    compression::message_deflater out(15, true);
    std::string bomb, no_text;
    out.put(std::string(1'000'000, '\0'), bomb);
    CHECK(bomb.size() < 5'000);
    CHECK(refused(framed(0xc2, bomb)) == "close:1009:a message exceeds the limit of this route ");
    compression::message_deflater(15, true).put("\xff\xff", no_text);
    CHECK(refused(framed(0xc1, no_text)) == "close:1007:a text message is invalid UTF-8 ");
}
