// SPDX-License-Identifier: Apache-2.0
#include <apus/compression.hpp>
#include <apus/idempotency.hpp>
#include <apus/identity.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using apus::idempotency;
using apus::idempotency_options;
using apus::memory_idempotency_store;
using apus::seconds;
using apus::test::client;

namespace {

struct orders {
    memory_idempotency_store store;
    int calls = 0;
    int status = 201;

    client service(const idempotency_options& how = {}) {
        apus::app a;
        a.use(idempotency(store, how));
        add_routes(a);
        return client(std::move(a));
    }

private:
    void add_routes(apus::app& a) {
        const auto create = [this](apus::body_text body) {
            apus::response res(status);
            res.body(std::to_string(++calls) + " " + std::string(body), "text/plain; charset=utf-8");
            res.header("Location", "/orders/1").header("Set-Cookie", "a=b");
            return res;
        };
        a.post("/orders", create);
        a.patch("/orders", create);
        a.put("/orders", create);
        a.post("/others", create);
        a.post("/reads", [this](apus::request& req) -> apus::task<std::string> {
            std::string all = std::to_string(++calls);
            while (true) {
                const std::string_view piece = co_await req.read();
                if (piece.empty()) co_return all;
                all.append(" ").append(piece);
            }
        });
        a.post("/ignores", [this] { return std::to_string(++calls); });
        a.post("/slow", [this]() -> apus::task<std::string> {
            ++calls;
            co_await apus::sleep_for(seconds(10));
            co_return "done";
        });
        a.post("/stream", [this] {
            ++calls;
            return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> { co_await out.write("piece"); });
        });
        a.post("/large", [this] { return ++calls, std::string(300'000, 'x'); });
        a.post("/fails", [this]() -> apus::result<std::string> {
            ++calls;
            return apus::fail(status, "the reason");
        });
        a.post("/throws", [this]() -> std::string {
            ++calls;
            throw std::runtime_error("broken");
        });
    }
};

std::string shown(const apus::test::response& of) {
    return std::to_string(of.status).append(" ").append(of.body).append(
        of.header("idempotent-replayed") == "true" ? " replayed" : "");
}

}  // namespace

TEST_CASE("a repeated request gets the first response, and its handler does not run") {
    orders o;
    client c = o.service();
    CHECK(shown(c.post("/orders", "tea", {{"idempotency-key", "\"k\""}})) == "201 1 tea");
    const auto again = c.post("/orders", "tea", {{"idempotency-key", "\"k\""}});
    CHECK(shown(again) == "201 1 tea replayed");
    CHECK(again.header("location") == "/orders/1");
    CHECK(again.header("content-type") == "text/plain; charset=utf-8");
    CHECK(again.header("set-cookie").empty());
    CHECK(shown(c.post("/orders", "tea", {{"idempotency-key", "k"}})) == "201 1 tea replayed");
    CHECK(o.calls == 1);
}

TEST_CASE("a key belongs to a caller, a method and a path") {
    orders o;
    client c = o.service();
    const char* alice = "Bearer alice";
    const auto post = [&](const char* path, const char* key, const char* caller) {
        return shown(c.post(path, "x", {{"idempotency-key", key}, {"authorization", caller}}));
    };
    CHECK(post("/orders", "k", alice) == "201 1 x");
    CHECK(post("/orders", "k", "Bearer bob") == "201 2 x");
    CHECK(post("/orders", "l", alice) == "201 3 x");
    CHECK(post("/others", "k", alice) == "201 4 x");
    CHECK(shown(c.patch("/orders", "x", {{"idempotency-key", "k"}, {"authorization", alice}})) == "201 5 x");
    CHECK(post("/orders", "k", alice) == "201 1 x replayed");
    // Other methods, and requests without a key, pass.
    for (int i = 6; i < 8; ++i)
        CHECK(shown(c.put("/orders", "x", {{"idempotency-key", "k"}})) == "201 " + std::to_string(i) + " x");
    for (int i = 8; i < 10; ++i) CHECK(shown(c.post("/orders", "x")) == "201 " + std::to_string(i) + " x");
}

TEST_CASE("invalid keys are 400, and reuse for another request is 422") {
    orders o;
    client c = o.service({.required = true});
    CHECK(c.post("/orders", "x").status == 400);
    CHECK(c.post("/orders", "x", {{"idempotency-key", ""}}).status == 400);
    CHECK(c.post("/orders", "x", {{"idempotency-key", "\"a"}}).status == 400);
    CHECK(c.post("/orders", "x", {{"idempotency-key", "a"}, {"idempotency-key", "b"}}).status == 400);
    CHECK(c.put("/orders", "x").status == 201);
    CHECK(o.calls == 1);
    CHECK(c.post("/orders?a=1", "x", {{"idempotency-key", "k"}}).status == 201);
    for (const char* target : {"/orders", "/orders?a=2"}) {
        const auto other = c.post(target, "x", {{"idempotency-key", "k"}});
        CHECK(other.status == 422);
        CHECK(other.header("content-type") == "application/problem+json");
    }
    CHECK(c.post("/orders?a=1", "y", {{"idempotency-key", "k"}}).status == 422);
    CHECK(c.post("/orders?a=1", "x", {{"idempotency-key", "k"}}).status == 201);
    CHECK(o.calls == 2);
}

TEST_CASE("a concurrent duplicate is 409 with Retry-After") {
    orders o;
    client c = o.service();
    auto first = c.open("POST", "/slow", "x", {{"idempotency-key", "k"}});
    CHECK_FALSE(first.has_begun());
    const auto second = c.post("/slow", "x", {{"idempotency-key", "k"}});
    CHECK(second.status == 409);
    CHECK(second.header("retry-after") == "1");
    CHECK(c.post("/slow", "y", {{"idempotency-key", "k"}}).status == 422);
    c.advance(seconds(10));
    CHECK(first.rest().body == "done");
    CHECK(shown(c.post("/slow", "x", {{"idempotency-key", "k"}})) == "200 done replayed");
    CHECK(o.calls == 1);
}

TEST_CASE("a request that outlives its lease does not replace the response of its successor") {
    orders o;
    client c = o.service({.lease = seconds(5)});
    auto first = c.open("POST", "/slow", "x", {{"idempotency-key", "k"}});
    CHECK_FALSE(first.has_begun());
    c.advance(seconds(6));
    auto second = c.open("POST", "/slow", "x", {{"idempotency-key", "k"}});
    CHECK_FALSE(second.has_begun());
    CHECK(o.calls == 2);
    c.advance(seconds(4));
    CHECK(first.rest().body == "done");
    CHECK(c.post("/slow", "x", {{"idempotency-key", "k"}}).status == 409);
}

TEST_CASE("responses expire after their lifetime") {
    orders o;
    client c = o.service({.lifetime = seconds(100)});
    CHECK(shown(c.post("/orders", "x", {{"idempotency-key", "k"}})) == "201 1 x");
    c.advance(seconds(99));
    CHECK(shown(c.post("/orders", "x", {{"idempotency-key", "k"}})) == "201 1 x replayed");
    c.advance(seconds(1));
    CHECK(shown(c.post("/orders", "x", {{"idempotency-key", "k"}})) == "201 2 x");
}

TEST_CASE("final responses are stored, also errors; server errors and temporary ones are not") {
    struct row {
        int status;
        bool stored, stored_with_server_errors;
    };
    const row rows[] = {{200, true, true},   {204, true, true},  {303, true, true},   {400, true, true},
                        {404, true, true},   {409, true, true},  {408, false, false}, {425, false, false},
                        {429, false, false}, {500, false, true}, {503, false, true}};
    for (const auto& [status, stored, stored_with_server_errors] : rows) {
        for (const bool server_errors : {false, true}) {
            CAPTURE(status);
            CAPTURE(server_errors);
            orders o;
            o.status = status;
            client c = o.service({.server_errors = server_errors});
            const char* const path = status < 400 ? "/orders" : "/fails";
            const auto first = c.post(path, "x", {{"idempotency-key", "k"}});
            const auto second = c.post(path, "x", {{"idempotency-key", "k"}});
            CHECK(first.status == status);
            CHECK(second.status == status);
            const bool replays = server_errors ? stored_with_server_errors : stored;
            CHECK(second.header("idempotent-replayed") == (replays ? "true" : ""));
            CHECK(o.calls == (replays ? 1 : 2));
            if (replays) CHECK(second.body == first.body);
        }
    }
    orders o;
    client c = o.service();
    for (int i = 1; i < 3; ++i) {
        CHECK(c.post("/throws", "x", {{"idempotency-key", "k"}}).status == 500);
        CHECK(o.calls == i);
    }
    CHECK(o.store.keys() == 0);
}

TEST_CASE("streamed and large responses are sent once; repetitions are 409") {
    for (const char* path : {"/stream", "/large"}) {
        CAPTURE(path);
        orders o;
        client c = o.service();
        const auto first = c.post(path, "x", {{"idempotency-key", "k"}});
        CHECK(first.status == 200);
        CHECK(first.body.size() >= 5);
        const auto second = c.post(path, "x", {{"idempotency-key", "k"}});
        CHECK(second.status == 409);
        CHECK(second.header("retry-after").empty());
        CHECK(second.body.contains("has ended with status 200"));
        CHECK(c.post(path, "y", {{"idempotency-key", "k"}}).status == 422);
        CHECK(o.calls == 1);
        CHECK(o.store.bytes() < 1'000);
    }
}

TEST_CASE("handlers read the body however they like") {
    orders o;
    client c = o.service();
    const std::string large(100'000, 'b');
    for (const std::string& body : {std::string(), std::string("tea"), large}) {
        const std::string key = "k" + std::to_string(body.size());
        const std::string number = std::to_string(o.calls + 1);
        const std::string expected = body.empty() ? number : number + " " + body;
        CHECK(c.post("/reads", body, {{"idempotency-key", key}}).body == expected);
        CHECK(c.post("/reads", body, {{"idempotency-key", key}}).body == expected);
        CHECK(c.post("/ignores", body, {{"idempotency-key", key}}).status == 200);
        CHECK(c.post("/ignores", body, {{"idempotency-key", key}}).header("idempotent-replayed") == "true");
    }
    CHECK(o.calls == 6);
    // The same request with a chunked body, followed by another request on the connection.
    const std::string chunked =
        "POST /reads HTTP/1.1\r\nhost: a\r\nidempotency-key: c\r\n"
        "transfer-encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n";
    CHECK(c.send_raw(chunked).body == "7 onetwo");
    CHECK(c.send_raw(chunked).body == "7 onetwo");
    CHECK(c.post("/orders", "x").body == "8 x");
}

TEST_CASE("10,000 keys of a hostile client take bounded memory") {
    memory_idempotency_store store(100'000);
    apus::app a;
    a.use(idempotency(store));
    a.post("/", [](apus::body_text) { return std::string(200, 'r'); });
    client c(std::move(a));
    for (int i = 0; i < 10'000; ++i)
        REQUIRE(c.post("/", "x", {{"idempotency-key", "k" + std::to_string(i)}}).status == 200);
    CHECK(store.bytes() <= 100'000);
    CHECK(store.keys() < 500);
}

TEST_CASE("the caller is the identity, or what the function returns") {
    memory_idempotency_store store;
    int calls = 0;
    apus::app inner;
    inner.use(idempotency(store, {.required = true}));
    inner.post("/", [&](apus::body_text) { return std::to_string(++calls); });
    apus::app own;
    own.use(idempotency(store, {}, [](apus::request& req) { return req.header("x-tenant"); }));
    own.post("/", [&](apus::body_text) { return std::to_string(++calls); });
    apus::app a;
    a.use([](apus::request& req) -> apus::result<void> {
        apus::identity known;
        known.subject = req.header("x-user");
        req.set(std::move(known));
        return {};
    });
    a.mount("/inner", std::move(inner));
    a.mount("/own", std::move(own));
    client c(std::move(a));
    CHECK(c.post("/inner", "", {{"idempotency-key", "k"}, {"x-user", "ann"}, {"authorization", "1"}}).body == "1");
    CHECK(c.post("/inner", "", {{"idempotency-key", "k"}, {"x-user", "ann"}, {"authorization", "2"}}).body == "1");
    CHECK(c.post("/inner", "", {{"idempotency-key", "k"}, {"x-user", "ben"}, {"authorization", "2"}}).body == "2");
    CHECK(c.post("/own", "", {{"idempotency-key", "k"}, {"x-user", "ann"}, {"x-tenant", "t"}}).body == "3");
    CHECK(c.post("/own", "", {{"idempotency-key", "k"}, {"x-user", "ben"}, {"x-tenant", "t"}}).body == "3");
}

TEST_CASE("errors of the store: nothing runs without a claim; later ones do not change the response") {
    struct broken_store final : apus::idempotency_store {
        apus::task<std::optional<std::string>> claim(std::string_view, std::string_view, apus::duration) override {
            if (breaks_claims) co_await apus::fail(503, "no store");
            co_return value;
        }
        apus::task<bool> complete(std::string_view, std::string_view, std::string_view, apus::duration) override {
            co_await apus::fail(503, "no store");
            co_return false;
        }
        apus::task<> release(std::string_view, std::string_view) override { co_await apus::fail(503, "no store"); }
        bool breaks_claims = true;
        std::optional<std::string> value;
    } store;
    int calls = 0, status = 200;
    apus::app a;
    a.use(idempotency(store));
    a.post("/", [&](apus::body_text) { return apus::response(++calls ? status : 0); });
    client c(std::move(a));
    CHECK(c.post("/", "", {{"idempotency-key", "k"}}).status == 503);
    CHECK(calls == 0);
    store.breaks_claims = false;
    CHECK(c.post("/", "", {{"idempotency-key", "k"}}).status == 200);
    status = 500;
    CHECK(c.post("/", "", {{"idempotency-key", "k"}}).status == 500);
    CHECK(calls == 2);
    for (const char* value : {"", "apus-ik2", "{}"}) {
        store.value = value;
        CHECK(c.post("/", "", {{"idempotency-key", "k"}}).status == 409);
    }
    CHECK(calls == 2);
}

TEST_CASE("a compressed body is decoded once") {
    orders o;
    apus::app a;
    a.use(apus::decompress_requests());
    a.use(idempotency(o.store));
    a.post("/", [](apus::request& req) -> apus::task<std::string> { co_return co_await req.body(); });
    client c(std::move(a));
    // "tea", compressed with gzip.
    const std::string packed(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b"
        "\x49\x4d\x04\x00\xb2\xd7\x86\x8e\x03\x00\x00\x00",
        23);
    for (int i = 0; i < 2; ++i)
        CHECK(c.post("/", packed, {{"idempotency-key", "k"}, {"content-encoding", "gzip"}}).body == "tea");
}

TEST_CASE("idempotency: invalid options are rejected") {
    memory_idempotency_store store;
    CHECK_THROWS_AS(idempotency(store, {.lifetime = seconds(0)}), std::invalid_argument);
    CHECK_THROWS_AS(idempotency(store, {.lease = apus::milliseconds(999)}), std::invalid_argument);
}
