// SPDX-License-Identifier: Apache-2.0
#include "http/h2/frames.hpp"
#include "ws/frames.hpp"

#include <apus/sleep.hpp>
#include <apus/websocket.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

// Messages that begin and then stall, over both protocols. The test advances the clock.

using namespace apus;
using namespace std::string_literals;
using test::framed;
namespace h2 = apus::test::h2;

namespace {

app make_app(const websocket_options& how) {
    app a;
    a.websocket(
        "/ws",
        [](websocket peer) -> task<> {
            while (auto message = co_await peer.receive()) {
                if (message->bytes == "busy") co_await apus::sleep_for(seconds(60));
                co_await peer.send("got " + std::to_string(message->bytes.size()));
            }
        },
        how);
    return a;
}

/// A WebSocket of a client over either protocol.
class session {
public:
    session(bool newer, const websocket_options& how, bool compressed) : newer_(newer), client_(make_app(how)) {
        const char* offer = "permessage-deflate";
        if (!newer) {
            send(test::opening_request("/ws", compressed ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : ""));
            client_.line().until("\r\n\r\n");
            return;
        }
        client_.greet();
        client_.send(h2::frame(NGHTTP2_SETTINGS, h2::ack, 0));  // from now on the server's windows apply
        const std::string fields = h2::literals({{":method", "CONNECT"},
                                                 {":protocol", "websocket"},
                                                 {":scheme", "http"},
                                                 {":path", "/ws"},
                                                 {":authority", "a.example"},
                                                 {"sec-websocket-version", "13"}});
        client_.send(h2::frame(NGHTTP2_HEADERS, h2::end_headers, 1,
                               fields + (compressed ? h2::literals({{"sec-websocket-extensions", offer}}) : "")));
        client_.until([this] { return !client_.streams[1].heads.empty(); });
    }
    void send(std::string_view bytes) {
        if (!newer_) return void(client_.line().try_send(bytes));
        if (client_.streams[1].over()) return;
        for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(bytes.size(), 16'000)))
            client_.send(h2::data(1, bytes.substr(0, 16'000)));
    }
    void pass(std::int64_t milliseconds) {
        if (newer_) client_.pass(milliseconds), came_ = client_.streams[1].body;
        else client_.line().pass(milliseconds), came_ += client_.line().take();
    }
    std::string said() const {
        std::string came = came_;
        return test::take_frames(came);
    }

private:
    bool newer_;
    h2::client client_;
    std::string came_;
};

struct example {
    const char* what;
    std::string first;
    std::string each;  // bytes sent once per second, after `first`
    int seconds;       // expected duration
    std::string said;
    bool compressed = false;
};

constexpr const char* cut_off = "close:1008:the message arrives too slowly ";

std::vector<example> examples() {
    const std::string whole = framed(0x82, std::string(100'000, 'm'));
    std::vector<example> all = {
        {"a byte now and then", whole.substr(0, 50'000), "x", 30, cut_off},
        {"fragments without bytes", framed(0x02, "begin"), framed(0x00, ""), 30, cut_off},
        {"pings between its frames", framed(0x02, "begin"), framed(0x89, "p"), 30,
         "pong:p pong:p pong:p pong:p pong:p "s + cut_off},
        {"blocks that come to nothing", framed(0x42, "\xf2\x48\xcd"), framed(0x00, std::string("\0\0\0\xff\xff", 5)),
         30, cut_off, true},
        {"one that is fast enough", framed(0x02, "begin"), framed(0x00, std::string(300, 'm')), 30, ""},
        {"nothing, between messages", framed(0x82, "m"), "", 25, "got 1 "},
        {"nothing, while the handler does not receive", framed(0x81, "busy") + whole.substr(0, 500), "", 20, ""},
        {"an empty message a second", framed(0x82, "m"), framed(0x82, ""), 3, "got 1 got 0 got 0 got 0 "},
    };
    for (const std::size_t cut : {1U, 2U, 5U, 9U, 13U, 14U, 15U, 60'000U, 100'013U})
        all.push_back({"silence", whole.substr(0, cut), "", 13, cut_off});
    for (const std::size_t cut : {1U, 5U, 7U})
        all.push_back({"silence in a ping", framed(0x89, "ping").substr(0, cut), "", 13, cut_off});
    return all;
}

// Removes "text:" from `said`, since the expected results omit the types of frames.
std::string without_kinds(std::string said) {
    for (std::size_t at; (at = said.find("text:")) != said.npos;) said.erase(at, 5);
    return said;
}

}  // namespace

TEST_CASE("a message must arrive at a minimum rate, over either protocol") {
    for (const bool newer : {false, true}) {
        for (const auto& one : examples()) {
            CAPTURE(newer);
            CAPTURE(std::string(one.what));
            CAPTURE(one.first.size());
            session s(newer, {.compress = one.compressed, .ping = {}}, one.compressed);
            s.send(one.first);
            for (int i = 0; i < one.seconds; ++i) s.send(one.each), s.pass(1000);
            CHECK(without_kinds(s.said()) == one.said);
        }
    }
}

TEST_CASE("a rate of 0 disables the check") {
    session patient(false, {.message_rate = 0, .ping = {}}, false);
    patient.send(framed(0x02, "be"));
    patient.pass(100'000);
    patient.send(framed(0x80, "gin"));
    patient.pass(10);
    CHECK(patient.said() == "text:got 5 ");
}

TEST_CASE("a compressed message is limited in its wire size too") {
    session s(false, {.message = 1000, .compress = true}, true);
    s.send(framed(0x42, "\xf2\x48\xcd"));
    std::string nothing;
    for (int i = 0; i < 100; ++i) nothing += std::string("\0\0\0\xff\xff", 5);
    for (int i = 0; i < 10; ++i) s.send(framed(0x00, nothing)), s.pass(10);
    CHECK(s.said() == "close:1009:a message exceeds the limit of this route ");
}

TEST_CASE("a rate is measured over a window") {
    CHECK_THROWS_AS(make_app({.rate_window = {}}), std::invalid_argument);
    CHECK_THROWS_AS(make_app({.rate_window = seconds(-1)}), std::invalid_argument);
}
