// SPDX-License-Identifier: Apache-2.0
#include "runtime/core_of_test.hpp"
#include "runtime/running_task.hpp"

#include <apus/idempotency.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;

namespace {

struct user {
    apus::test::core at{"epoll"};
    memory_idempotency_store store{64 * 1024};

    template <class T>
    static result<T> run(task<T> t) {
        test::running_task<T> running(std::move(t));
        return std::move(running.wait());
    }
    std::string claim(const std::string& key, const std::string& bytes, duration lease = seconds(60)) {
        auto got = run(store.claim(key, bytes, lease));
        return !got ? std::to_string(got.error().status()) : got->value_or("claimed");
    }
    bool complete(const std::string& key, const std::string& claim, const std::string& value,
                  duration lifetime = seconds(60)) {
        return run(store.complete(key, claim, value, lifetime)).value();
    }
};

}  // namespace

TEST_CASE("idempotency keys in memory: the first claim is kept, and its response replaces it") {
    user u;
    CHECK(u.claim("k", "first") == "claimed");
    CHECK(u.claim("k", "second") == "first");
    CHECK_FALSE(u.complete("k", "second", "other"));
    CHECK(u.complete("k", "first", "response"));
    CHECK(u.claim("k", "third") == "response");
    CHECK_FALSE(u.complete("k", "first", "again"));
    CHECK(user::run(u.store.release("k", "first")));
    CHECK(u.claim("k", "third") == "response");
    CHECK(u.store.keys() == 1);
}

TEST_CASE("idempotency keys in memory: released and expired claims can be claimed again") {
    user u;
    CHECK(u.claim("k", "first", milliseconds(1)) == "claimed");
    const auto end = u.at.loop->now() + 2;
    while (u.at.loop->now() < end) u.at.loop->turn(1);
    CHECK(u.claim("k", "second") == "claimed");
    CHECK_FALSE(u.complete("k", "first", "late"));
    CHECK(user::run(u.store.release("k", "first")));
    CHECK(u.claim("k", "third") == "second");
    CHECK(user::run(u.store.release("k", "second")));
    CHECK(u.claim("k", "third") == "claimed");
    CHECK(u.store.keys() == 1);
}

TEST_CASE("idempotency keys in memory: 10,000 responses are bounded, and the oldest are removed") {
    user u;
    for (int i = 0; i < 10'000; ++i) {
        const std::string key = "key " + std::to_string(i);
        REQUIRE(u.claim(key, "claim") == "claimed");
        REQUIRE(u.complete(key, "claim", std::string(500, 'r')));
        REQUIRE(u.store.bytes() <= 64 * 1024);
    }
    CHECK(u.store.keys() < 100);
    CHECK(u.claim("key 9999", "x").size() == 500);
    CHECK(u.claim("key 0", "x") == "claimed");
    // A response over the limit is not stored, and its claim is removed.
    CHECK(u.complete("key 0", "x", std::string(100'000, 'r')));
    CHECK(u.claim("key 0", "x") == "claimed");
}

TEST_CASE("idempotency keys in memory: requests in progress are not removed; too many are 503") {
    user u;
    int claimed = 0;
    while (claimed < 10'000 && u.claim("key " + std::to_string(claimed), "claim") == "claimed") ++claimed;
    CHECK(claimed > 100);
    CHECK(claimed < 1'000);
    CHECK(u.claim("another", "claim") == "503");
    CHECK(u.claim("key 0", "x") == "claim");
    CHECK(user::run(u.store.release("key 0", "claim")));
    CHECK(u.claim("another", "claim") == "claimed");
    CHECK(u.store.bytes() <= 64 * 1024);
}
