// SPDX-License-Identifier: Apache-2.0
#include <apus/response_cache.hpp>

#include "middleware/crowd.hpp"
#include "middleware/detached_request.hpp"
#include "middleware/single_flight.hpp"

#include <apus/client_info.hpp>
#include <apus/identity.hpp>
#include <apus/security_headers.hpp>
#include <apus/sessions.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>
#include <thread>

using apus::app;
using apus::response;
using apus::response_cache;
using apus::support::crowd;
using apus::test::client;

namespace {

response with(int number, std::initializer_list<apus::field_view> fields) {
    response res;
    res.body("answer " + std::to_string(number), "text/plain; charset=utf-8");
    for (const auto& f : fields) res.header(f.name, f.value);
    return res;
}

// Routes whose responses depend on more than the request's fields.
void add_particular(app& a, int& runs) {
    a.get("/stale-tag", [&runs](apus::request& req) {
        ++runs;
        if (!req.header("if-none-match").empty() || !req.header("if-modified-since").empty()) return response(304);
        return with(runs, {{"cache-control", "max-age=0, stale-while-revalidate=60"}});
    });
    a.get("/nonce", [&runs](apus::request& req) {
        response res = with(++runs, {{"cache-control", "max-age=60"}});
        (void)apus::csp_nonce(req);
        return res;
    });
}

// Responds with the number of times that the handler ran, so that cached responses are recognized.
app counting(int& runs, const response_cache& cache) {
    app a;
    a.use(cache);
    const auto serve = [&](const char* path, std::initializer_list<apus::field_view> fields) {
        std::vector<std::pair<std::string, std::string>> own;
        for (const auto& f : fields) own.emplace_back(f.name, f.value);
        a.get(apus::runtime_route(path), [&runs, own] {
            response res = with(++runs, {});
            for (const auto& [name, value] : own) res.header(name, value);
            return res;
        });
    };
    serve("/minute", {{"cache-control", "max-age=60"}, {"etag", "\"v1\""}});
    serve("/shared", {{"cache-control", "max-age=0, s-maxage=60"}});
    serve("/nothing", {});
    serve("/private", {{"cache-control", "private, max-age=60"}});
    serve("/private-too", {{"cache-control", "max-age=60"}, {"cache-control", "private"}});
    serve("/no-store", {{"cache-control", "max-age=60, no-store"}});
    serve("/no-cache", {{"cache-control", "no-cache, max-age=60"}});
    serve("/two-lines", {{"cache-control", "max-age=60"}, {"Cache-Control", "no-store"}});
    serve("/zero", {{"cache-control", "max-age=0"}});
    serve("/cookie", {{"cache-control", "max-age=60"}, {"set-cookie", "a=b"}});
    serve("/varies", {{"cache-control", "max-age=60"}, {"vary", "accept-language"}});
    serve("/varies-by-all", {{"cache-control", "max-age=60"}, {"vary", "*"}});
    serve("/public", {{"cache-control", "public, max-age=60"}});
    serve("/stale", {{"cache-control", "max-age=0, stale-while-revalidate=60"}});
    a.get("/error", [&runs] {
        response res = with(++runs, {{"cache-control", "max-age=60"}});
        res.status(404);
        return res;
    });
    a.get("/stream", [&runs] {
        const std::string text = "answer " + std::to_string(++runs);
        response res =
            apus::stream("text/plain", [text](apus::writer& out) -> apus::task<> { co_await out.write(text); });
        res.header("cache-control", "max-age=60");
        return res;
    });
    a.get("/later/{name}", [&runs](std::string) -> apus::task<response> {
        co_await apus::sleep_for(apus::milliseconds(5));
        co_return with(++runs, {{"cache-control", "max-age=60"}});
    });
    a.get("/alone", [&runs]() -> apus::task<response> {
        co_await apus::sleep_for(apus::milliseconds(5));
        co_return with(++runs, {});
    });
    a.get("/stale-later/{name}", [&runs](std::string name) -> apus::task<response> {
        while (runs == 1) co_await apus::sleep_for(apus::milliseconds(1));  // waits until the test continues
        if (name != "a b") co_return response(500);
        co_return with(++runs, {{"cache-control", "max-age=0, stale-while-revalidate=60"}});
    });
    add_particular(a, runs);
    a.post("/minute", [] {});
    a.del("/minute", [] { return response(409); });
    return a;
}

// Responds with the identity of the client, from a key or a session.
app personal(const response_cache& cache, apus::session_store& store, bool outermost) {
    app a;
    if (outermost) a.use(cache);
    a.use(apus::sessions(store, {.secure = false}));
    a.use([](apus::request& req) -> apus::result<void> {
        if (!req.header("x-key").empty()) req.set(apus::identity()).subject = "alice by key";
        return {};
    });
    if (!outermost) a.use(cache);
    a.get("/login", [](apus::session& s) { s.set("name", "alice by session"); });
    const auto show = [](apus::session& s, apus::request& req, const char* control) {
        const auto* who = req.find<apus::identity>();
        response res = response::text(who ? who->subject : std::string(s.find("name").value_or("nobody")));
        res.header("cache-control", control);
        return res;
    };
    a.get("/mine", [show](apus::session& s, apus::request& req) { return show(s, req, "max-age=60"); });
    a.get("/public", [show](apus::session& s, apus::request& req) { return show(s, req, "public, max-age=60"); });
    return a;
}

}  // namespace

