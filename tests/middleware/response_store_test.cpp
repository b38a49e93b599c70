// SPDX-License-Identifier: Apache-2.0
#include "middleware/response_store.hpp"

#include "http/exchange.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using apus::middleware::response_store;
using apus::middleware::stored_response;

namespace {

std::shared_ptr<stored_response> sized(std::size_t size) {
    auto made = std::make_shared<stored_response>();
    made->body.assign(size, 'x');
    return made;
}

struct bare {
    apus::http::exchange x;
    bare() { x.head.field_count = 0; }
};

}  // namespace

TEST_CASE("the store is limited in bytes, and evicts the least recently used") {
    bare b;
    response_store store(5'000);
    for (const char* key : {"a", "b", "c"}) store.put(key, sized(1'000), b.x.in, 0);
    CHECK(store.bytes() <= 5'000);
    CHECK(store.find("a", b.x.in));
    store.put("d", sized(1'000), b.x.in, 0);
    CHECK_FALSE(store.find("b", b.x.in));
    CHECK(store.find("a", b.x.in));
    CHECK(store.find("d", b.x.in));
    store.put("huge", sized(5'000), b.x.in, 0);
    CHECK_FALSE(store.find("huge", b.x.in));
    CHECK(store.find("d", b.x.in));
}

TEST_CASE("a response replaces its predecessor, and all of a key can be dropped") {
    bare b;
    response_store store(100'000);
    store.put("a", sized(10), b.x.in, 0);
    store.put("a", sized(20), b.x.in, 0);
    CHECK(store.find("a", b.x.in)->body.size() == 20);
    store.erase("a");
    CHECK(store.bytes() == 0);
    CHECK_FALSE(store.find("a", b.x.in));
}

TEST_CASE("the newest variants are kept, so invented variants evict no other key") {
    bare attacker, other;
    other.x.bytes = "langde";
    other.x.head.field_count = 1;
    other.x.head.fields[0] = {{0, 4}, {4, 2}};
    response_store store(1'000'000);
    const auto make_up = [&](int number) {
        auto made = sized(10);
        made->vary.emplace_back("made-up", std::to_string(number));
        store.put("a", std::move(made), attacker.x.in, 0);
    };
    for (int i = 0; i < 100; ++i) make_up(i);
    auto real = sized(10);
    real->vary.emplace_back("lang", "de");
    store.put("a", std::move(real), other.x.in, 0);
    CHECK(store.find("a", other.x.in));
    for (int i = 0; i < 16; ++i) make_up(100 + i);
    CHECK(store.find("a", other.x.in));
    make_up(200);
    CHECK_FALSE(store.find("a", other.x.in));
    CHECK(store.bytes() < 17 * 600);
}

TEST_CASE("tags: responses are removed by tag, and responses that handlers began before are not stored") {
    stored_response made;
    made.body = "body";
    made.tags = {"a", "b"};
    const auto tagged = std::make_shared<const stored_response>(std::move(made));
    bare b;
    response_store store(1'000'000);
    const auto put = [&](const char* key, std::uint64_t began) { store.put(key, tagged, b.x.in, began); };
    const auto has = [&](const char* key) { return store.find(key, b.x.in) != nullptr; };
    put("one", store.generation());
    put("two", store.generation());
    store.put("other", sized(10), b.x.in, store.generation());
    const std::uint64_t began = store.generation();
    store.erase_tag("unknown");
    CHECK(has("one"));
    store.erase_tag("b");
    CHECK(!has("one"));
    CHECK(!has("two"));
    CHECK(has("other"));
    put("late", began);
    CHECK(!has("late"));
    store.put("untagged", sized(10), b.x.in, began);
    CHECK(has("untagged"));
    put("new", store.generation());
    CHECK(has("new"));
    const std::uint64_t before = store.generation();
    store.clear();
    CHECK(!has("new"));
    CHECK(store.bytes() == 0);
    store.put("untagged", sized(10), b.x.in, before);
    CHECK(!has("untagged"));
    // Tags that are no longer remembered count as erased, so the memory is limited.
    const std::uint64_t old = store.generation();
    for (std::size_t i = 0; i <= response_store::max_erased; ++i) store.erase_tag("tag " + std::to_string(i));
    put("late", old);
    CHECK(!has("late"));
    put("new", store.generation());
    CHECK(has("new"));
}

TEST_CASE("many responses with one tag") {
    constexpr std::size_t many = 40'000;  // with a search for each one, this takes more than half a minute
    const auto began = std::chrono::steady_clock::now();
    bare b;
    response_store store(100'000'000);
    stored_response made;
    made.tags = {"all"};
    const auto tagged = std::make_shared<const stored_response>(std::move(made));
    for (std::size_t i = 0; i < many; ++i) store.put(std::to_string(i), tagged, b.x.in, 0);
    for (std::size_t i = many; i-- > 1'000;) store.erase(std::to_string(i));  // the newest first
    CHECK(store.find("999", b.x.in));
    CHECK(!store.find("1000", b.x.in));
    store.erase_tag("all");
    CHECK(store.bytes() == 0);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(8));
}
