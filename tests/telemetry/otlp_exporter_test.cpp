// SPDX-License-Identifier: Apache-2.0
#include "telemetry/core_exports.hpp"

#include "support/decoded_spans.hpp"
#include "tracing/otlp.hpp"

#include <apus/app.hpp>
#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using apus::telemetry::core_exports;
using apus::test::fields_of_message;

/// An OTLP receiver that responds with given statuses in turn, and then with 200.
struct receiver {
    std::vector<int> statuses = {};
    std::string retry_after = {};
    bool hangs = false;
    unsigned requests = 0;
    std::vector<std::string> spans = {};
    std::vector<apus::test::decoded_log> logs = {};
    std::string token = {}, path = {};
    std::string answer = {};  // an encoded response

    apus::app app() {
        apus::app made;
        const auto receive = [this](apus::request& req, apus::body_text body) -> apus::task<apus::response> {
            ++requests;
            path = req.path();
            token = req.header("x-token");
            CHECK(req.header("content-type") == "application/x-protobuf");
            CHECK(req.header("traceparent").empty());
            if (hangs) co_await apus::sleep_for(apus::seconds(3600));
            apus::response res(requests <= statuses.size() ? statuses[requests - 1] : 200);
            if (!retry_after.empty()) res.header("retry-after", retry_after);
            if (res.status() == 200) take(body.bytes);
            if (!answer.empty()) res.body(answer, "application/x-protobuf");
            co_return res;
        };
        made.post("/v1/traces", receive);
        made.post("/v1/logs", receive);
        return made;
    }
    void take_item(std::string_view item) {
        if (path == "/v1/traces") spans.push_back(apus::test::decoded(item).name);
        else logs.push_back(apus::test::decoded_record(item));
    }
    void take(std::string_view body) {
        for (const auto& resource : fields_of_message(body))
            for (const auto& scope : fields_of_message(resource.bytes))
                for (const auto& span : fields_of_message(scope.bytes))
                    if (scope.number == 2 && span.number == 2) take_item(span.bytes);
    }
};

struct exporting {
    explicit exporting(receiver& to, apus::tracing_options options = {}) {
        options.endpoint = "http://collector.test";
        options.headers = {{"x-token", "secret"}};
        how = apus::telemetry::checked(options);
        client = std::make_unique<apus::test::client>(apus::app());
        client->upstream("collector.test", to.app());
        made = std::make_unique<core_exports>(apus::runtime::loop::current(), how, losses);
    }
    void add(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            apus::tracing::span_data one;
            one.name = "span " + std::to_string(next++);
            made->records().push(encode(one, {}));
        }
    }
    auto& counts() { return made->records().counts; }
    /// Runs the loop until `true()`, since slow machines need more turns. The clock hardly advances.
    template <class F>
    bool until(F is_true) {
        for (int turns = 0; turns < 5000 && !is_true(); ++turns) apus::runtime::loop::current().turn(1);
        return is_true();
    }

    apus::telemetry::export_options how;
    std::unique_ptr<apus::test::client> client;
    apus::tracing::export_losses losses;
    std::unique_ptr<core_exports> made;
    unsigned next = 0;
};

struct retry_case {
    std::vector<int> statuses;
    std::string retry_after;
    int before, after;  // seconds just before and just after the repeated export; 0: never repeated
};
const retry_case retries[] = {
    {{503}, "", 0, 2},      {{429}, "5", 4, 7}, {{503}, "100000", 58, 63}, {{502}, "garbage", 0, 2},
    {{504, 503}, "", 1, 5}, {{400}, "", 10, 0}, {{500}, "1", 10, 0},       {{301}, "", 10, 0},
};

}  // namespace

