// SPDX-License-Identifier: Apache-2.0
#include "http/h1/wire.hpp"
#include "ws/frames.hpp"

#include <apus/sleep.hpp>
#include <apus/websocket.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace apus;
using namespace std::string_literals;
using namespace std::string_view_literals;
using test::closing;
using test::framed;
using test::opening_request;
using test::whole_text;
using test::wire;

namespace {

/// How the session ended, as observed by the handler.
struct end_seen {
    unsigned code = 0;
    std::string reason;
    int begun = 0, ended = 0;
};

struct counted {
    explicit counted(end_seen& e) : of(&e) { ++of->begun; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() { ++of->ended; }
    end_seen* of;
};

app echoing(end_seen& seen, const websocket_options& how = {}) {
    app a;
    a.websocket(
        "/ws",
        [&seen](websocket peer) -> task<> {
            counted here(seen);
            while (auto message = co_await peer.receive()) co_await peer.send(*message);
            seen.code = peer.close_code();
            seen.reason = peer.close_reason();
        },
        how);
    return a;
}

/// Returns the app's output for these bytes after the handshake.
/// Ends when the app closes the connection or sends nothing more.
std::string talk(wire& w, std::string_view bytes, std::size_t step) {
    w.connect();
    w.send(opening_request("/ws"));
    std::string came = w.until("\r\n\r\n");
    came.erase(0, came.find("\r\n\r\n") + 4);
    std::string said;
    for (std::size_t at = 0; at < bytes.size() && !w.ended; at += step) {
        w.send(bytes.substr(at, step));
        w.turn(step < 64 ? 2 : 4);
        came += w.take();
        said += test::take_frames(came);
    }
    for (int i = 0; i < 3; ++i) w.turn(2), came += w.take();
    said += test::take_frames(came);
    return said + (w.ended ? "end" : "") + came;
}

struct example {
    const char* what;
    std::string bytes;
    std::string said;
};

// Cases like those of Autobahn's sections 1 to 7 and 10.
std::vector<example> examples() {
    const std::string euro = "\xe2\x82\xac";
    return {
        {"a text", whole_text("hello"), "text:hello "},
        {"an empty one", whole_text(""), "text: "},
        {"a binary message", framed(0x82, "\0\xff"sv), "binary:\0\xff "s},
        {"sizes of two bytes", whole_text(std::string(126, 'x')) + whole_text(std::string(65'535, 'y')),
         "text:126 bytes text:65535 bytes "},
        {"a size of eight", framed(0x82, std::string(65'536, 'x')), "binary:65536 bytes "},
        {"a ping", framed(0x89, "are you there"), "pong:are you there "},
        {"an empty ping", framed(0x89, ""), "pong: "},
        {"the longest ping", framed(0x89, std::string(125, 'p')), "pong:125 bytes "},
        {"an unsolicited pong", framed(0x8a, "yes") + whole_text("a"), "text:a "},
        {"fragments", framed(0x01, "he") + framed(0x00, "ll") + framed(0x80, "o"), "text:hello "},
        {"empty fragments", framed(0x01, "") + framed(0x00, "") + framed(0x80, ""), "text: "},
        {"a ping between fragments", framed(0x01, "he") + framed(0x89, "p") + framed(0x80, "llo"),
         "pong:p text:hello "},
        {"a character in two fragments", framed(0x01, euro.substr(0, 2)) + framed(0x80, euro.substr(2)),
         "text:" + euro + " "},
        {"several at once", whole_text("a") + framed(0x89, "") + whole_text("b") + framed(0x82, "c"),
         "text:a pong: text:b binary:c "},

        {"a close", closing(1000, "bye"), "close:1000: end"},
        {"a close without a code", closing(0), "close:1005: end"},
        {"a close of the application", closing(4321), "close:4321: end"},
        {"frames after a close", closing(1000) + whole_text("a") + framed(0x89, ""), "close:1000: end"},

        {"text in invalid UTF-8", whole_text("a\xff"), "close:1007:a text message is invalid UTF-8 end"},
        {"text cut in a character", whole_text(euro.substr(0, 2)), "close:1007:a text message is invalid UTF-8 end"},
        {"text in invalid UTF-8, before the message ends", framed(0x01, "a\xff"),
         "close:1007:a text message is invalid UTF-8 end"},
        {"fragments cut in a character", framed(0x01, "a") + framed(0x80, euro.substr(0, 1)),
         "close:1007:a text message is invalid UTF-8 end"},
        {"not masked", framed(0x81, "a", false), "close:1002:a frame from a client is not masked end"},
        {"reserved bits", framed(0xb1, "a"),
         "close:1002:a frame has a reserved bit set, but no extension defines it end"},
        {"compressed without negotiation", framed(0xc1, "a"),
         "close:1002:a frame has a reserved bit set, but no extension defines it end"},
        {"an unknown opcode", whole_text("a") + framed(0x83, "a"),
         "text:a close:1002:a frame has a reserved opcode end"},
        {"a fragmented ping", framed(0x09, "a"), "close:1002:a control frame is fragmented end"},
        {"a ping too long", framed(0x89, std::string(126, 'p')),
         "close:1002:a control frame has more than 125 bytes end"},
        {"a continuation of nothing", framed(0x80, "a"), "close:1002:a continuation frame without a message end"},
        {"a message within another", framed(0x01, "a") + whole_text("b"),
         "close:1002:a message begins before the end of the previous one end"},
        {"a close of one byte", framed(0x88, "a"),
         "close:1002:a Close frame has a payload of one byte: a close code has two bytes end"},
        {"a close with an invalid code", closing(1005), "close:1002:a Close frame has an invalid code end"},
        {"a close with a reason in invalid UTF-8", closing(1000, "\xff"),
         "close:1007:a text message is invalid UTF-8 end"},
    };
}

}  // namespace

TEST_CASE("client frames and their responses, however they are split") {
    end_seen seen;
    wire w(echoing(seen));
    for (const auto& e : examples()) {
        CAPTURE(e.what);
        CHECK(talk(w, e.bytes, e.bytes.size()) == e.said);
        if (e.bytes.size() > 300) continue;
        CHECK(talk(w, e.bytes, 1) == e.said);
        CHECK(talk(w, e.bytes, 3) == e.said);
    }
    w.hang_up();
    w.wait_for_close();
    CHECK(seen.begun == seen.ended);
}

TEST_CASE("a handler learns how its session ended") {
    end_seen seen;
    wire w(echoing(seen));
    CHECK(talk(w, closing(4000, "had enough"), 100) == "close:4000: end");
    CHECK(seen.code == 4000);
    CHECK(seen.reason == "had enough");
    talk(w, whole_text("\xff"), 100);
    CHECK(seen.code == 1007);
    talk(w, closing(0), 100);
    CHECK(seen.code == 1005);
    talk(w, "", 1);
    w.half_close();
    w.rest();
    CHECK(seen.code == 1006);
}

TEST_CASE("limits of a message, a frame and fragments") {
    end_seen seen;
    wire w(echoing(seen, {.message = 10, .frame = 8, .fragments = 3}));
    CHECK(talk(w, framed(0x01, "12345678") + framed(0x80, "90"), 100) == "text:1234567890 ");
    CHECK(talk(w, whole_text("123456789"), 100) == "close:1009:a frame exceeds the limit of this route end");
    CHECK(talk(w, whole_text("123456789").substr(0, 6), 100) ==
          "close:1009:a frame exceeds the limit of this route end");
    CHECK(talk(w, framed(0x01, "12345678") + framed(0x80, "901"), 100) ==
          "close:1009:a message exceeds the limit of this route end");
    CHECK(talk(w, framed(0x01, "1") + framed(0x00, "2") + framed(0x80, "3"), 100) == "text:123 ");
    CHECK(talk(w, framed(0x01, "1") + framed(0x00, "2") + framed(0x00, "3") + framed(0x80, "4"), 100) ==
          "close:1008:a message has more fragments than this route allows end");
    CHECK(talk(w, "\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\1\2\3\4", 100) ==
          "close:1009:a frame exceeds the limit of this route end");
}

TEST_CASE("opening handshakes") {
    end_seen seen;
    wire w(echoing(seen, {.subprotocols = {"chat.v2", "chat.v1"}, .origins = {"https://friend.example"}}));
    const auto asked = [&w](std::string_view request) {
        w.connect();
        w.send(request);
        return w.until("\r\n\r\n");
    };
    const auto status = [&](std::string_view lines) { return test::statuses(asked(opening_request("/ws", lines))); };
    const std::string head = asked(opening_request("/ws"));
    CHECK(head.starts_with("HTTP/1.1 101 "));
    CHECK(head.contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
    CHECK_FALSE(head.contains("sec-websocket-protocol"));
    CHECK(
        asked(opening_request("/ws", "Sec-WebSocket-Protocol: chat.v3, chat.v1\r\nSec-WebSocket-Protocol: chat.v2\r\n"))
            .contains("sec-websocket-protocol: chat.v1\r\n"));
    CHECK_FALSE(asked(opening_request("/ws", "Sec-WebSocket-Protocol: other\r\n")).contains("sec-websocket-protocol"));

    CHECK(status("Origin: http://a.example\r\n") == "101");
    CHECK(status("Origin: https://friend.example\r\n") == "101");
    CHECK(status("Origin: https://b.example\r\n") == "403");
    CHECK(status("Origin: null\r\n") == "403");
    CHECK(status("Origin: http://a.example\r\nOrigin: https://b.example\r\n") == "403");

    const auto without = [](std::string_view line) {
        std::string request = opening_request("/ws");
        const auto at = request.find(line);
        return request.erase(at, request.find("\r\n", at) + 2 - at);
    };
    CHECK(asked(without("Upgrade: websocket")).starts_with("HTTP/1.1 426 "));
    CHECK(asked(without("Connection:")).starts_with("HTTP/1.1 426 "));
    CHECK(asked(without("Sec-WebSocket-Key")).starts_with("HTTP/1.1 400 "));
    const std::string old = asked(without("Sec-WebSocket-Version"));
    CHECK(old.starts_with("HTTP/1.1 426 "));
    CHECK(old.contains("sec-websocket-version: 13\r\n"));
    CHECK(old.contains("upgrade: websocket\r\n"));
    CHECK(status("Sec-WebSocket-Version: 8\r\n") == "426");
    CHECK(status("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n") == "400");
    CHECK_THROWS_AS(echoing(seen, {.subprotocols = {"a b"}}), std::invalid_argument);
    CHECK_THROWS_AS(echoing(seen, {.origins = {"https://a.example/"}}), std::invalid_argument);
}

TEST_CASE("a handler that returns closes with 1000, one that fails with 1011; parameters work as usual") {
    app a;
    a.use([](request& req) -> result<void> {
        if (req.header("x-token").empty()) return fail(401, "who are you?");
        return {};
    });
    a.websocket("/{name}/{times}", [](request& in, std::string_view name, websocket peer, int times) -> task<> {
        for (int i = 0; i < times; ++i) co_await peer.send(name);
        if (times > 2) throw std::runtime_error("a secret");
        if (!in.header("x-fail").empty()) co_await fail(409, "not now");
    });
    a.get("/{wrong}", [](websocket, std::string_view) { return "never"; });
    wire w(std::move(a));
    const auto said = [&w](std::string_view path, std::string_view lines) {
        w.connect();
        w.send(opening_request(path, lines));
        std::string came = w.until("\r\n\r\n");
        if (!came.starts_with("HTTP/1.1 101")) return came.substr(0, 12);
        came.erase(0, came.find("\r\n\r\n") + 4);
        w.send(closing(1000));
        came += w.rest();
        return test::take_frames(came);
    };
    CHECK(said("/ann/2", "X-Token: 1\r\n") == "text:ann text:ann close:1000: ");
    CHECK(said("/bob/0", "X-Token: 1\r\nX-Fail: 1\r\n") == "close:1011:not now ");
    CHECK(said("/eve/3", "X-Token: 1\r\n") == "text:eve text:eve text:eve close:1011:internal error ");
    CHECK(said("/ann/2", "") == "HTTP/1.1 401");
    CHECK(said("/ann/many", "X-Token: 1\r\n") == "HTTP/1.1 400");
    CHECK(said("/ann", "X-Token: 1\r\n") == "HTTP/1.1 500");
}

namespace {

/// Advances the loop's clock, and returns the app's output.
std::string later(wire& w, std::int64_t milliseconds) {
    std::string came;
    for (std::int64_t left = milliseconds; left > 0; left -= 500) {
        w.loop().io().clock().move(std::min<std::int64_t>(left, 500));
        w.turn(3);
        came += w.take();
    }
    return test::take_frames(came) + (w.was_reset ? "reset" : w.ended ? "end" : "");
}

}  // namespace

TEST_CASE("a silent client is pinged, and disconnected without a pong") {
    end_seen seen;
    wire w(echoing(seen, {.ping = seconds(10), .pong = seconds(5)}));
    talk(w, "", 1);
    CHECK(later(w, 9'000) == "");
    CHECK(later(w, 2'000) == "ping: ");
    w.send(framed(0x8a, ""));
    w.turn(3);
    CHECK(later(w, 9'000) == "");
    CHECK(later(w, 2'000) == "ping: ");
    CHECK(later(w, 6'000) == "end");
    CHECK(seen.code == 1006);
    CHECK(seen.ended == 1);
}

TEST_CASE("a session without messages ends if enabled") {
    end_seen seen;
    wire w(echoing(seen, {.ping = seconds(1), .idle = seconds(10), .close = seconds(3)}));
    talk(w, whole_text("a"), 100);
    std::string said;
    for (int i = 0; i < 24 && !w.ended; ++i) {
        said += later(w, 500);
        w.send(framed(0x8a, ""));
        w.turn(3);
    }
    CHECK(said.contains("close:1001:no message for too long"));
    said = later(w, 4'000);
    CHECK(said == "end");  // the close timeout has passed
    CHECK(seen.ended == 1);
}

TEST_CASE("a handler that continues after the end of its session is cancelled") {
    end_seen seen;
    app a;
    a.websocket("/ws",
                [&seen](websocket peer) -> task<> {
                    counted here(seen);
                    co_await apus::sleep_for(seconds(1'000));
                    co_await peer.send("never");
                },
                {.close = seconds(3)});
    wire w(std::move(a));
    // The session answers while the handler is not receiving.
    CHECK(talk(w, framed(0x89, "p") + closing(1000), 100) == "pong:p close:1000: ");
    CHECK(later(w, 2'000) == "");
    CHECK(later(w, 2'000) == "end");
    CHECK(seen.ended == 1);
}

TEST_CASE("a message that is not received yet waits, and so does all input behind it") {
    end_seen seen;
    app a;
    a.websocket("/ws", [](websocket peer) -> task<> {
        auto first = co_await peer.receive();
        co_await apus::sleep_for(seconds(1));
        co_await peer.send(*first);  // the first message is still valid
        while (auto message = co_await peer.receive()) co_await peer.send(*message);
    });
    wire w(std::move(a));
    for (const std::size_t step : {std::size_t(1), std::size_t(7), std::size_t(1'000)}) {
        CHECK(talk(w,
                   whole_text("first") + framed(0x89, "p") + whole_text("second") + framed(0x01, "thi") +
                       framed(0x80, "rd"),
                   step) == (step == 1'000 ? ""s : "pong:p "s));
        CHECK(later(w, 2'000) ==
              (step == 1'000 ? "text:first pong:p text:second text:third "s : "text:first text:second text:third "s));
    }
}

TEST_CASE("shutdown closes sessions with 1001") {
    end_seen seen;
    wire w(echoing(seen));
    talk(w, whole_text("a"), 100);
    w.core().drain();
    std::string came = w.until("stops");
    CHECK(test::take_frames(came) == "close:1001:the server stops ");
    w.send(whole_text("late") + closing(1001));
    w.rest();
    w.turn(5);
    CHECK(seen.ended == 1);
    CHECK(seen.code == 1001);
}

TEST_CASE("send waits for a slow client, and a stale handle does nothing") {
    static websocket kept;
    int sent = 0;
    app a;
    a.websocket("/ws", [&sent](websocket peer) -> task<> {
        const std::string much(10'000, 'm');
        for (int i = 0; i < 1'000; ++i) {
            co_await peer.send(much);
            ++sent;
        }
        kept = std::move(peer);
    });
    wire w(std::move(a));
    w.send(opening_request("/ws"));
    w.turn(20);
    CHECK(sent > 5);
    CHECK(sent < 200);
    std::string came;
    w.turn_until([&] { return came += w.take(1 << 20), sent == 1'000; });
    w.send(closing(1000));
    came += w.rest();
    w.hang_up();
    w.wait_for_close();
    CHECK_FALSE(kept.is_open());
    CHECK(websocket_receive(nullptr).await_ready());
    kept.close();
}
