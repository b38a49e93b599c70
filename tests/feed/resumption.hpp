// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "feed/readers.hpp"
#include "runtime/core_user.hpp"

#include <apus/feed.hpp>

#include <string>
#include <utility>
#include <vector>

namespace apus::test {

/// A feed as one process has it.
template <class Broker, class Options>
struct feed_node {
    template <class Client>
    explicit feed_node(const Client& db, const feed_options& o = {}, Options b = {})
        : broker(db, std::move(b)), news(o, broker), run(news.run()) {}

    Broker broker;
    feed news;
    running_task<void> run;
};

/// Returns what `reading::seen` has for the events `from` to `to - 1`.
inline std::string numbers(int from, int to) {
    std::string made;
    for (int i = from; i < to; ++i) made += " " + std::to_string(i);
    return made;
}

/// Checks that readers of the feed `other` continue in the room `a`, whose events 0, 1, ... have these ids.
inline void check_resumption(core_user& u, const feed& one, const feed& other, const std::vector<std::string>& ids) {
    const int events = static_cast<int>(ids.size());
    reading all(other, "a", std::string(feed::from_start)), after_10(other, "a", ids[10]), none(other, "a", ids.back()),
        new_only(other, "a"), unknown(other, "a", "5-5"), future(other, "a", "99999999999999-0"),
        largest(other, "a", "18446744073709551615-18446744073709551615");
    REQUIRE(u.turn_until([&] { return none.begun && new_only.begun; }));
    CHECK(u.turn_until([&] { return all.seen == numbers(0, events); }));
    CHECK(u.turn_until([&] { return after_10.seen == numbers(11, events); }));
    for (const reading* each : {&unknown, &future, &largest})
        CHECK(u.turn_until([&] { return each->seen == "|" + numbers(0, events); }));
    u.value(one.publish("a", "new"));
    for (const reading* each : {&all, &after_10, &none, &new_only, &unknown, &future, &largest})
        CHECK(u.turn_until([&] { return each->seen.ends_with(" new"); }));
    CHECK(none.seen == " new");
    CHECK(new_only.seen == " new");
}

}  // namespace apus::test