TEST_CASE("trace exporter: spans are sent after the interval, or when a batch is complete") {
    receiver to;
    exporting from(to, {.batch = 10});
    from.add(3);
    from.client->advance(apus::milliseconds(1500));
    CHECK(to.requests == 0);
    from.client->advance(apus::milliseconds(1000));
    CHECK(from.until([&] { return from.counts().exported == 3; }));
    CHECK(to.requests == 1);
    CHECK(to.spans == std::vector<std::string>{"span 0", "span 1", "span 2"});
    CHECK(to.token == "secret");
    from.add(25);
    from.client->advance(apus::milliseconds(10));
    CHECK(from.until([&] { return from.counts().exported == 23; }));
    CHECK(to.requests == 3);
    from.client->advance(apus::seconds(3));
    CHECK(from.until([&] { return from.counts().exported == 28; }));
    CHECK(to.requests == 4);
    CHECK(to.spans.size() == 28);
    CHECK(from.counts().exported == 28);
    CHECK(from.counts().failed == 0);
}

TEST_CASE("trace exporter: exports are repeated if the receiver is overloaded") {
    for (const auto& [statuses, retry_after, before, after] : retries) {
        CAPTURE(statuses[0]);
        CAPTURE(retry_after);
        receiver to{.statuses = statuses, .retry_after = retry_after};
        exporting from(to, {.interval = apus::milliseconds(1)});
        from.add(2);
        from.client->advance(apus::milliseconds(20));
        CHECK(from.until([&] { return to.requests == 1; }));
        from.client->advance(apus::milliseconds(1));
        from.client->advance(apus::seconds(before));
        CHECK(to.spans.empty());
        if (after == 0) {
            CHECK(to.requests == 1);
            CHECK(from.counts().failed == 2);
            continue;
        }
        for (int i = before; i < after; ++i) {
            const auto seen = to.requests;
            from.client->advance(apus::seconds(1));
            if (to.requests != seen) from.client->advance(apus::milliseconds(1));
            if (i + 1 == after) from.until([&] { return from.counts().exported == 2; });
        }
        CHECK(to.spans.size() == 2);
        CHECK(to.requests == statuses.size() + 1);
        CHECK(from.counts().exported == 2);
        CHECK(from.counts().failed == 0);
    }
}

TEST_CASE("trace exporter: a receiver that hangs costs only spans") {
    receiver to{.hangs = true};
    exporting from(to, {.queue = 64 * 1024, .batch = 10, .interval = apus::milliseconds(1)});
    from.add(10);
    from.client->advance(apus::milliseconds(10));
    CHECK(from.until([&] { return to.requests == 1; }));
    from.add(5000);
    CHECK(from.counts().dropped > 4000);
    CHECK(to.requests == 1);
    to.hangs = false;
    for (int i = 0; i < 12; ++i) from.client->advance(apus::seconds(1));
    CHECK(from.until([&] { return from.counts().exported > 0; }));
    CHECK(to.requests > 1);
}

TEST_CASE("trace exporter: flush sends the rest, and ends at its deadline") {
    const auto flushed = [](receiver& to, unsigned count, apus::duration longest, apus::duration wait) {
        exporting from(to);
        from.add(count);
        bool done = false;
        from.made->flush(longest, [](void* with) noexcept { *static_cast<bool*>(with) = true; }, &done);
        if (to.hangs) from.until([&] { return to.requests == 1; });
        else from.until([&] { return done; });
        if (!done) from.client->advance(wait);
        CHECK(from.counts().exported + from.counts().failed == count);
        from.add(1);
        const std::uint64_t lost = count - from.counts().exported + 1;
        from.made.reset();
        CHECK(from.losses.spans == lost);
        CHECK(from.losses.log_records == 0);
        return done;
    };
    receiver fine;
    CHECK(flushed(fine, 0, apus::seconds(2), {}));
    CHECK(fine.requests == 0);
    CHECK(flushed(fine, 1300, apus::seconds(2), apus::milliseconds(100)));
    CHECK(fine.spans.size() == 1300);
    CHECK(flushed(fine, 1, {}, {}));
    CHECK(fine.spans.size() == 1300);
    receiver hanging{.hangs = true};
    CHECK(flushed(hanging, 5, apus::seconds(2), apus::milliseconds(2100)));
    receiver overloaded{.statuses = {503, 503, 503}};
    CHECK(flushed(overloaded, 5, apus::seconds(2), apus::milliseconds(100)));
    CHECK(overloaded.requests == 1);
}