TEST_CASE("only responses with explicit freshness are stored") {
    struct row {
        const char* path;
        bool kept;
    };
    const row rows[] = {
        {"/minute", true},         {"/shared", true},     {"/public", true},       {"/later/x", true},
        {"/nothing", false},       {"/private", false},   {"/private-too", false}, {"/no-store", false},
        {"/no-cache", false},      {"/two-lines", false}, {"/zero", false},        {"/cookie", false},
        {"/varies-by-all", false}, {"/error", false},     {"/stream", false},      {"/alone", false},
        {"/nonce", false},
    };
    int runs = 0;
    client c(counting(runs, response_cache()));
    for (const auto& row : rows) {
        CAPTURE(row.path);
        runs = 0;
        const auto first = c.get(row.path), second = c.get(row.path);
        CHECK(first.body == "answer 1");
        CHECK(second.body == (row.kept ? "answer 1" : "answer 2"));
        CHECK(second.header("age") == (row.kept ? "0" : ""));
        CHECK(second.header("cache-control") == first.header("cache-control"));
        CHECK(second.header("content-type") == first.header("content-type"));
        CHECK(second.status == first.status);
    }
}

TEST_CASE("errors are stored if enabled") {
    int runs = 0;
    client c(counting(runs, response_cache({.errors = true})));
    CHECK(c.get("/error").body == "answer 1");
    CHECK(c.get("/error").body == "answer 1");
    CHECK(c.get("/error").status == 404);
}

TEST_CASE("the key is host, target and the fields of Vary") {
    int runs = 0;
    client c(counting(runs, response_cache()));
    CHECK(c.get("/minute").body == "answer 1");
    CHECK(c.get("/minute?").body == "answer 2");
    CHECK(c.get("/minute?a").body == "answer 3");
    CHECK(c.get("/minute", {{"host", "other"}}).body == "answer 4");
    CHECK(c.get("/minute", {{"host", "LOCALHOST"}}).body == "answer 1");
    CHECK(c.get("/varies", {{"accept-language", "de"}}).body == "answer 5");
    CHECK(c.get("/varies", {{"accept-language", "en"}}).body == "answer 6");
    CHECK(c.get("/varies", {{"accept-language", "de"}, {"accept-language", "fr"}}).body == "answer 7");
    CHECK(c.get("/varies").body == "answer 8");
    CHECK(c.get("/varies", {{"accept-language", "de"}}).body == "answer 5");
    CHECK(c.get("/varies", {{"accept-language", "en"}}).body == "answer 6");
}

