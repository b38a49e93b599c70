// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"
#include "server/test_connection.hpp"

#include <apus/bearer_auth.hpp>
#include <apus/events.hpp>
#include <apus/json.hpp>
#include <apus/jwt.hpp>
#include <apus/rate_limit.hpp>
#include <apus/response_cache.hpp>
#include <apus/sessions.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>
#include <apus/timeout.hpp>

#include <doctest/doctest.h>

#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "hello\n"; });
    app.get("/users/{id}", [](int id) { return "user " + std::to_string(id); });
    app.get("/field",
            [](apus::request& req) { return std::string(req.header("x-a")) + " from " + std::string(req.host()); });
    app.post("/echo", [](apus::body_text body) { return std::string(body.bytes); });
    app.put("/count", [](apus::request& req) -> apus::task<std::string> {
        std::size_t bytes = 0;
        while (true) {
            std::string_view piece = co_await req.read();
            if (piece.empty()) break;
            bytes += piece.size();
        }
        co_return std::to_string(bytes);
    });
    app.get("/stream", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> {
            co_await out.write("one ");
            co_await out.write("two");
            out.trailer("x-sum", "7");
        });
    });
    return app;
}

}  // namespace

TEST_CASE("a test client uses the real protocol") {
    apus::test::client client(make_app());
    const auto home = client.get("/");
    CHECK(home.status == 200);
    CHECK(home.body == "hello\n");
    CHECK(home.header("Content-Length") == "6");
    CHECK_FALSE(home.header("date").empty());
    CHECK_FALSE(home.closed);
    CHECK(client.get("/users/7").body == "user 7");
    CHECK(client.get("/users/x").status == 400);
    CHECK(client.post("/echo", "the body").body == "the body");
    CHECK(client.post("/echo", "").body == "");
    CHECK(client.get("/field", {{"x-a", "b"}, {"host", "there"}}).body == "b from there");
    CHECK(client.options("/echo").header("allow") == "POST, OPTIONS");
}

TEST_CASE("a handler without memory answers 503, and the next request is served") {
    apus::app app;
    app.get("/", [] { return "hello"; });
    app.get("/at-once", []() -> std::string { throw std::bad_alloc(); });
    app.get("/later", []() -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(1));
        throw std::bad_alloc();
    });
    apus::test::client client(std::move(app));
    for (const char* path : {"/at-once", "/later"}) {
        CHECK(client.get(path).status == 503);
        CHECK(client.get("/").body == "hello");
    }
}

TEST_CASE("a response to HEAD has the fields of one to GET, and no body") {
    apus::test::client client(make_app());
    const auto head = client.head("/");
    CHECK(head.status == 200);
    CHECK(head.header("content-length") == "6");
    CHECK(head.body.empty());
    CHECK(client.get("/").body == "hello\n");
}

