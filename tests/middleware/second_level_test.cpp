// SPDX-License-Identifier: Apache-2.0
#include "middleware/second_level.hpp"

#include "middleware/cache_entry.hpp"
#include "middleware/crowd.hpp"
#include "middleware/shared_pages.hpp"

#include <stdexcept>
#include <string>

using namespace apus;
using apus::middleware::entry_bytes;
using apus::middleware::stored_response;
using apus::middleware::varying_fields;
using apus::support::crowd;
using apus::support::memory_store;
using apus::support::node;

TEST_CASE("processes share responses by the second level") {
    memory_store store;
    node one(store), other(store);
    const auto first = one.client.get("/page");
    CHECK(first.body == "page 1");
    CHECK(first.header("age").empty());
    store.pass(seconds(20));
    const auto shared = other.client.get("/page");
    CHECK(shared.body == "page 1");
    CHECK(shared.header("age") == "20");
    CHECK(shared.header("content-type") == first.header("content-type"));
    CHECK(other.client.get("/page", {{"if-none-match", "\"v1\""}}).status == 304);
    CHECK(other.runs == 0);
    CHECK(store.finds == 2);  // then the response is in memory
    other.client.advance(seconds(39));
    CHECK(other.client.get("/page").header("age") == "59");
    store.pass(seconds(40));
    other.client.advance(seconds(1));
    CHECK(other.client.get("/page").body == "page 1");  // of its own handler
    CHECK(other.runs == 1);
}

TEST_CASE("only responses for all clients are stored on the second level") {
    struct row {
        const char* path;
        const char *field, *value;
        bool stored;
    };
    const row rows[] = {
        {"/page", "", "", true},
        {"/public", "", "", true},
        {"/public", "authorization", "Bearer x", false},
        {"/public", "x-user", "ann", false},
        {"/page", "authorization", "Bearer x", false},
        {"/public", "x-inner-user", "ann", false},
        {"/page", "x-inner-user", "ann", false},
        {"/page", "range", "bytes=0-1", false},
        {"/private", "", "", false},
        {"/no-store", "", "", false},
        {"/no-cache", "", "", false},
        {"/cookie", "", "", false},
        {"/plain", "", "", false},
        {"/any", "", "", false},
        {"/many-fields", "", "", false},
        {"/error", "", "", false},
        {"/stream", "", "", false},
        {"/large", "", "", false},
    };
    for (const auto& [path, field, value, stored] : rows) {
        CAPTURE(path);
        CAPTURE(field);
        const bool plain = *field == '\0';
        const auto get = [&](node& from) {
            return plain ? from.client.get(path) : from.client.get(path, {{field, value}});
        };
        memory_store store;
        node one(store), other(store);
        for (int i = 0; i < 3; ++i) CHECK(get(one).status != 500);
        CHECK(store.entries.empty() == !stored);
        get(other);
        CHECK(other.runs == (stored ? 0 : 1));
        // Requests with credentials do not use the store, unless middleware inside finds them.
        CHECK((store.finds > 0) == (plain || std::string_view(field) == "x-inner-user"));
    }
}

TEST_CASE("a response on the second level is for the same scheme, host, target and fields") {
    memory_store store;
    node one(store), other(store);
    CHECK(one.client.get("/language", {{"accept-language", "de"}}).body == "language 1");
    CHECK(one.client.get("/language", {{"accept-language", "en"}}).body == "language 2");
    CHECK(other.client.get("/language", {{"accept-language", "en"}}).body == "language 2");
    CHECK(other.client.get("/language", {{"accept-language", "de"}}).body == "language 1");
    CHECK(other.runs == 0);
    CHECK(other.client.get("/language", {{"accept-language", "fr"}}).body == "language 1");
    CHECK(other.client.get("/language").body == "language 2");
    CHECK(one.client.get("/page").body == "page 3");
    CHECK(other.client.get("/page", {{"host", "other.example"}}).body == "page 3");
    CHECK(other.client.get("/page?a=1").body == "page 4");
    CHECK(other.runs == 4);
}

TEST_CASE("requests that wait on a core ask the second level once") {
    memory_store store;
    CHECK(node(store).client.get("/page").status == 200);
    for (const bool found : {true, false}) {
        CAPTURE(found);
        store.finds = 0;
        store.delay = milliseconds(5);
        int runs = 0;
        crowd many(support::pages(runs, response_cache({.store = &store})));
        std::vector<std::size_t> clients;
        for (int i = 0; i < 20; ++i) clients.push_back(many.ask(found ? "/page" : "/slow"));
        many.leave(clients.front());  // the next request asks again
        for (std::size_t i = 1; i < clients.size(); ++i) CHECK(many.answer_of(clients[i]).status == 200);
        CHECK(runs == (found ? 0 : 1));
        CHECK(store.finds <= 2);
        store.delay = {};
    }
}

