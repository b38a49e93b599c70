// SPDX-License-Identifier: Apache-2.0
#include "runtime/gate.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>

using apus::runtime::gate;

namespace {

gate::listener count_into(int& calls) {
    return {[](void* with) noexcept { ++*static_cast<int*>(with); }, &calls};
}

}  // namespace

TEST_CASE("closing an unused gate notifies at once, and refuses new work") {
    gate g;
    int told = 0;
    g.close(count_into(told));
    CHECK(told == 1);
    CHECK_FALSE(g.enter());
    CHECK(g.inside() == 0);
}

TEST_CASE("a closed gate notifies once, when the last pass ends") {
    gate g;
    int told = 0;
    std::optional<gate::pass> first(g.enter());
    std::optional<gate::pass> second(g.enter());
    CHECK(*first);
    CHECK(g.inside() == 2);
    g.close(count_into(told));
    CHECK_FALSE(g.enter());
    first.reset();
    CHECK(told == 0);
    second.reset();
    CHECK(told == 1);
}

TEST_CASE("an open gate without work does not notify until it is closed") {
    gate g;
    int told = 0;
    { auto p = g.enter(); }
    CHECK(told == 0);
    g.close(count_into(told));
    CHECK(told == 1);
}

TEST_CASE("a pass that is moved counts once") {
    gate g;
    gate::pass kept;
    {
        auto p = g.enter();
        kept = std::move(p);
    }
    CHECK(g.inside() == 1);
    { gate::pass gone = std::move(kept); }
    CHECK(g.inside() == 0);
    CHECK_FALSE(kept);
}

TEST_CASE("the listener may destroy the gate") {
    auto g = std::make_unique<gate>();
    auto p = std::optional<gate::pass>(g->enter());
    g->close({[](void* with) noexcept { static_cast<std::unique_ptr<gate>*>(with)->reset(); }, &g});
    CHECK(g);
    p.reset();
    CHECK_FALSE(g);
}
