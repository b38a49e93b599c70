// SPDX-License-Identifier: Apache-2.0
#include "jobs/job_trace.hpp"

#include "jobs/nodes.hpp"
#include "support/decoded_spans.hpp"

#include <apus/span.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace jobs = apus::jobs;
using apus::task;
using apus::task_scope;
using apus::http::background_trace;
using apus::test::decoded_span;
using apus::test::job_database;
using apus::test::until;
using apus::test::with_jobs;
using apus::tracing::recorder;

namespace {

struct letter {
    std::int64_t number;
};

using spans_by_name = std::map<std::string, decoded_span>;

spans_by_name by_name(recorder& of) {
    spans_by_name made;
    for (auto& one : apus::test::ended_spans(of)) made[one.name] = one;
    return made;
}

#define APUS_TEST_PARENT "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

struct stored_case {
    std::optional<std::string> stored;
    bool continued;
    std::string state;
};
const stored_case stored_contexts[] = {
    {std::nullopt, false, ""},
    {"", false, ""},
    {"garbage", false, ""},
    {"\xff", false, ""},
    {std::string(100'000, '-'), false, ""},
    {"00-00000000000000000000000000000000-00f067aa0ba902b7-01", false, ""},
    {APUS_TEST_PARENT, true, ""},
    {APUS_TEST_PARENT " a=1,b=2", true, "a=1,b=2"},
    {APUS_TEST_PARENT " ", true, ""},
    {APUS_TEST_PARENT " =", true, ""},
    {APUS_TEST_PARENT "\na=1", false, ""},
};

}  // namespace

TEST_CASE("job traces: an attempt continues the trace of the code that added the job") {
    with_jobs([](job_database& on) -> task<> {
        recorder by({});
        jobs::queue q(on.db);
        std::string inside;
        q.handle<letter>(
            [&](letter job, jobs::context& c) -> task<> {
                auto span = apus::span("print");
                inside = apus::trace_id();
                co_await on.db.run("insert into effect (n) values ($1)", job.number);
                if (c.attempt() == 1) co_await apus::fail(503, "no paper");
            },
            {.retry_delay = {}});
        apus::codec::trace_context::parent caller{.trace = {7}, .span = {8}, .flags = 1};
        background_trace request(by, &caller, "request", apus::tracing::span_kind::server);
        request.context().trace->state = "a=1";
        jobs::enqueued added{};
        co_await request.run([&]() -> task<> { added = co_await q.enqueue(letter{1}); }());
        request.end({});
        auto spans = by_name(by);
        const auto sent = spans["send letter"];
        CHECK(sent.kind == 4);
        CHECK(sent.parent == spans["request"].id);
        CHECK(sent.attributes.at("messaging.message.id") == std::to_string(added.id));
        CHECK(on.value("select trace from apus_jobs") == "00-" + sent.trace + "-" + sent.id + "-01 a=1");

        task_scope nodes;
        nodes.spawn(q.run());
        co_await until(on, "select count(*) from apus_jobs", "0");
        q.stop();
        co_await nodes.join();
        std::vector<decoded_span> attempts;
        for (auto& one : apus::test::ended_spans(by)) {
            spans[one.name] = one;
            if (one.name == "process letter") attempts.push_back(one);
        }
        REQUIRE(attempts.size() == 2);
        for (const auto& one : attempts) {
            CHECK(one.kind == 5);
            CHECK(one.trace == sent.trace);
            CHECK(one.parent == sent.id);
            CHECK(one.state == "a=1");
            CHECK(one.attributes.at("messaging.destination.name") == "default");
            CHECK(one.attributes.at("apus.job.kind") == "letter");
        }
        CHECK(attempts[0].failed);
        CHECK(attempts[0].why == "no paper");
        CHECK(attempts[0].attributes.at("error.type") == "503");
        CHECK(attempts[0].attributes.at("apus.job.attempt") == "1");
        CHECK(!attempts[1].failed);
        CHECK(inside == sent.trace);
        CHECK(spans["print"].parent == attempts[1].id);
        CHECK(spans["insert"].parent == spans["print"].id);
    });
}

TEST_CASE("job traces: an attempt that exceeds its deadline is a timeout") {
    with_jobs([](job_database& on) -> task<> {
        recorder by({});
        jobs::queue q(on.db);
        q.handle<letter>([](letter) -> task<> { co_await apus::sleep_for(apus::seconds(60)); },
                         {.attempts = 1, .deadline = apus::milliseconds(1)});
        task_scope nodes;
        nodes.spawn(q.run());
        co_await q.enqueue(letter{1});
        co_await until(on, "select state from apus_jobs", "dead");
        q.stop();
        co_await nodes.join();
        const auto spans = by_name(by);
        REQUIRE(spans.contains("process letter"));
        CHECK(spans.at("process letter").attributes.at("error.type") == "timeout");
    });
}

TEST_CASE("job traces: stored contexts may have any value") {
    recorder by({});
    for (const auto& [stored, continued, state] : stored_contexts) {
        CAPTURE(stored.value_or("null").substr(0, 80));
        const jobs::claimed_job job{1, "letter", 1, "{}", 1, 1, 0, stored, {}};
        jobs::attempt_trace(job, "default").succeeded();
        const auto spans = apus::test::ended_spans(by);
        REQUIRE(spans.size() == 1);
        CHECK((spans[0].parent == "00f067aa0ba902b7") == continued);
        CHECK(spans[0].state == state);
    }
}

TEST_CASE("job traces: jobs outside of traces have no context, and are not traced without tracing") {
    with_jobs([](job_database& on) -> task<> {
        jobs::queue q(on.db);
        co_await q.enqueue(letter{1});
        const recorder by({});
        co_await q.enqueue(letter{2});
        CHECK(on.value("select count(*) from apus_jobs where trace is null") == "2");
    });
    const jobs::claimed_job job{1, "letter", 1, "{}", 1, 1, 0, APUS_TEST_PARENT, {}};
    CHECK(!jobs::attempt_trace(job, "default").context());
}
