// SPDX-License-Identifier: Apache-2.0
#include "tracing/recorder.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace {

using apus::tracing::recorder;

struct counting_listener final : apus::tracing::queue_listener {
    void span_queued() noexcept override { ++count; }
    unsigned count = 0;
};

}  // namespace

TEST_CASE("recorder: the share of sampled traces is the configured one") {
    for (const double share : {0.0, 0.01, 0.5, 1.0}) {
        recorder by({.sample = share});
        unsigned sampled = 0;
        constexpr unsigned all = 200'000;
        for (unsigned i = 0; i < all; ++i) sampled += by.samples();
        CAPTURE(share);
        CHECK(sampled >= share * all * 0.9);
        CHECK(sampled <= share * all * 1.1);
    }
}

TEST_CASE("recorder: ids differ, and are never zero") {
    recorder first({}), second({});
    std::set<std::string> ids;
    constexpr std::size_t count = 10'000;
    for (std::size_t i = 0; i < count; ++i)
        for (recorder* by : {&first, &second}) {
            const auto trace = by->new_trace_id();
            const auto span = by->new_span_id();
            ids.emplace(trace.begin(), trace.end());
            ids.emplace(span.begin(), span.end());
        }
    CHECK(ids.size() == 4 * count);
    CHECK(!ids.contains(std::string(16, '\0')));
    CHECK(!ids.contains(std::string(8, '\0')));
}

TEST_CASE("recorder: the queue is limited by bytes, and dropped spans are counted") {
    recorder by({.queue = 10'000});
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

TEST_CASE("recorder: the newest of a thread is its recorder") {
    CHECK(!recorder::here());
    {
        recorder one({});
        CHECK(recorder::here() == &one);
        recorder two({});
        CHECK(recorder::here() == &two);
    }
    CHECK(!recorder::here());
}