TEST_CASE("behind a proxy the key has the client's scheme and host") {
    int runs = 0;
    response_cache cache;
    app a;
    a.use(apus::trusted_proxies({"unix"}, {.host = true}));
    a.use(cache);
    a.get("/", [&runs](apus::request& req) {
        response res = with(++runs, {{"cache-control", "max-age=0, stale-while-revalidate=60"}});
        res.header("x-seen", apus::client_of(req).scheme + "://" + apus::client_of(req).host);
        return res;
    });
    a.post("/", [] {});
    client c(std::move(a));
    struct row {
        const char *scheme, *host, *seen;
    };
    const row rows[] = {{"https", "a.example", "https://a.example"},
                        {"https", "b.example", "https://b.example"},
                        {"http", "a.example", "http://a.example"}};
    // Each use of a stale response starts a refresh with the same scheme and host.
    for (int round = 0; round < 3; ++round)
        for (const auto& row : rows) {
            CAPTURE(row.scheme);
            CAPTURE(row.host);
            CHECK(c.get("/", {{"x-forwarded-for", "192.0.2.1"},
                              {"x-forwarded-proto", row.scheme},
                              {"x-forwarded-host", row.host}})
                      .header("x-seen") == row.seen);
        }
    const apus::test::client::fields by_http = {{"x-forwarded-for", "192.0.2.1"}, {"x-forwarded-host", "a.example"}};
    runs = 100;
    CHECK(c.post("/", "",
                 {{"x-forwarded-for", "192.0.2.1"}, {"x-forwarded-proto", "https"}, {"x-forwarded-host", "a.example"}})
              .status == 204);
    CHECK(c.get("/", by_http).body == "answer 101");
    cache.drop("a.example", "/");
    CHECK(c.get("/", by_http).body == "answer 102");
}

TEST_CASE("a request with Authorization gets only public responses, and stores none") {
    int runs = 0;
    client c(counting(runs, response_cache()));
    const apus::test::client::fields alice = {{"authorization", "Bearer alice"}};
    CHECK(c.get("/minute", alice).body == "answer 1");
    CHECK(c.get("/minute", alice).body == "answer 2");
    CHECK(c.get("/minute").body == "answer 3");
    CHECK(c.get("/minute", alice).body == "answer 4");
    CHECK(c.get("/minute").body == "answer 3");
    CHECK(c.get("/public", alice).body == "answer 5");
    CHECK(c.get("/public").body == "answer 5");
    CHECK(c.get("/shared", alice).body == "answer 6");
    CHECK(c.get("/shared", alice).body == "answer 6");
}

TEST_CASE("responses to authenticated clients are not shared") {
    for (const bool outermost : {true, false}) {
        CAPTURE(outermost);
        const apus::test::client::fields key = {{"x-key", "1"}};
        apus::memory_session_store store;
        client c(personal(response_cache(), store, outermost), {.cookies = true});
        CHECK(c.get("/mine", key).body == "alice by key");
        CHECK(c.get("/mine").body == "nobody");
        CHECK(c.get("/public", key).body == "alice by key");
        CHECK(c.get("/public").body == "alice by key");  // stored, since the response is marked as public
        if (!outermost) CHECK(c.get("/mine", key).body == "alice by key");
        client d(personal(response_cache(), store, outermost), {.cookies = true});
        CHECK(d.get("/login").status == 204);
        CHECK(d.get("/mine").body == "alice by session");
        CHECK(d.get("/mine").header("age").empty());
        d.forget_cookies();
        CHECK(d.get("/mine").body == "nobody");
        CHECK(d.get("/mine").header("age") == "0");
        if (outermost) continue;
        CHECK(d.get("/login").status == 204);
        CHECK(d.get("/mine").body == "alice by session");
    }
}

TEST_CASE("a GET with a body is not cached") {
    int runs = 0;
    app a;
    a.use(response_cache());
    a.get("/search", [&runs](apus::body_text what) {
        response res = with(++runs, {{"cache-control", "max-age=60"}});
        res.header("x-what", what.bytes);
        return res;
    });
    client c(std::move(a));
    CHECK(c.send("GET", "/search", "evil").header("x-what") == "evil");
    CHECK(c.get("/search").header("x-what").empty());
    CHECK(c.get("/search").body == "answer 2");
    CHECK(c.send("GET", "/search", "mine").header("x-what") == "mine");
    CHECK(c.get("/search").body == "answer 2");
}

TEST_CASE("HEAD and conditional requests are answered from the cache") {
    int runs = 0;
    client c(counting(runs, response_cache()));
    CHECK(c.head("/minute").header("content-length") == "8");
    CHECK(c.get("/minute").body == "answer 2");
    const auto head = c.head("/minute");
    CHECK(head.header("age") == "0");
    CHECK(head.header("content-length") == "8");
    const auto same = c.get("/minute", {{"if-none-match", "\"v1\""}});
    CHECK(same.status == 304);
    CHECK(same.header("etag") == "\"v1\"");
    CHECK(same.header("cache-control") == "max-age=60");
    CHECK(c.get("/minute", {{"if-none-match", "\"v2\""}}).body == "answer 2");
    CHECK(c.get("/minute", {{"cache-control", "no-cache"}}).body == "answer 2");
    CHECK(runs == 2);
}

