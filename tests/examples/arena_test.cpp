// SPDX-License-Identifier: Apache-2.0
#include "arena/app.hpp"

#include <apus/test.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace {

const arena::data& shared() {
    static const arena::data data = arena::read_data(APUS_SOURCE_DIR "/examples/arena");
    return data;
}

}  // namespace

TEST_CASE("the arena adds up query and body") {
    apus::test::client client(arena::make_app(shared()));
    CHECK(client.get("/baseline11?a=13&b=42").body == "55");
    CHECK(client.get("/baseline11?b=-3&c=x").body == "-3");
    CHECK(client.get("/baseline11").body == "0");
    CHECK(client.post("/baseline11?a=13&b=42", "20").body == "75");
    CHECK(client.get("/baseline2?a=1&b=1").body == "2");
    CHECK(client.post("/baseline2?a=1&b=1", "1").status == 405);
    CHECK(client.get("/baseline2?a=1&b=1").header("content-type").starts_with("text/plain"));
}

TEST_CASE("the arena names a missing data file") {
    CHECK_THROWS_WITH(arena::read_data("/nonexistent"),
                      "cannot open /nonexistent/dataset.json: No such file or directory; set DATA to the folder that "
                      "contains dataset.json");
}

TEST_CASE("the arena rejects invalid numbers") {
    apus::test::client client(arena::make_app(shared()));
    struct row {
        const char* target;
        const char* body;
        const char* says;
    };
    const row rows[] = {
        {"/baseline11?a=x", "1", "a value of the query must be a 64-bit integer"},
        {"/baseline11?a=1", "1 ", "the body must be a 64-bit integer"},
        {"/baseline11?a=9223372036854775807&b=1", "0", "the sum exceeds 64 bits"},
        {"/baseline11?a=9223372036854775807", "1", "the sum exceeds 64 bits"},
    };
    for (const row& row : rows) {
        const auto answer = client.post(row.target, row.body);
        CHECK(answer.status == 400);
        CHECK(answer.body.find(row.says) != std::string::npos);
    }
}

TEST_CASE("the arena counts uploaded bytes, up to 32 MiB") {
    apus::test::client client(arena::make_app(shared()));
    CHECK(client.get("/pipeline").body == "ok");
    CHECK(client.post("/upload", "").body == "0");
    CHECK(client.post("/upload", std::string(1'000'000, 'x')).body == "1000000");
    CHECK(client.post("/upload", std::string(33 * 1024 * 1024, 'x')).status == 413);
}

TEST_CASE("the arena echoes the body") {
    apus::test::client client(arena::make_app(shared()));
    std::string bytes;
    for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i * 7);
    for (const std::size_t size : {std::size_t{0}, std::size_t{10'240}, bytes.size()})
        CHECK((client.post("/echo", bytes.substr(0, size)).body == bytes.substr(0, size)));
    auto socket = client.connect("/ws");
    socket.send("one");
    socket.send("two");
    CHECK(socket.receive()->bytes == "one");
    CHECK(socket.receive()->bytes == "two");
}

TEST_CASE("the arena delays a response without blocking others") {
    apus::test::client client(arena::make_app(shared()));
    CHECK(client.get("/delay/0").body == "0");
    auto waiting = client.open("GET", "/delay/9000");
    CHECK(client.get("/delay/1").body == "1");
    client.advance(apus::milliseconds(9000));
    CHECK(waiting.rest().body == "9000");
    CHECK(client.get("/delay/10001").status == 400);
    CHECK(client.get("/delay/x").status == 400);
}

TEST_CASE("the arena prints its first items, each with its total") {
    apus::test::client client(arena::make_app(shared()));
    const auto two = client.get("/json/2?m=3");
    CHECK(two.status == 200);
    CHECK(two.header("content-type") == "application/json");
    CHECK(
        two.body ==
        R"({"items":[{"id":1,"name":"Alpha Widget","category":"electronics","price":328,"quantity":15,"active":true,)"
        R"("tags":["sale","heavy-duty","popular"],"rating":{"score":48,"count":53},"total":14760},)"
        R"({"id":2,"name":"Pro Valve","category":"tools","price":347,"quantity":95,"active":true,)"
        R"("tags":["fast","heavy-duty","new","wireless"],"rating":{"score":15,"count":259},"total":98895}],"count":2})");
    CHECK(client.get("/json/1").body.find("\"total\":4920}") != std::string::npos);
    CHECK(client.get("/json/0").status == 404);
    CHECK(client.get("/json/51").status == 404);
    CHECK(client.get("/json/1?m=x").status == 422);
}

TEST_CASE("the arena compresses items only for clients that accept it") {
    apus::test::client client(arena::make_app(shared()));
    CHECK(client.get("/json/50").header("content-encoding").empty());
    CHECK(client.get("/json/50", {{"accept-encoding", "gzip, br"}}).header("content-encoding") == "br");
}

TEST_CASE("the arena's cache keeps an item for 200 ms, unless it is written") {
    arena::item_cache cache;
    const auto now = arena::item_cache::clock::now();
    const arena::item one = shared().items[0];
    const auto missed = cache.find(one.id, now);
    CHECK_FALSE(missed.value);
    cache.put(one, missed.writes, now);
    CHECK(cache.find(one.id, now + std::chrono::milliseconds(199)).value->name == one.name);
    CHECK_FALSE(cache.find(one.id, now + std::chrono::milliseconds(200)).value);
    cache.drop(one.id);
    CHECK_FALSE(cache.find(one.id, now).value);
    cache.put(one, missed.writes, now);  // this row was read before the write
    CHECK_FALSE(cache.find(one.id, now).value);
}
