// SPDX-License-Identifier: Apache-2.0
#include "tracing/trace.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<std::int64_t> clock_change = 0;  // seconds

}  // namespace

// Replaces the function of the C library: the time of day can be changed only by root.
extern "C" int clock_gettime(clockid_t clock, timespec* to) noexcept {
    if (syscall(SYS_clock_gettime, clock, to) != 0) return -1;
    if (clock == CLOCK_REALTIME) to->tv_sec += clock_change;
    return 0;
}

namespace {

using namespace apus::tracing;
using apus::codec::trace_context::parent;
using apus::codec::trace_context::read_parent;
using nesting = open_span::nesting;

constexpr std::string_view sampled_caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
constexpr std::string_view unsampled_caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

struct decision_case {
    std::string_view caller;  // empty: the trace begins here
    bool sampled, late, keep;
    std::size_t exported;  // number of exported spans, of a root and its child
};
constexpr decision_case decisions[] = {
    {"", true, false, false, 2},
    {"", false, false, true, 0},
    {"", false, true, true, 2},
    {"", false, true, false, 0},
    {"", true, true, false, 2},
    {sampled_caller, false, false, false, 2},  // the caller decides
    {unsampled_caller, true, false, false, 0},
    {unsampled_caller, true, true, true, 2},
    {unsampled_caller, true, true, false, 0},
};

}  // namespace

TEST_CASE("trace: the decisions of caller, head and tail") {
    for (const auto& [caller, sampled, late, keep, exported] : decisions) {
        CAPTURE(caller);
        CAPTURE(sampled);
        CAPTURE(late);
        recorder by({.keep_errors = late});
        const auto incoming = read_parent(caller);
        auto* t = new trace(by, incoming ? &*incoming : nullptr, sampled);
        if (t->is_recorded()) {
            open_span& root = t->begin("GET /", span_kind::server);
            auto* child = new open_span(*t, "child", span_kind::internal, t->innermost());
            child->end();
            t->decide(keep);
            root.end();
        }
        CHECK(by.waiting() == exported);
        const auto passed_on = read_parent(t->parent_field(t->innermost()));
        REQUIRE(passed_on);
        CHECK(passed_on->sampled() == (incoming ? incoming->sampled() : sampled));
        if (incoming) CHECK(passed_on->trace == incoming->trace);
        t->release();
    }
}

TEST_CASE("trace: spans nest in the innermost open one, and may end in any order") {
    recorder by({});
    auto* t = new trace(by, nullptr, true);
    open_span& root = t->begin("root", span_kind::server);
    CHECK(t->innermost() == root.data.id);
    auto* a = new open_span(*t, "a", span_kind::internal, t->innermost());
    auto* b = new open_span(*t, "b", span_kind::internal, t->innermost());
    auto* leaf = new open_span(*t, "leaf", span_kind::client, t->innermost(), nesting::leaf);
    CHECK(a->data.parent == root.data.id);
    CHECK(b->data.parent == a->data.id);
    CHECK(leaf->data.parent == b->data.id);
    CHECK(t->innermost() == b->data.id);
    const auto id = b->data.id;
    a->end();
    CHECK(t->innermost() == id);
    leaf->end();
    b->end();
    CHECK(t->innermost() == root.data.id);
    root.end();
    t->release();
    CHECK(by.waiting() == 4);
}

TEST_CASE("trace: a span may outlive its request") {
    recorder by({});
    auto* t = new trace(by, nullptr, true);
    auto* later = new open_span(*t, "later", span_kind::internal, t->begin("root", span_kind::server).data.id);
    t->root()->end();
    t->release();
    CHECK(by.waiting() == 1);
    later->end();
    CHECK(by.waiting() == 2);
}

TEST_CASE("trace: an undecided trace holds a limited number of spans") {
    recorder by({.sample = 0, .keep_errors = true});
    auto* t = new trace(by, nullptr, false);
    open_span& root = t->begin("root", span_kind::server);
    for (unsigned i = 0; i < 200; ++i) (new open_span(*t, "child", span_kind::internal, t->innermost()))->end();
    t->decide(true);
    root.end();
    t->release();
    CHECK(by.waiting() == 129);
    CHECK(by.counts.dropped == 72);
}

TEST_CASE("trace: the spans of all undecided traces are limited together") {
    constexpr std::size_t limit = 100'000;
    recorder by({.sample = 0, .keep_errors = true, .queue = limit});
    std::vector<trace*> all;
    const auto held = [&] {
        std::size_t spans = 0;
        for (int traces = 0; traces < 100; ++traces) {
            auto* const t = all.emplace_back(new trace(by, nullptr, false));
            t->begin("root", span_kind::server);
            for (int i = 0; i < 100; ++i, ++spans)
                (new open_span(*t, std::string(100, 'x'), span_kind::internal, t->innermost()))->end();
        }
        return spans;
    }();
    const std::uint64_t dropped = by.counts.dropped;
    CHECK(dropped > held / 2);
    CHECK(dropped < held);
    // The other half of the queue is free for traces that are sampled.
    for (auto* const t : {new trace(by, nullptr, true)}) {
        t->begin("kept", span_kind::server).end();
        t->release();
    }
    CHECK(by.waiting() == 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 2) all[i]->end_root(false);
        else all[i]->root()->end();
        all[i]->release();
    }
    CHECK(by.waiting() == 1);
    const std::uint64_t before = by.counts.dropped;
    auto* const later = new trace(by, nullptr, false);
    auto& root = later->begin("root", span_kind::server);
    (new open_span(*later, "child", span_kind::internal, root.data.id))->end();
    later->end_root(true);
    later->release();
    CHECK(by.waiting() == 3);
    CHECK(by.counts.dropped == before);
}

TEST_CASE("trace: a change of the time of day changes no duration") {
    constexpr std::uint64_t hour = 3'600'000'000'000;
    for (const std::int64_t change : {-7200, 7200}) {
        CAPTURE(change);
        recorder by({.sample = 0, .keep_slower = hour});
        auto* const t = new trace(by, nullptr, false);
        auto& root = t->begin("root", span_kind::server);
        auto& child = *new open_span(*t, "child", span_kind::internal, root.data.id);
        const std::uint64_t began = root.data.start;
        clock_change = change;
        CHECK(t->clock.now() >= began);
        CHECK(t->clock.now() < began + hour);
        child.end();
        t->end_root(false);
        t->release();
        CHECK(by.waiting() == 0);  // not slower than an hour
        clock_change = 0;
    }
}
