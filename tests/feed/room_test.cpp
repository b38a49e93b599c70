// SPDX-License-Identifier: Apache-2.0
#include "feed/room.hpp"

#include "runtime/core_of_test.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using feeds::event_id;
using feeds::room;

namespace {

constexpr feed_options limits{.room_events = 3};

std::string rest(const room& of, room::position& at) {
    std::string seen;
    while (auto* const found = of.take(at)) {
        seen += found->value.gap ? "|" : found->value.data;
        found->let_go();
    }
    return at.behind ? seen + "behind" : seen;
}

void add(room& to, const char* data, event_id id) { to.add({{}, {}, data}, id, limits); }

}  // namespace

TEST_CASE("room: a position moves over the events that its reader does not have") {
    const test::core c;
    room of("a");
    CHECK_FALSE(of.last_id());
    CHECK_FALSE(of.after({1, 0}));
    of.begin_after({1, 0});
    of.begin_after({9, 0});  // the position is known
    auto at = of.at_end();
    add(of, "a", {1, 1});
    add(of, "b", {1, 2});
    add(of, "b", {1, 2});
    add(of, "a", {1, 1});
    add(of, "x", {});
    CHECK(rest(of, at) == "abx");
    auto after = *of.after({1, 1});
    CHECK(rest(of, after) == "bx");
    CHECK(of.last_id() == event_id{1, 2});
    CHECK_FALSE(of.after({0, 9}));
    CHECK_FALSE(of.after({1, 3}));
    add(of, "c", {2, 0});
    add(of, "d", {3, 0});
    CHECK(rest(of, at) == "cd");
    CHECK_FALSE(of.after({1, 1}));  // event 1-2 was removed
    CHECK(of.after({1, 2}));
    auto old = after;
    old.next = 0;
    CHECK(rest(of, old) == "behind");
    CHECK(of.clear() > 0);
    CHECK(of.clear() == 0);
    CHECK_FALSE(of.after({2, 0}));
    CHECK(of.after({3, 0}));
}

TEST_CASE("room: lost events, and events that readers already have") {
    const test::core c;
    room of("a");
    of.begin_after({});
    auto at = of.at_end();
    add(of, "a", {5, 1});
    add(of, "a", {5, 1});
    add(of, "b", {5, 2});
    CHECK(rest(of, at) == "ab");
    for (const auto& [id, has] : {std::pair{event_id{5, 1}, true}, {{5, 2}, true}, {{5, 0}, false}, {{5, 3}, false}})
        CHECK(of.has(id) == has);
    of.add_gap({2, 0}, limits);
    CHECK_FALSE(of.has({5, 2}));
    CHECK(of.last_id() == event_id{2, 0});
    add(of, "d", {2, 0});
    add(of, "e", {2, 1});
    CHECK(rest(of, at) == "|e");
    of.skip({3, 0});
    add(of, "f", {3, 0});
    add(of, "g", {3, 1});
    CHECK(rest(of, at) == "g");
    CHECK_FALSE(of.after({2, 1}));  // only the broker has event 3-0
}
