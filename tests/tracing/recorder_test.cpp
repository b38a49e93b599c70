// SPDX-License-Identifier: Apache-2.0
#include "tracing/recorder.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace {

using apus::tracing::recorder;

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

TEST_CASE("recorder: each trace is sampled independently of the others") {
    recorder by({.sample = 0.25});
    constexpr unsigned all = 200'000;
    unsigned pairs = 0, sampled = 0;
    bool before = false;
    for (unsigned i = 0; i < all; ++i) {
        const bool now = by.samples();
        sampled += now;
        pairs += before && now;
        before = now;
    }
    CHECK(sampled >= all / 4 * 0.95);
    CHECK(sampled <= all / 4 * 1.05);
    CHECK(pairs >= all / 16 * 0.9);
    CHECK(pairs <= all / 16 * 1.1);
    recorder rarely({.sample = 1e-300});
    unsigned rare = 0;
    for (unsigned i = 0; i < all; ++i) rare += rarely.samples();
    CHECK(rare == 0);
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