TEST_CASE("a successful unsafe request invalidates its target") {
    int runs = 0;
    response_cache cache;
    client c(counting(runs, cache));
    CHECK(c.get("/minute").body == "answer 1");
    CHECK(c.del("/minute").status == 409);
    CHECK(c.get("/minute").body == "answer 1");
    CHECK(c.post("/minute", "").status == 204);
    CHECK(c.get("/minute").body == "answer 2");
    cache.drop("localhost", "/minute");
    CHECK(c.get("/minute").body == "answer 3");
    CHECK(c.post("/minute", "", {{"range", "bytes=0-"}}).status == 204);
    CHECK(c.get("/minute").body == "answer 4");
}

TEST_CASE("copies share the cache, also between threads") {
    int runs = 0;
    const response_cache cache;
    client c(counting(runs, cache));
    CHECK(c.get("/minute").body == "answer 1");
    std::thread([&] {
        client other(counting(runs, cache));
        CHECK(other.get("/minute").body == "answer 1");
    }).join();
    client apart(counting(runs, response_cache()));
    CHECK(apart.get("/minute").body == "answer 2");
}

TEST_CASE("concurrent requests for one key wait for one handler") {
    int runs = 0;
    crowd c(counting(runs, response_cache()));
    std::size_t all[10];
    for (auto& one : all) one = c.ask("/later/x");
    const auto other = c.ask("/later/y");
    for (auto one : all) CHECK(c.answer_of(one).body == "answer 1");
    CHECK(c.answer_of(other).body == "answer 2");
    CHECK(runs == 2);
}

TEST_CASE("if the client whose handler runs leaves, the next client's handler runs") {
    int runs = 0;
    crowd c(counting(runs, response_cache()));
    const auto first = c.ask("/later/x"), second = c.ask("/later/x"), third = c.ask("/later/x"),
               fourth = c.ask("/later/x");
    c.leave(third);
    c.leave(first);
    CHECK(c.answer_of(second).body == "answer 1");
    CHECK(c.answer_of(fourth).body == "answer 1");
    CHECK(runs == 1);
}

TEST_CASE("requests wait for an uncacheable response only once") {
    int runs = 0;
    crowd c(counting(runs, response_cache()));
    const auto first = c.ask("/alone"), second = c.ask("/alone"), third = c.ask("/alone");
    CHECK(c.answer_of(first).body == "answer 1");
    CHECK(c.answer_of(second).status == 200);
    CHECK(c.answer_of(third).status == 200);
    CHECK(runs == 3);
}

TEST_CASE("a stale response is served once more while it is revalidated") {
    int runs = 0;
    client c(counting(runs, response_cache()));
    CHECK(c.get("/stale").body == "answer 1");
    CHECK(c.get("/stale").body == "answer 1");  // the stale response; the refresh runs in the background afterwards
    CHECK(c.get("/stale").body == "answer 2");
}

TEST_CASE("a stale response is refreshed whatever the client's validators") {
    const apus::field_view conditions[] = {{"if-none-match", "\"v1\""},
                                           {"If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"}};
    for (const auto& condition : conditions) {
        CAPTURE(condition.name);
        int runs = 0;
        client c(counting(runs, response_cache()));
        CHECK(c.get("/stale-tag").body == "answer 1");
        CHECK(c.get("/stale-tag", {condition}).body == "answer 1");
        CHECK(c.get("/stale-tag").body == "answer 2");
    }
}

TEST_CASE("a stale response is served while the handler waits") {
    int runs = 0;
    crowd m(counting(runs, response_cache()));
    CHECK(m.answer_of(m.ask("/stale-later/a%20b")).body == "answer 1");
    const auto one = m.ask("/stale-later/a%20b"), two = m.ask("/stale-later/a%20b");
    CHECK(m.answer_of(one).body == "answer 1");
    CHECK(m.answer_of(two).body == "answer 1");
    runs = 2;
    for (int i = 0; i < 1000 && runs < 3; ++i) m.turn(1);
    m.turn();
    CHECK(m.answer_of(m.ask("/stale-later/a%20b")).body == "answer 3");
    runs = 1;
    m.ask("/stale-later/a%20b");  // starts a handler run, which is cancelled when the app is destroyed
}
