// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"

#include <apus/sleep.hpp>
#include <apus/task.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus::runtime;
using apus::test::running_task;

TEST_CASE("yielding work continues in the next turn, one step each") {
    std::string why;
    loop l(make_backend("", why));
    std::string seen;
    auto work = [](std::string& to, char name) -> apus::task<> {
        for (int i = 0; i < 3; ++i) {
            to += name;
            co_await apus::yield();
        }
    };
    running_task a(work(seen, 'a')), b(work(seen, 'b'));
    CHECK(seen == "ab");
    l.turn(1000);
    CHECK(seen == "abab");
    l.turn(1000);
    l.turn(1000);
    CHECK(seen == "ababab");
    CHECK(a.ended());
    CHECK(b.ended());
}

TEST_CASE("work cancelled while yielding does not continue") {
    std::string why;
    loop l(make_backend("", why));
    std::string seen;
    auto work = [](std::string& to) -> apus::task<> {
        to += "begun ";
        co_await apus::yield();
        to += "gone on";
    };
    { running_task cancelled(work(seen)); }
    l.turn(1000);
    CHECK(seen == "begun ");
}