TEST_CASE("bodies may be large in both directions, and chunked with trailers") {
    apus::test::client client(make_app());
    const std::string large(900'000, 'x');
    CHECK(client.put("/count", large).body == "900000");
    CHECK(client.post("/echo", large).body == large);
    const auto streamed = client.get("/stream");
    CHECK(streamed.body == "one two");
    CHECK(streamed.trailer_field("X-Sum") == "7");
}

TEST_CASE("bytes are sent as they are") {
    apus::test::client client(make_app());
    CHECK(client.send_raw("GET / HTTP/1.1\r\nhost: a\r\n\r\nGET /users/1 HTTP/1.1\r\nhost: a\r\n\r\n").body ==
          "hello\n");
    CHECK(client.receive().body == "user 1");
    const auto refused = client.send_raw("GET / HTTP/1.1\r\nbad field\r\n\r\n");
    CHECK(refused.status == 400);
    CHECK(refused.closed);
    CHECK(client.get("/").status == 200);  // on a new connection
}

TEST_CASE("a client sets the limits, and its waits time out") {
    apus::limits small;
    small.body = 10;
    apus::test::client client(make_app(), {.limits = small, .timeout = apus::milliseconds(50)});
    CHECK(client.post("/echo", "eleven bytes").status == 413);
    CHECK_THROWS_WITH(client.send_raw("GET / HTTP/1.1\r\nho"), "no response within 50 ms");
}

TEST_CASE("clients of one thread are independent") {
    apus::test::client one(make_app());
    apus::test::client other(make_app());
    CHECK(one.get("/").status == 200);
    CHECK(other.get("/users/1").body == "user 1");
    one = apus::test::client(make_app());
    CHECK(one.get("/").status == 200);
    CHECK(other.get("/").status == 200);
}

TEST_CASE("a client posts forms and uploads") {
    apus::app app;
    app.post("/", [](apus::request& req) -> apus::task<std::string> {
        const std::string type(req.header("content-type"));
        auto body = co_await req.body();
        co_return type + "|" + body;
    });
    apus::test::client client(std::move(app));
    CHECK(client.form("/", {{"a", "b c"}}).expect(200).body == "application/x-www-form-urlencoded|a=b+c");
    CHECK(client.upload("/", {{"f", "text", "a.txt"}})
              .body.starts_with("multipart/form-data; boundary=apus-boundary|--apus-boundary\r\n"));
}

TEST_CASE("a client keeps cookies if enabled") {
    for (bool keeps : {false, true}) {
        apus::app app;
        app.get("/set", [] {
            apus::response res;
            res.header("set-cookie", "a=1").header("set-cookie", "b=2; Path=/");
            return res;
        });
        app.get("/", [](apus::request& req) { return "[" + std::string(req.header("cookie")) + "]"; });
        apus::test::client client(std::move(app), {.cookies = keeps});
        CHECK(client.get("/").body == "[]");
        client.get("/set");
        CHECK(client.get("/").body == (keeps ? "[a=1; b=2]" : "[]"));
        CHECK(client.get("/", {{"cookie", "own=1"}}).body == "[own=1]");
        CHECK(client.cookie("b") == (keeps ? "2" : ""));
        client.forget_cookies();
        CHECK(client.get("/").body == "[]");
    }
}

TEST_CASE("an unexpected status shows the request and the response") {
    apus::test::client client(make_app());
    CHECK(client.get("/").expect(200).body == "hello\n");
    std::string said;
    try {
        client.post("/echo", std::string(5000, 'x')).expect(201);
    } catch (const std::runtime_error& e) {
        said = e.what();
    }
    CHECK(said.starts_with("the response has status 200, not 201:\nPOST /echo HTTP/1.1\r\nhost: localhost\r\n"));
    CHECK(said.contains("bytes more]\nHTTP/1.1 200 OK\r\n"));
    CHECK(said.size() < 4500);
}

namespace {

struct drink {
    std::string name;
    int price = 0;
};

apus::app bar() {
    apus::app app;
    app.post("/drinks", [](apus::json<drink> made) { return apus::created<drink>{{made->name, made->price + 1}}; });
    app.put("/drinks/1", [](apus::json<drink> made) { return *made; });
    app.patch("/drinks/1", [](apus::json<drink> made) { return *made; });
    app.get("/text", [] { return "{}"; });
    app.get("/news", [] {
        return apus::events([](apus::event_writer& out) -> apus::task<> {
            for (int i = 1; i <= 3; ++i) {
                co_await out.send("drink " + std::to_string(i) + "\nis ready", "order", std::to_string(i));
                co_await apus::sleep_for(apus::seconds(60));
            }
        });
    });
    app.get("/clock/{seconds}", [](int seconds) -> apus::task<std::string> {
        for (int i = 0; i < seconds; ++i) co_await apus::sleep_for(apus::milliseconds(1'000));
        co_return "after " + std::to_string(seconds) + " s";
    });
    return app;
}

// Returns the first line of the exception's message.
template <class F>
std::string thrown_by(F f) {
    try {
        f();
    } catch (const std::runtime_error& e) {
        return std::string(e.what()).substr(0, std::string_view(e.what()).find('\n'));
    }
    return "nothing";
}

}  // namespace

TEST_CASE("JSON bodies are sent and read as values") {
    apus::test::client client(bar());
    const auto made = client.post("/drinks", apus::json{drink{"tea", 3}}).expect(201).json<drink>();
    CHECK(made.name == "tea");
    CHECK(made.price == 4);
    CHECK(client.put("/drinks/1", apus::json{drink{"milk", 2}}).json<drink>().name == "milk");
    CHECK(client.patch("/drinks/1", apus::json{drink{"rum", 9}}).json<drink>().price == 9);
    CHECK(thrown_by([&] { client.get("/text").json<drink>(); }) ==
          "the response is not JSON, but text/plain; charset=utf-8:");
    CHECK(thrown_by([&] {
              client.post("/drinks", apus::json{drink()}).json<std::vector<int>>();
          }).starts_with("the response is not the expected JSON: "));
}

TEST_CASE("a stream is read incrementally, and time is advanced by the test") {
    apus::test::client client(bar());
    auto news = client.open("GET", "/news");
    CHECK(news.status() == 200);
    CHECK(news.header("content-type") == "text/event-stream");
    auto first = news.next_event();
    REQUIRE(first.has_value());
    CHECK(first->name == "order");
    CHECK(first->data == "drink 1\nis ready");
    CHECK(first->id == "1");
    CHECK(client.get("/text").body == "{}");  // another connection, while the first one is in use
    client.advance(apus::seconds(60));
    CHECK(news.next_event()->id == "2");
    client.advance(apus::seconds(59));
    client.advance(apus::seconds(2));
    CHECK(news.read().contains("id: 3\n"));
    client.advance(apus::seconds(61));
    CHECK_FALSE(news.next_event().has_value());
    CHECK(news.rest().body.empty());
}

TEST_CASE("a delayed response") {
    apus::test::client client(bar());
    auto later = client.open("GET", "/clock/20");
    CHECK_FALSE(later.has_begun());
    client.advance(apus::seconds(19));
    CHECK_FALSE(later.has_begun());
    client.advance(apus::seconds(2));
    CHECK(later.has_begun());
    const auto got = later.rest().expect(200);
    CHECK(got.body == "after 20 s");
    CHECK(got.request.starts_with("GET /clock/20 HTTP/1.1\r\n"));
    // The deadlines of the server advance too.
    auto slow = client.open("GET", "/clock/100");
    client.advance(apus::seconds(40));
    CHECK(slow.rest().status == 503);
    auto piece = client.open("GET", "/news");
    CHECK(piece.read().contains("drink 1"));
    auto other = std::move(piece);
    CHECK(other.status() == 200);
    std::optional<apus::test::response_stream> left;
    {
        apus::test::client gone(bar());
        left = gone.open("GET", "/clock/5");
    }
    CHECK(left->status() == 0);
    CHECK(left->rest().closed);
}

namespace {

apus::app living_by_the_clock(int& runs) {
    const auto key = apus::jwt::key::secret(apus::jwt::algorithm::hs256, std::string(32, 'k')).value();
    apus::app app;
    apus::app limited;
    limited.use(apus::rate_limit({.requests = 1, .period = apus::seconds(3'600)}));
    limited.get("/", [] {});
    app.mount("/limited", std::move(limited));
    apus::app slow;
    slow.use(apus::timeout(apus::seconds(5)));
    slow.mount(bar());
    app.mount("/slow", std::move(slow));
    apus::app cached;
    cached.use(apus::response_cache());
    cached.get("/", [&runs] {
        auto res = apus::response::text(std::to_string(++runs));
        res.header("cache-control", "max-age=600");
        return res;
    });
    app.mount("/cached", std::move(cached));
    apus::app visits;
    visits.use(apus::sessions({std::string(32, 's')}, {.idle = apus::seconds(1'800), .secure = false}));
    visits.get("/", [](apus::session& s) {
        s.set("n", s.find<int>("n").value_or(0) + 1);
        return std::to_string(*s.find<int>("n"));
    });
    app.mount("/visits", std::move(visits));
    app.get("/token", [key] {
        return apus::jwt::sign(key, {.issuer = "i", .subject = "ann", .audience = "a", .lifetime = apus::seconds(600)});
    });
    apus::app secret;
    secret.use(apus::bearer_auth(apus::jwt::verifier(apus::jwt::key_set({key}), {.issuer = "i", .audience = "a"})));
    secret.get("/", [](const apus::identity& who) { return who.subject; });
    app.mount("/secret", std::move(secret));
    return app;
}

}  // namespace

TEST_CASE("features that depend on the clock: rates, timeouts, caches, sessions, tokens") {
    int runs = 0;
    apus::test::client client(living_by_the_clock(runs), {.cookies = true});
    CHECK(client.get("/limited").status == 204);
    CHECK(client.get("/limited").status == 429);
    client.advance(apus::seconds(3'600));
    CHECK(client.get("/limited").status == 204);

    auto late = client.open("GET", "/slow/clock/20");
    client.advance(apus::seconds(6));
    CHECK(late.status() == 504);

    CHECK(client.get("/cached").body == "1");
    client.advance(apus::seconds(599));
    CHECK(client.get("/cached").body == "1");
    client.advance(apus::seconds(2));
    CHECK(client.get("/cached").body == "2");

    CHECK(client.get("/visits").body == "1");
    client.advance(apus::seconds(1'700));
    CHECK(client.get("/visits").body == "2");
    client.advance(apus::seconds(1'900));
    CHECK(client.get("/visits").body == "1");

    const std::string token = "Bearer " + client.get("/token").expect(200).body;
    CHECK(client.get("/secret", {{"authorization", token}}).body == "ann");
    client.advance(apus::seconds(700));
    CHECK(client.get("/secret", {{"authorization", token}}).status == 401);
    const std::string fresh = "Bearer " + client.get("/token").expect(200).body;
    CHECK(client.get("/secret", {{"authorization", fresh}}).body == "ann");
}

TEST_CASE("timers that fire during advance see their own time") {
    struct alarm : apus::runtime::timer {
        std::uint64_t rang = 0;
        alarm() {
            fire = [](timer& t) noexcept { static_cast<alarm&>(t).rang = apus::runtime::loop::current().now(); };
        }
    };
    apus::test::client client(make_app());
    auto& loop = apus::runtime::loop::current();
    const auto began = loop.now();
    const auto second = apus::runtime::unix_seconds();
    alarm early, late, never;
    loop.timers().add(late, began + 86'400'000);
    loop.timers().add(early, began + 10'000);
    loop.timers().add(never, began + 200'000'000);
    apus::server::advance(loop, apus::seconds(100'000));
    CHECK(early.rang - began >= 10'000);
    CHECK(early.rang - began < 15'000);
    CHECK(late.rang - began >= 86'400'000);
    CHECK(late.rang - began < 86'405'000);
    CHECK(never.rang == 0);
    CHECK(apus::runtime::unix_seconds() - second >= 99'999);
    loop.timers().remove(never);
}
