// SPDX-License-Identifier: Apache-2.0
#include "redis/command_span.hpp"

#include "http/background_trace.hpp"
#include "redis/redis_server.hpp"
#include "runtime/activity.hpp"
#include "support/decoded_spans.hpp"

#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;
using apus::http::background_trace;
using apus::tracing::recorder;

namespace {

struct name_case {
    std::string given, name;
};
const name_case names[] = {
    {"GET", "GET"},           {"hGetAll", "HGETALL"},
    {"JSON.SET", "JSON.SET"}, {"BF.ADD", "BF.ADD"},
    {"PIPELINE", "PIPELINE"}, {"", "_OTHER"},
    {"GET secret", "_OTHER"}, {"get\r\nsecret", "_OTHER"},
    {"\xff", "_OTHER"},       {std::string(33, 'A'), "_OTHER"},
};

/// Runs Redis commands in a recorded trace.
struct traced_user {
    redis_user& u;
    recorder by{tracing::recording_options{}};
    background_trace trace{by, nullptr, "work", tracing::span_kind::internal};

    explicit traced_user(redis_user& of) : u(of) {}
    template <class T>
    std::vector<decoded_span> spans_of(task<T> t) {
        (void)u.run(
            trace.run([](task<T> inner) -> task<> { (void)co_await std::move(inner).outcome(); }(std::move(t))));
        return ended_spans(by);
    }
};

}  // namespace

TEST_CASE("Redis spans: a span per command, pipeline and transaction, without keys and values") {
    on_each_loop([](redis_server&, redis_user& u) {
        traced_user t(u);
        auto spans = t.spans_of(u.client.set("key-of-ann", "value-of-ann"));
        REQUIRE(spans.size() == 1);
        auto& set = spans[0];
        CHECK(set.name == "SET");
        CHECK(set.kind == 3);
        CHECK(!set.failed);
        CHECK(set.attributes["db.system.name"] == "redis");
        CHECK(set.attributes["db.operation.name"] == "SET");
        CHECK(set.attributes["db.namespace"] == "0");
        CHECK(!set.attributes["server.address"].empty());
        CHECK(!set.attributes.contains("db.operation.batch.size"));
        for (const auto& [name, value] : set.attributes) CHECK(!value.contains("ann"));

        spans = t.spans_of(u.client.command<>("LPUSH", "key-of-ann", "x"));
        REQUIRE(spans.size() == 1);
        CHECK(spans[0].failed);
        CHECK(spans[0].attributes["error.type"] == "WRONGTYPE");
        CHECK(spans[0].attributes["db.response.status_code"] == "WRONGTYPE");
        CHECK(spans[0].why.empty());

        redis::batch some;
        some.add("SET", "a", "1");
        some.add("LPUSH", "key-of-ann", "x");
        spans = t.spans_of(u.client.run(some));
        REQUIRE(spans.size() == 1);
        CHECK(spans[0].name == "PIPELINE");
        CHECK(spans[0].attributes["db.operation.batch.size"] == "2");
        CHECK(spans[0].attributes["error.type"] == "WRONGTYPE");

        redis::batch fine;
        fine.add("INCR", "n");
        fine.add("INCR", "n");
        spans = t.spans_of(u.client.run_atomically(fine));
        REQUIRE(spans.size() == 1);
        CHECK(spans[0].name == "MULTI");
        CHECK(!spans[0].failed);
        spans = t.spans_of(u.client.run_atomically(some));
        REQUIRE(spans.size() == 1);
        CHECK(spans[0].attributes["error.type"] == "WRONGTYPE");
    });
}

TEST_CASE("Redis spans: commands without a reply have failed") {
    on_each_loop(
        [](redis_server& server, redis_user& u) {
            traced_user t(u);
            CHECK(t.spans_of(u.client.get("k")).size() == 1);
            server.kill();
            auto spans = t.spans_of(u.client.incr("k"));
            REQUIRE(spans.size() == 1);
            CHECK(spans[0].failed);
            const auto type = spans[0].attributes["error.type"];
            CHECK_MESSAGE((type == "unreachable" || type == "timeout"), type);
        },
        {.command_timeout = milliseconds(300)});
}

TEST_CASE("Redis spans: only names of commands are recorded") {
    const core at("epoll");
    recorder by({});
    background_trace trace(by, nullptr, "work", tracing::span_kind::internal);
    const runtime::working_for work(&trace.context());
    const redis::shared_state of{
        .to = {.host = "redis.test", .path = {}, .user = {}, .password = "secret"}, .options = {}, .tls = {}};
    for (const auto& [given, name] : names) {
        {
            const redis::command_span cancelled(of, given);
        }
        auto spans = ended_spans(by);
        REQUIRE(spans.size() == 1);
        CHECK(spans[0].name == name);
        CHECK(spans[0].attributes["server.address"] == "redis.test");
        CHECK(spans[0].attributes["server.port"] == "6379");
        CHECK(spans[0].attributes["error.type"] == "cancelled");
    }
}