TEST_CASE("while the second level fails, the first level works alone") {
    memory_store store;
    node filled(store), one(store);
    filled.client.get("/page");
    store.broken = true;
    CHECK(one.client.get("/page").body == "page 1");
    CHECK(one.runs == 1);
    CHECK(one.client.get("/page").body == "page 1");
    CHECK(one.runs == 1);
    CHECK(store.finds == 2);  // one of each process
    for (const char* path : {"/public", "/language", "/stale"}) CHECK(one.client.get(path).status == 200);
    CHECK(store.finds == 2);
    CHECK(one.client.put("/page", "").status == 204);
    store.broken = false;
    one.client.advance(seconds(1));
    // The drop is carried out before the store is used again.
    const int before = one.runs;
    CHECK(one.client.get("/page").body == "page " + std::to_string(before + 1));
    CHECK(store.drops == 1);
    node other(store);
    CHECK(other.client.get("/page").body == "page " + std::to_string(before + 1));
    CHECK(other.runs == 0);
}

TEST_CASE("a store without a reply delays requests by its timeout, once per second") {
    memory_store store;
    int runs = 0;
    crowd m(support::pages(runs, response_cache({.store = &store, .store_timeout = milliseconds(20)})));
    store.silent = true;
    CHECK(m.answer_of(m.ask("/page")).body == "page 1");
    CHECK(m.answer_of(m.ask("/public")).body == "public 2");
    CHECK(store.finds == 1);
    CHECK_THROWS_AS(response_cache({.store = &store, .store_timeout = {}}), std::invalid_argument);
}

TEST_CASE("a store that does not store does not affect reads") {
    memory_store store;
    node one(store), filled(store);
    filled.client.get("/public");
    store.full = true;
    for (const char* path : {"/page", "/language", "/public"}) CHECK(one.client.get(path).status == 200);
    CHECK(one.runs == 2);
    CHECK(store.finds == 1 + 3);
    CHECK(store.puts == 1 + 1);  // one attempt per second
    store.full = false;
    one.client.advance(seconds(1));
    one.client.get("/stale");
    CHECK(store.puts == 3);
}

TEST_CASE("dropped responses are dropped on the second level too") {
    struct row {
        const char* name;
        void (*drop)(node&);
    };
    const row rows[] = {
        {"a tag", [](node& n) { n.cache.drop_tag("page"); }},
        {"the target", [](node& n) { n.cache.drop("LOCALHOST", "/page"); }},
        {"all", [](node& n) { n.cache.drop_all(); }},
        {"by a successful request", [](node& n) { CHECK(n.client.put("/page", "").status == 204); }},
        {"by a later one", [](node& n) { CHECK(n.client.put("/page?later", "").status == 204); }},
    };
    for (const auto& [name, drop] : rows) {
        CAPTURE(name);
        memory_store store;
        node one(store), other(store), third(store);
        const bool later = std::string_view(name) == "by a later one";
        const char* path = later ? "/page?later" : "/page";
        one.client.get(path);
        drop(one);
        CHECK(one.client.get(path).body == "page 2");
        CHECK(other.client.get(path).body == "page 2");
        CHECK(store.drops == 1);
        drop(third);  // has nothing in memory
        CHECK(third.client.get(path).body == "page 1");
    }
    memory_store store;
    node one(store), other(store);
    one.client.get("/page");
    one.cache.drop_tag_in_memory("page");
    CHECK(one.client.get("/page").body == "page 1");
    one.cache.drop_all_in_memory();
    CHECK(one.client.get("/page").body == "page 1");
    CHECK(store.drops == 0);
}

TEST_CASE("too many drops at once drop all responses of the second level") {
    memory_store store;
    node one(store), other(store), third(store);
    one.client.get("/page");
    for (unsigned i = 0; i < middleware::second_level::max_drops; ++i) other.cache.drop_tag(std::to_string(i));
    CHECK(other.client.get("/page").body == "page 1");
    CHECK(other.runs == 0);
    for (unsigned i = 0; i <= middleware::second_level::max_drops; ++i) third.cache.drop_tag(std::to_string(i));
    CHECK(third.client.get("/page").body == "page 1");
    CHECK(third.runs == 1);
    CHECK(store.drops == 2);
}

TEST_CASE("a response that was on its way from the second level at a drop is not stored in memory") {
    struct row {
        const char* name;
        void (*drop)(response_cache&, crowd&);
    };
    const row rows[] = {
        {"a tag", [](response_cache& c, crowd&) { c.drop_tag("page"); }},
        {"the target", [](response_cache& c, crowd&) { c.drop("localhost", "/page"); }},
        {"all", [](response_cache& c, crowd&) { c.drop_all(); }},
        {"by a successful request",
         [](response_cache&, crowd& m) {
             CHECK(m.answer_of(m.ask("/page", "content-length: 0\r\n", "PUT")).status == 204);
         }},
    };
    for (const auto& [name, drop] : rows) {
        CAPTURE(name);
        memory_store store;
        CHECK(node(store).client.get("/page").body == "page 1");
        int runs = 0;
        response_cache cache({.store = &store});
        crowd m(support::pages(runs, cache));
        store.delay = milliseconds(30);
        const auto waiting = m.ask("/page");
        drop(cache, m);
        CHECK(m.answer_of(waiting).status == 200);
        CHECK(m.answer_of(m.ask("/page")).body == "page 1");
        CHECK(runs == 1);
    }
}

