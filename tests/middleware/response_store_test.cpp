// SPDX-License-Identifier: Apache-2.0
#include "middleware/response_store.hpp"

#include "http/exchange.hpp"

#include <doctest/doctest.h>

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
    for (const char* key : {"a", "b", "c"}) store.put(key, sized(1'000), b.x.in);
    CHECK(store.bytes() <= 5'000);
    CHECK(store.find("a", b.x.in));
    store.put("d", sized(1'000), b.x.in);
    CHECK_FALSE(store.find("b", b.x.in));
    CHECK(store.find("a", b.x.in));
    CHECK(store.find("d", b.x.in));
    store.put("huge", sized(5'000), b.x.in);
    CHECK_FALSE(store.find("huge", b.x.in));
    CHECK(store.find("d", b.x.in));
}

TEST_CASE("a response replaces its predecessor, and all of a key can be dropped") {
    bare b;
    response_store store(100'000);
    store.put("a", sized(10), b.x.in);
    store.put("a", sized(20), b.x.in);
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
        store.put("a", std::move(made), attacker.x.in);
    };
    for (int i = 0; i < 100; ++i) make_up(i);
    auto real = sized(10);
    real->vary.emplace_back("lang", "de");
    store.put("a", std::move(real), other.x.in);
    CHECK(store.find("a", other.x.in));
    for (int i = 0; i < 16; ++i) make_up(100 + i);
    CHECK(store.find("a", other.x.in));
    make_up(200);
    CHECK_FALSE(store.find("a", other.x.in));
    CHECK(store.bytes() < 17 * 600);
}
