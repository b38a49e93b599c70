// SPDX-License-Identifier: Apache-2.0
#include "http/background_trace.hpp"

#include "http/request_trace.hpp"
#include "runtime/activity.hpp"
#include "runtime/running_task.hpp"
#include "support/decoded_spans.hpp"

#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/span.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

using apus::http::background_trace;
using apus::test::ended_spans;
using apus::tracing::recorder;
using apus::tracing::span_kind;

constexpr apus::codec::trace_context::parent sampled_caller{.trace = {1}, .span = {2}, .flags = 1};
constexpr apus::codec::trace_context::parent unsampled_caller{.trace = {1}, .span = {2}, .flags = 0};

apus::task<> work(std::string& seen) {
    auto span = apus::span("part");
    co_await apus::sleep_for(apus::milliseconds(1));
    seen = apus::trace_id();
}

apus::task<> failing() {
    co_await apus::sleep_for(apus::milliseconds(1));
    co_await apus::fail(409, "taken");
}

// Runs a task on the loop of a test client, whose clock advances.
template <class T>
void finish(apus::test::running_task<T>& of, apus::test::client& client) {
    for (int i = 0; i < 100 && !of.ended(); ++i) client.advance(apus::milliseconds(1));
    CHECK(of.ended());
}

}  // namespace

TEST_CASE("background trace: work in it belongs to the trace, and the waiter does not") {
    apus::test::client client{apus::app()};
    recorder by({});
    std::string inside, after = "none";
    background_trace trace(by, &sampled_caller, "process", span_kind::consumer);
    const auto waiter = [&]() -> apus::task<> {
        co_await trace.run(work(inside));
        after = apus::trace_id();
    };
    apus::test::running_task<void> running(waiter());
    finish(running, client);
    trace.end({});
    CHECK(after.empty());
    CHECK(!apus::http::exchange_here());
    const auto spans = ended_spans(by);
    REQUIRE(spans.size() == 2);
    CHECK(spans[0].name == "part");
    CHECK(spans[0].parent == spans[1].id);
    CHECK(spans[1].kind == 5);
    CHECK(spans[1].parent == "0200000000000000");
    CHECK(spans[1].trace == inside);
    CHECK(inside == "01000000000000000000000000000000");
    CHECK(!spans[1].failed);
}

TEST_CASE("background trace: errors reach the waiter") {
    apus::test::client client{apus::app()};
    recorder by({});
    background_trace trace(by, nullptr, "process", span_kind::consumer);
    apus::test::running_task<void> running(trace.run(failing()));
    finish(running, client);
    CHECK(running.wait().error().status() == 409);
    trace.end("409", "taken");
    const auto spans = ended_spans(by);
    REQUIRE(spans.size() == 1);
    CHECK(spans[0].failed);
    CHECK(spans[0].why == "taken");
    CHECK(spans[0].attributes.at("error.type") == "409");
    CHECK(spans[0].parent.empty());
}

TEST_CASE("background trace: destroying it ends the span as cancelled") {
    apus::test::client client{apus::app()};
    recorder by({});
    std::string seen;
    {
        background_trace trace(by, nullptr, "process", span_kind::consumer);
        const apus::test::running_task<void> running(trace.run(work(seen)));
        CHECK(!apus::http::exchange_here());
    }
    CHECK(!apus::http::exchange_here());
    const auto spans = ended_spans(by);
    REQUIRE(spans.size() == 2);
    CHECK(spans[1].attributes.at("error.type") == "cancelled");
}

TEST_CASE("background trace: callers decide about sampling, and tail rules apply") {
    const apus::test::client client{apus::app()};  // for its event loop
    {
        recorder by({});
        background_trace trace(by, &unsampled_caller, "process", span_kind::consumer);
        CHECK(!trace.root());
        const apus::runtime::working_for work(&trace.context());
        CHECK(apus::http::exchange_here() == &trace.context());
        CHECK(!apus::http::recorded_trace(apus::http::exchange_here()));
        trace.end("500");
        CHECK(by.waiting() == 0);
    }
    recorder by({.sample = 0, .keep_errors = true});
    for (const char* error_type : {"", "500"}) {
        background_trace trace(by, nullptr, "process", span_kind::consumer);
        trace.end(error_type);
        CHECK(ended_spans(by).size() == (*error_type ? 1 : 0));
    }
}
