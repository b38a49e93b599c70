// SPDX-License-Identifier: Apache-2.0
#include <apus/span.hpp>

#include "support/decoded_spans.hpp"

#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/task_scope.hpp>
#include <apus/test.hpp>
#include <apus/when_all.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>

namespace {

using apus::test::decoded_span;
using apus::test::ended_spans;
using apus::tracing::recorder;

apus::task<int> priced(int id) {
    auto span = apus::span("price");
    span.set({"id", id}).set({"name", "x"});
    co_await apus::sleep_for(apus::milliseconds(1));
    {
        auto inner = apus::span("look up");
        inner.event("cache miss", {{"key", "k"}});
        co_await apus::sleep_for(apus::milliseconds(1));
        inner.error("not found");
    }
    co_return id;
}

apus::task<> part(const apus::span& of, const char* name) {
    auto span = of.child(name);
    co_await apus::sleep_for(apus::milliseconds(1));
}

std::map<std::string, decoded_span> by_name(recorder& by) {
    std::map<std::string, decoded_span> all;
    for (auto& one : ended_spans(by)) all[one.name] = one;
    return all;
}

}  // namespace

TEST_CASE("span: scopes nest across co_await") {
    recorder by({});
    apus::app app;
    app.get("/{id}", [](int id) -> apus::task<std::string> {
        const int price = co_await priced(id);
        apus::span("after");
        co_return std::to_string(price);
    });
    apus::test::client client(std::move(app));
    client.get("/7").expect(200);
    auto spans = by_name(by);
    REQUIRE(spans.size() == 4);
    const std::string root = spans["GET /{id}"].id;
    CHECK(spans["price"].parent == root);
    CHECK(spans["price"].attributes == std::map<std::string, std::string>{{"id", "7"}, {"name", "x"}});
    CHECK(!spans["price"].failed);
    CHECK(spans["price"].kind == 1);
    CHECK(spans["look up"].parent == spans["price"].id);
    CHECK(spans["look up"].events == std::vector<std::string>{"cache miss"});
    CHECK(spans["look up"].failed);
    CHECK(spans["look up"].why == "not found");
    CHECK(spans["look up"].start >= spans["price"].start);
    CHECK(spans["look up"].end <= spans["price"].end);
    CHECK(spans["after"].parent == root);
    for (const auto& [name, one] : spans) CHECK(one.trace == spans["price"].trace);
}

TEST_CASE("span: children of concurrent work have their parent") {
    recorder by({});
    apus::app app;
    app.get("/", []() -> apus::task<std::string> {
        auto all = apus::span("all");
        co_await apus::when_all(part(all, "a"), part(all, "b"));
        co_return apus::trace_id();
    });
    apus::test::client client(std::move(app));
    const auto got = client.get("/").expect(200);
    auto spans = by_name(by);
    REQUIRE(spans.size() == 4);
    CHECK(got.body == spans["all"].trace);
    CHECK(spans["a"].parent == spans["all"].id);
    CHECK(spans["b"].parent == spans["all"].id);
}

TEST_CASE("span: may outlive its request, and may be moved and ended early") {
    recorder by({});
    apus::app app;
    apus::task_scope& tasks = app.tasks();
    app.get("/", [&tasks] {
        auto span = apus::span("mail");
        tasks.spawn([](apus::span mine) -> apus::task<> {
            co_await apus::sleep_for(apus::seconds(1));
            auto other = std::move(mine);
            other.end();
            other.set({"ignored", 1}).event("ignored").error("ignored");
            other.end();
        }(std::move(span)));
        return "ok";
    });
    apus::test::client client(std::move(app));
    client.get("/").expect(200);
    CHECK(by.waiting() == 1);
    client.advance(apus::seconds(2));
    auto spans = by_name(by);
    REQUIRE(spans.size() == 2);
    CHECK(spans["mail"].parent == spans["GET /"].id);
    CHECK(spans["mail"].attributes.empty());
}

TEST_CASE("span: outside of requests it begins a trace, and without tracing it does nothing") {
    {
        recorder by({});
        auto outside = apus::span("cleaning");
        CHECK(outside.recorded());
        CHECK(apus::trace_id().empty());
        auto child = outside.child("rows");
        child.end();
        outside.end();
        auto spans = by_name(by);
        REQUIRE(spans.size() == 2);
        CHECK(spans["cleaning"].parent.empty());
        CHECK(spans["rows"].parent == spans["cleaning"].id);
    }
    recorder never({.sample = 0});
    CHECK(!apus::span("x").recorded());
    apus::app app;
    app.get("/", []() -> apus::task<std::string> {
        auto span = apus::span("x");
        span.set({"k", 1}).event("e").error("no");
        auto child = span.child("y");
        co_return (span.recorded() || child.recorded() ? "recorded" : "not") + apus::trace_id();
    });
    apus::test::client client(std::move(app));
    CHECK(client.get("/").body == "not");
    CHECK(never.waiting() == 0);
}

TEST_CASE("span: a cancelled handler ends its spans") {
    recorder by({});
    {
        apus::app app;
        app.get("/", []() -> apus::task<std::string> {
            auto span = apus::span("wait");
            co_await apus::sleep_for(apus::seconds(60));
            co_return "";
        });
        apus::test::client client(std::move(app));
        auto left = client.open("GET", "/");
    }
    auto spans = by_name(by);
    REQUIRE(spans.size() == 2);
    CHECK(spans["wait"].parent == spans["GET /"].id);
}
