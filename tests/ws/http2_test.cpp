// SPDX-License-Identifier: Apache-2.0
#include "http/h2/frames.hpp"
#include "ws/frames.hpp"
#include "ws/session.hpp"

#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus;
namespace h2 = apus::test::h2;

namespace {

app echoing(int& ended) {
    app a;
    const websocket_options how{.subprotocols = {"chat"}, .compress = true};
    a.websocket(
        "/ws",
        [&ended](websocket peer) -> task<> {
            struct counted {
                int* n;
                ~counted() { ++*n; }
            } here{&ended};
            while (auto message = co_await peer.receive()) {
                // Frames that arrive during this time must not overwrite the message.
                if (message->bytes == "slowly") co_await apus::sleep_for(milliseconds(5));
                co_await peer.send(*message);
            }
        },
        how);
    return a;
}

std::string opened(std::uint32_t stream, h2::field_list more = {},
                   h2::field_list version = {{"sec-websocket-version", "13"}}) {
    const std::string first = h2::literals({{":method", "CONNECT"},
                                            {":protocol", "websocket"},
                                            {":scheme", "http"},
                                            {":path", "/ws"},
                                            {":authority", "a.example"}});
    return h2::frame(NGHTTP2_HEADERS, h2::end_headers, stream, first + h2::literals(version) + h2::literals(more));
}

}  // namespace

TEST_CASE("WebSockets over HTTP/2 streams (RFC 8441) behave as over HTTP/1.1") {
    int ended = 0;
    h2::client c(echoing(ended));
    c.greet();
    c.send(opened(1, {{"sec-websocket-protocol", "chat"},
                      {"sec-websocket-extensions", "permessage-deflate"},
                      {"origin", "http://a.example"}}) +
           opened(3) + opened(5, {{"origin", "https://b.example"}}) + opened(7, {}, {{"sec-websocket-version", "8"}}) +
           opened(9, {}, {}));
    c.until([&] {
        return c.streams[3].heads.contains("200") && c.streams[5].over() && c.streams[7].over() && c.streams[9].over();
    });
    CHECK(c.streams[1].heads.contains(":status: 200"));
    CHECK(c.streams[1].field("sec-websocket-protocol") == "chat");
    CHECK(c.streams[1].field("sec-websocket-extensions").starts_with("permessage-deflate"));
    CHECK(c.streams[1].field("sec-websocket-accept") == "");
    CHECK(c.streams[5].heads.contains(":status: 403"));
    for (const std::uint32_t other : {7U, 9U}) {
        CHECK(c.streams[other].heads.contains(":status: 426"));
        CHECK(c.streams[other].field("sec-websocket-version") == "13");
    }

    const std::string both = test::whole_text("slowly") + test::framed(0x89, "p");
    c.send(h2::data(1, both.substr(0, 3)) + h2::data(3, test::whole_text("three")) + h2::data(1, both.substr(3, 9)));
    c.turn();
    c.send(h2::data(1, both.substr(12) + test::whole_text("and more")));
    c.until([&] { return c.streams[1].body.contains("more") && c.streams[3].body.contains("three"); });
    CHECK(test::take_frames(c.streams[1].body) == "text:slowly pong:p text:and more ");

    c.send(h2::data(1, test::closing(4000)) + h2::data(3, test::framed(0x81, "a", false)));
    std::string said = c.of(1).body;
    CHECK(test::take_frames(said) == "close:4000: ");
    said = c.of(3).body;
    CHECK(test::take_frames(said) == "text:three close:1002:a frame from a client is not masked ");
    c.until([&] { return ended == 2; });
    CHECK(ended == 2);
}
