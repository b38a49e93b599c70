// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <doctest/doctest.h>

#include <apus/test.hpp>
#include <optional>
#include <string>

namespace {

std::string data_of(const std::optional<apus::test::event>& from) { return from ? from->data : "no event"; }

}  // namespace

TEST_CASE("the page is there") {
    apus::hub rooms;
    apus::test::client client(make_app(rooms));
    CHECK(client.get("/").expect(200).body.contains("page.js"));
}

TEST_CASE("members of a room get the messages of the others") {
    apus::hub rooms;
    apus::test::client client(make_app(rooms));
    auto ann = client.connect("/rooms/lobby");
    auto bob = client.connect("/rooms/lobby");
    auto eve = client.connect("/rooms/cellar");
    ann.send("hello");
    CHECK(bob.receive() == "hello");
    CHECK_FALSE(eve.has_message());
}

TEST_CASE("ticks come each second") {
    apus::hub rooms;
    apus::test::client client(make_app(rooms));
    auto ticks = client.open("GET", "/ticks");
    CHECK(data_of(ticks.next_event()) == "1");
    client.advance(apus::seconds(1));
    CHECK(data_of(ticks.next_event()) == "2");
}
