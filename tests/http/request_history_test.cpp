// SPDX-License-Identifier: Apache-2.0
#include "http/request_history.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

using apus::http::ended_request;
using apus::http::request_history;
using list = request_history::list;

constexpr std::uint64_t ms = 1'000'000;

// Offers a request to the list. Returns whether it is kept.
bool offer(request_history& to, list in, std::uint64_t took, std::uint64_t now,
           const apus::tracing::ended_spans* spans = nullptr) {
    const unsigned place = to.place(in, took, now);
    if (place == request_history::none) return false;
    ended_request made;
    made.took = took;
    made.start = now;
    to.put(in, place, now, made, spans);
    return true;
}

std::vector<std::uint64_t> durations(const request_history& of, list in) {
    std::vector<std::uint64_t> found;
    of.read(in, [&](const ended_request& r, const auto*) { found.push_back(r.took / ms); });
    std::ranges::sort(found, std::greater());
    return found;
}

}  // namespace

TEST_CASE("the slowest requests of the window are kept") {
    request_history kept;
    CHECK(durations(kept, list::slowest).empty());
    for (std::uint64_t took = 1; took <= 20; ++took) offer(kept, list::slowest, took * ms, 100 + took);
    CHECK(durations(kept, list::slowest) == std::vector<std::uint64_t>{20, 19, 18, 17, 16, 15, 14, 13});
    CHECK(!offer(kept, list::slowest, 13 * ms, 200));
    CHECK(!offer(kept, list::slowest, 5 * ms, 201));
    CHECK(offer(kept, list::slowest, 30 * ms, 202));
    // After the window, a fast request replaces an old slow one.
    const std::uint64_t later = 121 + request_history::window;
    CHECK(offer(kept, list::slowest, 2 * ms, later));
    CHECK(durations(kept, list::slowest).back() == 2);
}

TEST_CASE("a flood of failures replaces a list at most once per second") {
    for (const list in : {list::failed, list::rejected}) {
        request_history kept;
        unsigned count = 0;
        for (std::uint64_t now = 1; now <= 1000; ++now) count += offer(kept, in, 0, now);
        CHECK(count == request_history::kept);
        CHECK(offer(kept, in, 0, 1001));   // the oldest is 1 s old
        CHECK(!offer(kept, in, 0, 1001));  // the next oldest is from 2
        for (std::uint64_t now = 5000; now < 5100; ++now) count += offer(kept, in, 9 * ms, now);
        CHECK(count == 2 * request_history::kept);
        CHECK(durations(kept, in) == std::vector<std::uint64_t>(request_history::kept, 9));
    }
}

TEST_CASE("spans belong to the request with which they were kept") {
    request_history kept;
    apus::tracing::ended_spans spans;
    for (int i = 0; i < 20; ++i) spans.add({.name = apus::base::short_text<45>("child")}, false);
    spans.add({.name = apus::base::short_text<45>("root")}, true);
    CHECK(spans.count == apus::tracing::ended_spans::most);
    CHECK(spans.dropped == 9);
    CHECK(spans.spans.back().name.view() == "root");
    CHECK(offer(kept, list::failed, 1 * ms, 1, &spans));
    int with_spans = 0;
    kept.read(list::failed, [&](const ended_request&, const auto* of) { with_spans += of && of->dropped == 9; });
    CHECK(with_spans == 1);
    for (unsigned i = 1; i < request_history::kept; ++i) CHECK(offer(kept, list::failed, 1 * ms, 2));
    CHECK(offer(kept, list::failed, 1 * ms, 2000));  // replaces the first request, without spans
    kept.read(list::failed, [&](const ended_request&, const auto* of) { with_spans += of != nullptr; });
    CHECK(with_spans == 1);
}

TEST_CASE("the memory of a route on a core is bounded") {
    CHECK(sizeof(request_history) <= 9 * 1024);
    CHECK(sizeof(apus::base::published<apus::tracing::ended_spans>) <= 1024);
}