TEST_CASE("an explicit drop calls the store also after a failure") {
    memory_store store;
    int runs = 0;
    response_cache cache({.store = &store});
    app a = support::pages(runs, cache);
    a.get("/drop", [&]() -> task<> {
        cache.drop_tag("page");
        return cache.store_drops();
    });
    crowd m(std::move(a));
    store.broken = true;
    CHECK(m.answer_of(m.ask("/public")).status == 200);
    store.broken = false;
    CHECK(m.answer_of(m.ask("/drop")).status == 204);
    CHECK(store.drops == 1);
}

TEST_CASE("a response that a handler began before a drop is stored nowhere") {
    for (const bool elsewhere : {false, true}) {
        CAPTURE(elsewhere);
        memory_store store;
        {
            int runs = 0;
            response_cache cache({.store = &store}), other({.store = &store});
            app a = support::pages(runs, cache);
            a.get("/drop", [&]() -> task<> {
                other.drop_tag("slow");
                return other.store_drops();
            });
            crowd m(std::move(a));
            support::holds_slow = true;
            const auto waiting = m.ask("/slow");
            CHECK(runs == 1);
            if (elsewhere) CHECK(m.answer_of(m.ask("/drop")).status == 204);
            else cache.drop_tag("slow");
            support::holds_slow = false;
            CHECK(m.answer_of(waiting).body == "slow 1");
            m.turn();
            CHECK(store.puts == 1);
            CHECK(store.entries.empty());
        }
        node later(store);
        CHECK(later.client.get("/slow").body == "slow 1");
        CHECK(later.runs == 1);
    }
}

TEST_CASE("an expired response is refreshed by the second level") {
    memory_store store;
    node one(store), other(store);
    CHECK(one.client.get("/stale").body == "stale 1");
    CHECK(other.client.get("/stale").body == "stale 1");
    CHECK(other.runs == 0);
    store.pass(seconds(2));
    other.client.advance(seconds(2));                     // for all processes: they are on one thread
    CHECK(other.client.get("/stale").body == "stale 1");  // stale: the handler runs in the background
    CHECK(other.runs == 1);
    node third(store);
    CHECK(third.client.get("/stale").body == "stale 1");
    CHECK(one.client.get("/stale").body == "stale 1");
    CHECK(one.runs == 1);  // refreshed by the response of the other process
}

TEST_CASE("invalid bytes on the second level count as missing") {
    memory_store good;
    node writer(good);
    writer.client.get("/page");
    REQUIRE(good.entries.size() == 1);
    const auto key = good.entries.begin()->first;
    const auto whole = good.entries.begin()->second;
    const auto page_with = [](std::initializer_list<std::pair<std::string, std::string>> fields) {
        stored_response made;
        made.body = "of another program";
        made.fields = fields;
        return entry_bytes("http localhost /page", made);
    };
    const std::pair<std::string, std::string> lifetime("cache-control", "max-age=60");
    struct row {
        const char* name;
        std::string bytes;
        duration left;
        bool used;
    };
    const row rows[] = {
        {"as stored", whole.bytes, seconds(60), true},
        {"forged", page_with({lifetime}), seconds(60), true},
        {"of another version", "apus-rc0" + whole.bytes.substr(8), seconds(60), false},
        {"cut", whole.bytes.substr(0, whole.bytes.size() - 1), seconds(60), false},
        {"one more byte", whole.bytes + "x", seconds(60), false},
        {"text", "invalid", seconds(60), false},
        {"longer than its lifetime", whole.bytes, seconds(3'600), false},
        {"expired", whole.bytes, milliseconds(0), false},
        {"negative lifetime", whole.bytes, milliseconds(-5), false},
        {"of another target", entry_bytes("http localhost /other", stored_response()), seconds(60), false},
        {"without a lifetime", page_with({}), seconds(60), false},
        {"private", page_with({{"cache-control", "private, max-age=60"}}), seconds(60), false},
        {"with a cookie", page_with({lifetime, {"set-cookie", "a=b"}}), seconds(60), false},
        {"varies by all", page_with({lifetime, {"vary", "*"}}), seconds(60), false},
        {"varies, but is not a variant", page_with({lifetime, {"vary", "accept"}}), seconds(60), false},
        {"names without end", entry_bytes("http localhost /page", varying_fields{"x-none"}), seconds(60), false},
        {"too large", std::string(std::size_t(2) << 20U, 'x'), seconds(60), false},
    };
    for (const auto& [name, bytes, left, used] : rows) {
        CAPTURE(name);
        memory_store store;
        store.fixed = response_cache_store::found{.bytes = bytes, .left = left, .began = "1"};
        node one(store);
        const auto got = one.client.get("/page");
        CHECK(got.status == 200);
        CHECK(one.runs == (used ? 0 : 1));
        CHECK(store.puts == (used ? 0U : 1U));
    }
}
