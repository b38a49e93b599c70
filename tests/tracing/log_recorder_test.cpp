// SPDX-License-Identifier: Apache-2.0
#include "tracing/log_recorder.hpp"

#include "support/decoded_spans.hpp"
#include "tracing/trace.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

using apus::log::field;
using apus::log::level;
using apus::test::decoded_log;
using apus::tracing::export_record;
using apus::tracing::log_recorder;

struct counting_waker final : apus::tracing::log_waker {
    void wake() noexcept override { ++count; }
    std::atomic<int> count = 0;
};

std::vector<decoded_log> taken(log_recorder& of) {
    std::vector<decoded_log> all;
    for (const auto& one : of.take(~std::size_t{0}, ~std::size_t{0})) all.push_back(apus::test::decoded_record(one));
    return all;
}

void record_elsewhere(level of, const std::string& message, int count = 1) {
    std::thread([&] {
        for (int i = 0; i < count; ++i) export_record(of, message, {}, nullptr);
    }).join();
}

struct level_case {
    level of;
    std::uint64_t severity;
    std::string_view text;
};
constexpr level_case levels[] = {{level::trace, 1, "TRACE"},
                                 {level::debug, 5, "DEBUG"},
                                 {level::info, 9, "INFO"},
                                 {level::warn, 13, "WARN"},
                                 {level::error, 17, "ERROR"}};

}  // namespace

TEST_CASE("log recorder: records have a severity, attributes and the ids of their trace") {
    counting_waker waker;
    apus::tracing::recorder by({});
    log_recorder logs(level::trace, 1'000'000, waker);
    auto* const in = new apus::tracing::trace(by, nullptr, true);
    auto& root = in->begin("GET", apus::tracing::span_kind::server);
    for (const auto& [of, severity, text] : levels) {
        const field fields[] = {{"id", 7},        {"name", "a\xff"}, {"trace_id", "x"},
                                {"span_id", "y"}, field(),           {"share", 0.5}};
        export_record(of, "user created", fields, in);
        export_record(of, "user created", fields, nullptr);
        auto all = taken(logs);
        REQUIRE(all.size() == 2);
        CHECK(all[0].severity == severity);
        CHECK(all[0].severity_text == text);
        CHECK(all[0].body == "user created");
        CHECK(all[0].time > 1'700'000'000'000'000'000U);
        CHECK(all[0].trace.size() == 32);
        CHECK(all[0].span == apus::base::hex({reinterpret_cast<const char*>(root.data.id.data()), 8}));
        CHECK(all[0].flags == 1);
        CHECK(all[0].attributes.size() == 3);
        CHECK(all[0].attributes["id"] == "7");
        CHECK(all[0].attributes["name"] == "a\xef\xbf\xbd");
        CHECK(all[1].trace.empty());
        CHECK(all[1].span.empty());
        CHECK(all[1].attributes.size() == 5);
    }
    root.end();
    in->release();
}

TEST_CASE("log recorder: only records of its level are kept, and the process knows the lowest level") {
    CHECK(apus::tracing::least_exported == level::off);
    counting_waker waker;
    log_recorder errors(level::error, 1'000'000, waker);
    CHECK(apus::tracing::least_exported == level::error);
    {
        log_recorder warnings(level::warn, 1'000'000, waker);
        CHECK(apus::tracing::least_exported == level::warn);
        export_record(level::info, "a", {}, nullptr);
        export_record(level::warn, "b", {}, nullptr);
        CHECK(warnings.waiting() == 1);
    }
    CHECK(apus::tracing::least_exported == level::error);
    export_record(level::warn, "c", {}, nullptr);
    export_record(level::error, "d", {}, nullptr);
    CHECK(errors.waiting() == 1);
}

TEST_CASE("log recorder: memory is limited, and dropped records are counted") {
    counting_waker waker;
    log_recorder logs(level::info, 100'000, waker);
    const std::string huge(1'000'000, 'x');
    const field fields[] = {{"a", huge}, {huge, "b"}};
    for (int i = 0; i < 1000; ++i) export_record(level::info, huge, fields, nullptr);
    CHECK(logs.waiting() > 20);
    CHECK(logs.waiting() < 100);
    CHECK(logs.counts.dropped == 1000 - logs.waiting());
    (void)taken(logs);
    record_elsewhere(level::info, huge, 1000);
    CHECK(logs.collect());
    CHECK(logs.waiting() > 20);
    CHECK(logs.waiting() < 100);
}

TEST_CASE("log recorder: short records of other threads count with the memory that they need") {
    constexpr std::size_t limit = 100'000;
    counting_waker waker;
    log_recorder logs(level::info, limit, waker);
    record_elsewhere(level::info, "x", 10'000);
    CHECK(logs.collect());
    CHECK(logs.waiting() > 500);
    CHECK(logs.waiting() < limit / sizeof(std::string));
    CHECK(logs.counts.dropped == 10'000 - logs.waiting());
}

TEST_CASE("log recorder: records of other threads that are left at the end count as failed") {
    counting_waker waker, next_waker;
    std::optional<log_recorder> first(std::in_place, level::info, 100'000, waker);
    log_recorder last(level::info, 100'000, next_waker);
    record_elsewhere(level::info, "one", 3);
    first->close();
    CHECK(first->counts.failed == 0);  // the next recorder takes over
    first.reset();
    CHECK(next_waker.count == 1);
    last.close();
    last.close();
    CHECK(last.counts.failed == 3);
    record_elsewhere(level::info, "two");
    CHECK(last.collect());
    CHECK(last.waiting() == 0);
    CHECK(last.counts.failed == 3);
}

TEST_CASE("log recorder: the first recorder collects the records of other threads") {
    counting_waker waker, next_waker;
    std::optional<log_recorder> first(std::in_place, level::info, 100'000, waker);
    std::optional<log_recorder> next;
    std::thread other([&] { next.emplace(level::info, 100'000, next_waker); });
    other.join();
    record_elsewhere(level::info, "one", 3);
    CHECK(waker.count == 1);  // only for the first record, until they are collected
    CHECK(next->collect());
    CHECK(next->waiting() == 0);
    CHECK(first->collect());
    CHECK(taken(*first).size() == 3);
    record_elsewhere(level::debug, "two");
    CHECK(waker.count == 1);
    record_elsewhere(level::info, "three");
    CHECK(waker.count == 2);
    first.reset();
    CHECK(next_waker.count == 1);  // the next recorder takes over
    CHECK(next->collect());
    CHECK(taken(*next).size() == 1);
    next.reset();
    record_elsewhere(level::info, "four");  // ignored
}

TEST_CASE("log recorder: threads record while a core collects") {
    counting_waker waker;
    log_recorder logs(level::info, 10'000'000, waker);
    std::vector<std::thread> threads;
    constexpr int count = 2'000;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([] {
            for (int k = 0; k < count; ++k) export_record(level::info, "x", {}, nullptr);
        });
    std::size_t got = 0;
    for (int i = 0; i < 100; ++i) {
        (void)logs.collect();
        got += taken(logs).size();
    }
    for (auto& each : threads) each.join();
    CHECK(logs.collect());
    got += taken(logs).size();
    CHECK(got == 3 * count);
}
