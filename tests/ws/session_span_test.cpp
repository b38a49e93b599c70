// SPDX-License-Identifier: Apache-2.0
#include "ws/session_span.hpp"

#include "support/decoded_spans.hpp"

#include <apus/app.hpp>
#include <apus/span.hpp>
#include <apus/test.hpp>
#include <apus/websocket.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>

namespace apus::ws {
namespace {

using apus::test::decoded_span;
using apus::tracing::recorder;

apus::app echo_app() {
    apus::app app;
    app.websocket("/echo", [](apus::websocket peer) -> apus::task<> {
        while (auto message = co_await peer.receive()) {
            auto span = apus::span("echo");
            if (message->bytes == "fail") co_await apus::fail(500, "broken");
            co_await peer.send(*message);
        }
    });
    return app;
}

std::map<std::string, decoded_span> by_name(recorder& of) {
    std::map<std::string, decoded_span> made;
    for (auto& one : apus::test::ended_spans(of)) made[one.name] = one;
    return made;
}

struct end_case {
    unsigned code;
    bool failed;
};
constexpr end_case ends[] = {{1000, false}, {1001, false}, {1002, true}, {1005, false}, {1006, true}, {1009, true},
                             {1011, true},  {1012, false}, {1013, true}, {3000, false}, {4999, false}};

}  // namespace

TEST_CASE("websocket spans: a session has a span with its traffic, and the program's spans are its children") {
    recorder by({});
    {
        apus::test::client client(echo_app());
        auto peer = client.connect("/echo");
        for (const char* text : {"hello", "you"}) {
            peer.send(text);
            CHECK(peer.receive().value() == text);
        }
        peer.close(4000, "done");
        CHECK(peer.close_code() == 4000);
    }
    auto spans = by_name(by);
    REQUIRE(spans.contains("websocket"));
    auto& session = spans["websocket"];
    CHECK(session.parent == spans["GET /echo"].id);
    CHECK(spans["echo"].parent == session.id);
    CHECK(session.attributes["apus.websocket.messages_received"] == "2");
    CHECK(session.attributes["apus.websocket.bytes_received"] == "8");
    CHECK(session.attributes["apus.websocket.messages_sent"] == "2");
    CHECK(session.attributes["apus.websocket.bytes_sent"] == "8");
    CHECK(session.attributes["apus.websocket.close_code"] == "4000");
    CHECK(!session.failed);
}

TEST_CASE("websocket spans: a session that ends without a Close frame, or whose handler fails, has failed") {
    recorder by({});
    {
        apus::test::client client(echo_app());
        { const auto peer = client.connect("/echo"); }
        client.advance(apus::milliseconds(10));
    }
    CHECK(by_name(by)["websocket"].attributes["error.type"] == "1006");
    {
        apus::test::client client(echo_app());
        auto peer = client.connect("/echo");
        peer.send("fail");
        CHECK(peer.close_code() == 1011);
    }
    auto spans = by_name(by);
    CHECK(spans["websocket"].failed);
    CHECK(spans["websocket"].attributes["error.type"] == "1011");
}

TEST_CASE("websocket spans: close codes that report failures") {
    recorder by({});
    for (const auto& [code, failed] : ends) {
        CAPTURE(code);
        auto* const in = new apus::tracing::trace(by, nullptr, true);
        session_span::begin(in, apus::tracing::open_span::nesting::leaf)->end(code, "chat");
        in->release();
        const auto spans = apus::test::ended_spans(by);
        REQUIRE(spans.size() == 1);
        CHECK(spans[0].failed == failed);
        CHECK(spans[0].attributes.at("apus.websocket.subprotocol") == "chat");
    }
    CHECK(!session_span::begin(nullptr, apus::tracing::open_span::nesting::leaf));
}

}  // namespace apus::ws
