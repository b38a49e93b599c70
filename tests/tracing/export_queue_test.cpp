// SPDX-License-Identifier: Apache-2.0
#include "tracing/export_queue.hpp"

#include "tracing/recorder.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

struct counting_listener final : apus::tracing::queue_listener {
    void item_queued() noexcept override { ++count; }
    unsigned count = 0;
};

}  // namespace

TEST_CASE("export queue: it is limited by bytes, and dropped spans are counted") {
    apus::tracing::recorder by({.queue = 10'000});
    counting_listener listener;
    by.listener = &listener;
    for (unsigned i = 0; i < 100; ++i) by.push(std::string(952, 'x'));
    CHECK(by.waiting() == 10);
    CHECK(by.counts.dropped == 90);
    CHECK(listener.count == 10);
    CHECK(by.take(3, 1'000'000).size() == 3);
    CHECK(by.take(100, 1'000).size() == 2);  // up to and including the span that exceeds the number of bytes
    CHECK(by.take(100, 1'000'000).size() == 5);
    CHECK(by.take(100, 1'000'000).empty());
    by.push("x");
    CHECK(by.waiting() == 1);
}

TEST_CASE("export queue: items that are left at the end count as failed") {
    apus::tracing::recorder by({.queue = 10'000});
    counting_listener listener;
    by.listener = &listener;
    for (unsigned i = 0; i < 3; ++i) by.push("x");
    (void)by.take(1, 1'000'000);
    by.close();
    CHECK(by.waiting() == 0);
    CHECK(by.counts.failed == 2);
    by.push("x");
    by.close();
    CHECK(by.waiting() == 0);
    CHECK(by.counts.failed == 3);
    CHECK(listener.count == 3);
}