TEST_CASE("log export: records of this core and of other threads are sent") {
    receiver to;
    exporting from(to, {.logs = apus::log::level::warn, .interval = apus::milliseconds(1)});
    apus::log::show(apus::log::level::error);
    apus::log::warn("below the level of the log");
    apus::log::show(apus::log::level::info);
    apus::log::info("below the level of the export");
    apus::log::warn("from the core", {"id", 7});
    std::thread([] { apus::log::error("from another thread"); }).join();
    CHECK(from.until([&] {
        from.client->advance(apus::milliseconds(1));
        return to.logs.size() == 2;
    }));
    apus::log::show(apus::log::level::off);
    REQUIRE(to.logs.size() == 2);
    CHECK(to.logs[0].body == "from the core");
    CHECK(to.logs[0].attributes["id"] == "7");
    CHECK(to.logs[1].body == "from another thread");
    CHECK(to.token == "secret");
    CHECK(from.made->logs()->counts.exported == 2);
    CHECK(from.counts().exported == 0);
}

TEST_CASE("log export: records that are left at the end are counted, those of other threads too") {
    receiver refusing{.statuses = {400}};
    exporting from(refusing, {.logs = apus::log::level::info, .interval = apus::milliseconds(1)});
    const auto record = [] { apus::log::warn("a record"); };
    apus::log::show(apus::log::level::info);
    record();  // refused
    CHECK(from.until([&] {
        from.client->advance(apus::milliseconds(1));
        return from.made->logs()->counts.failed == 1;
    }));
    bool done = false;
    from.made->flush({}, [](void* with) noexcept { *static_cast<bool*>(with) = true; }, &done);
    CHECK(done);
    const std::uint64_t before = from.made->logs()->counts.failed;
    record();
    std::thread(record).join();
    apus::log::show(apus::log::level::off);
    from.made.reset();
    CHECK(from.losses.log_records == before - 1 + 2);
}

TEST_CASE("log export: a receiver that hangs costs only records, and no export causes another") {
    receiver to{.hangs = true};
    exporting from(to, {.logs = apus::log::level::info, .queue = 64 * 1024, .interval = apus::milliseconds(1)});
    apus::log::show(apus::log::level::info);
    for (int i = 0; i < 2000; ++i) apus::log::info("a record");
    const auto& counts = from.made->logs()->counts;
    CHECK(counts.dropped > 500);
    for (int i = 0; i < 15; ++i) from.client->advance(apus::seconds(1));  // the request times out
    CHECK(from.until([&] { return counts.failed > 0 || to.requests > 1; }));
    to.hangs = false;
    for (int i = 0; i < 70; ++i) from.client->advance(apus::seconds(1));
    const unsigned settled = to.requests;
    for (int i = 0; i < 20; ++i) from.client->advance(apus::seconds(1));
    CHECK(to.requests == settled);
    bool done = false;
    from.made->flush(apus::seconds(1), [](void* with) noexcept { *static_cast<bool*>(with) = true; }, &done);
    CHECK(from.until([&] { return done; }));
    apus::log::show(apus::log::level::off);
}

TEST_CASE("trace exporter: items that the receiver rejects count as failed") {
    using namespace std::string_literals;
    const struct {
        std::string answer;
        std::uint64_t exported, failed;
    } cases[] = {
        {"\x0a\x0a\x08\x03\x12\x06"
         "no key"s,
         7, 3},
        {"\x0a\x02\x08\x64"s, 0, 10},                                      // more than were sent
        {"\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s, 10, 0},  // -1
        {"\x0a\x04\x12\x02"
         "ok"s,
         10, 0},  // only a warning
        {"\x0a\x00"s, 10, 0},
        {"garbage"s, 10, 0},
    };
    for (const auto& c : cases) {
        receiver to{.answer = c.answer};
        exporting from(to, {.batch = 10});
        from.add(10);
        from.client->advance(apus::milliseconds(10));
        CHECK(from.until([&] { return from.counts().exported + from.counts().failed == 10; }));
        CHECK(from.counts().exported == c.exported);
        CHECK(from.counts().failed == c.failed);
        CHECK(to.requests == 1);
    }
}
