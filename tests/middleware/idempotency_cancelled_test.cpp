// SPDX-License-Identifier: Apache-2.0
// Keys of requests that are cancelled: during the claim, while the handler runs, and while the response is stored.
#include <apus/idempotency.hpp>
#include <apus/sleep.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

using apus::idempotency;
using apus::memory_idempotency_store;
using apus::seconds;
using apus::test::client;

namespace {

// Takes a second to complete a key. If `replies_late`, stores a claim, and fails a second later.
struct slow_store final : apus::idempotency_store {
    apus::task<std::optional<std::string>> claim(std::string_view key, std::string_view claim,
                                                 apus::duration lease) override {
        auto found = co_await memory.claim(key, claim, lease);
        if (!replies_late) co_return found;
        co_await apus::sleep_for(seconds(1));
        co_await apus::fail(504, "no reply in time");
        co_return found;
    }
    apus::task<bool> complete(std::string_view key, std::string_view claim, std::string_view value,
                              apus::duration lifetime) override {
        co_await apus::sleep_for(seconds(1));
        co_return co_await memory.complete(key, claim, value, lifetime);
    }
    apus::task<> release(std::string_view key, std::string_view claim) override { return memory.release(key, claim); }

    memory_idempotency_store memory;
    bool replies_late = false;
};

}  // namespace

TEST_CASE("after the lease of a cancelled request, a repetition runs the handler") {
    memory_idempotency_store store;
    int calls = 0;
    apus::app a;
    a.use(idempotency(store, {.lease = seconds(60)}));
    a.post("/slow", [&](apus::body_text) -> apus::task<std::string> {
        ++calls;
        co_await apus::sleep_for(seconds(10));
        co_return "done";
    });
    client c(std::move(a));
    {
        auto cut = c.open("POST", "/slow", "x", {{"idempotency-key", "k"}});
        CHECK_FALSE(cut.has_begun());
    }
    c.advance(seconds(59));
    CHECK(c.post("/slow", "x", {{"idempotency-key", "k"}}).status == 409);
    c.advance(seconds(1));
    auto second = c.open("POST", "/slow", "x", {{"idempotency-key", "k"}});
    CHECK_FALSE(second.has_begun());
    c.advance(seconds(10));
    CHECK(second.rest().body == "done");
    CHECK(calls == 2);
}

TEST_CASE("a claim that may have been stored is released if the store did not reply or the request is cancelled") {
    for (const bool cancels : {false, true}) {
        CAPTURE(cancels);
        slow_store store;
        store.replies_late = true;
        int calls = 0;
        apus::app a;
        a.use(idempotency(store));
        a.post("/", [&](apus::body_text) { return std::to_string(++calls); });
        client c(std::move(a));
        {
            auto first = c.open("POST", "/", "x", {{"idempotency-key", "k"}});
            CHECK_FALSE(first.has_begun());
            CHECK(store.memory.keys() == 1);
            if (!cancels) c.advance(seconds(1));
            if (!cancels) CHECK(first.status() == 504);
        }
        c.advance(apus::milliseconds(1));
        CHECK(store.memory.keys() == 0);
        store.replies_late = false;
        auto second = c.open("POST", "/", "x", {{"idempotency-key", "k"}});
        c.advance(seconds(1));
        CHECK(second.rest().body == "1");
    }
}

TEST_CASE("if the client disconnects while its response is stored, a repetition gets this response") {
    slow_store store;
    int calls = 0;
    apus::app a;
    a.use(idempotency(store));
    a.post("/", [&](apus::body_text) { return std::to_string(++calls); });
    client c(std::move(a));
    {
        auto cut = c.open("POST", "/", "x", {{"idempotency-key", "k"}});
        CHECK_FALSE(cut.has_begun());
        CHECK(calls == 1);
    }
    c.advance(apus::milliseconds(1));
    CHECK(c.post("/", "x", {{"idempotency-key", "k"}}).status == 409);
    c.advance(seconds(1));
    const auto again = c.post("/", "x", {{"idempotency-key", "k"}});
    CHECK(again.body == "1");
    CHECK(again.header("idempotent-replayed") == "true");
    CHECK(calls == 1);
}
