// SPDX-License-Identifier: Apache-2.0
#include <apus/sessions.hpp>

#include "middleware/browser.hpp"
#include "middleware/crowd.hpp"

#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using namespace apus;
using test::browser;

namespace {

const std::string secret(32, 's'), other_secret(32, 'o');

std::int64_t clock_now = 1'800'000'000;
std::int64_t fake_clock() { return clock_now; }

app notes(sessions by) {
    app a;
    a.use(std::move(by));
    a.get("/", [](const session& s) {
        return std::string(s.find("note").value_or("-")) + " " + std::to_string(s.find<int>("visits").value_or(0));
    });
    a.get("/id", [](session& s) { return s.id(); });
    a.put("/{note}", [](session& s, std::string_view note) {
        s.set("note", note);
        s.set("visits", s.find<int>("visits").value_or(0) + 1);
    });
    a.put("/later/{note}", [](session& s, std::string note) -> task<> {
        s.set("note", note);
        co_return;
    });
    a.get("/later/fails", [](session& s) -> task<> {
        s.set("note", "kept");
        co_await fail(409, "no");
    });
    a.post("/renew", [](session& s) { s.renew(); });
    a.post("/destroy", [](session& s) { s.destroy(); });
    a.post("/again", [](session& s) { s.destroy(), s.set("note", "new"); });
    a.post("/large", [](session& s) { s.set("note", std::string(100'000, 'x')); });
    return a;
}

sessions_options timed() { return {.idle = seconds(100), .absolute = seconds(1000), .now = fake_clock}; }

// Runs the same checks with each kind of session storage.
template <class F>
void in_both(F check) {
    SUBCASE("in a cookie") {
        check([] { return notes(sessions({secret}, timed())); });
    }
    SUBCASE("in memory") {
        memory_session_store store;
        check([&store] { return notes(sessions(store, timed())); });
    }
}

}  // namespace

TEST_CASE("sessions: nothing is sent before a value is set, or without a change") {
    in_both([](auto make) {
        browser b(make());
        CHECK(b.get("/").body == "- 0");
        CHECK(b.set.empty());
        CHECK(b.send("PUT", "/milk", "").status == 204);
        const std::string value = b.cookies["__Host-session"];
        CHECK(b.set == "__Host-session=" + value + "; Path=/; Secure; HttpOnly; SameSite=Lax");
        CHECK_FALSE(value.contains("milk"));
        const auto read = b.get("/");
        CHECK(read.body == "milk 1");
        CHECK(read.header("vary") == "Cookie");
        CHECK(b.set.empty());
        CHECK(b.send("PUT", "/later/eggs", "").status == 204);
        CHECK(b.get("/").body == "eggs 1");
        CHECK(b.get("/later/fails").status == 409);
        CHECK(b.get("/").body == "kept 1");
    });
}

TEST_CASE("sessions: a response that sets the cookie is not cached") {
    in_both([](auto make) {
        browser b(make());
        CHECK(b.send("PUT", "/milk", "").header("cache-control") == "no-store");
        CHECK(b.get("/").header("cache-control").empty());
    });
}

TEST_CASE("sessions: a session survives a restart if its store does") {
    in_both([](auto make) {
        browser before(make());
        before.send("PUT", "/milk", "");
        browser after(make());
        after.cookies = before.cookies;
        CHECK(after.get("/").body == "milk 1");
    });
}

TEST_CASE("sessions: idle and absolute expiry") {
    in_both([](auto make) {
        browser b(make());
        b.send("PUT", "/milk", "");
        clock_now += 99;
        CHECK(b.get("/").body == "milk 1");  // this use restarts the idle timeout
        clock_now += 99;
        CHECK(b.get("/").body == "milk 1");
        clock_now += 100;
        CHECK(b.get("/").body == "- 0");
        b.send("PUT", "/eggs", "");
        for (int i = 0; i < 19; ++i) {
            clock_now += 50;
            CHECK(b.get("/").body == "eggs 1");
        }
        clock_now += 50;  // now 1000 seconds after the session was created
        CHECK(b.get("/").body == "- 0");
    });
}

TEST_CASE("sessions: idle expiry is extended at most every tenth of its duration") {
    browser b(notes(sessions({secret}, timed())));
    b.send("PUT", "/milk", "");
    clock_now += 9;
    b.get("/");
    CHECK(b.set.empty());
    clock_now += 1;
    b.get("/");
    CHECK_FALSE(b.set.empty());
}

TEST_CASE("sessions: renewing changes the id and keeps the values; the old id is invalid") {
    in_both([](auto make) {
        browser b(make());
        b.send("PUT", "/milk", "");
        const std::string id = b.get("/id").body;
        const auto old = b.cookies;
        CHECK(id.size() == 22);
        CHECK(b.get("/id").body == id);
        b.send("POST", "/renew", "");
        CHECK(b.cookies != old);
        CHECK(b.get("/").body == "milk 1");
        CHECK(b.get("/id").body != id);
        if (old.begin()->second.size() != 22) return;  // a session that is stored in the cookie cannot be revoked
        b.cookies = old;
        CHECK(b.get("/").body == "- 0");
    });
}

TEST_CASE("sessions: a destroyed session is gone in the store and the browser") {
    in_both([](auto make) {
        browser b(make());
        CHECK(b.send("POST", "/destroy", "").status == 204);
        CHECK(b.set.empty());
        b.send("PUT", "/milk", "");
        b.send("POST", "/destroy", "");
        CHECK(b.set == "__Host-session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax");
        CHECK(b.cookies.empty());
        CHECK(b.get("/").body == "- 0");
        b.send("PUT", "/milk", "");
        const std::string id = b.get("/id").body;
        b.send("POST", "/again", "");
        CHECK(b.get("/").body == "new 0");
        CHECK(b.get("/id").body != id);
    });
}

TEST_CASE("sessions: a concurrent request does not restore an ended or renewed session") {
    struct row {
        const char *meanwhile, *seen;
        std::size_t left;
    };
    const row rows[] = {{"/destroy", "-", 0}, {"/renew", "-", 1}, {"/nothing", "slow", 1}};
    for (const auto& row : rows) {
        CAPTURE(row.meanwhile);
        memory_session_store store;
        bool go_on = false;
        app a;
        a.use(sessions(store, timed()));
        a.get("/", [](const session& s) { return std::string(s.find("note").value_or("-")); });
        a.get("/login", [](session& s) { s.set("note", "logged in"); });
        a.get("/nothing", [] {});
        a.get("/destroy", [](session& s) { s.destroy(); });
        a.get("/renew", [](session& s) { s.renew(); });
        a.get("/slow", [&go_on](session& s) -> task<> {
            while (!go_on) co_await apus::sleep_for(milliseconds(1));
            s.set("note", "slow");
        });
        support::crowd c(std::move(a));
        const auto login = c.answer_of(c.ask("/login"));
        const std::string cookie =
            "cookie: " + std::string(login.header("set-cookie").substr(0, login.header("set-cookie").find(';'))) +
            "\r\n";
        CHECK(c.answer_of(c.ask("/", cookie)).body == "logged in");
        const auto in_flight = c.ask("/slow", cookie);
        CHECK(c.answer_of(c.ask(row.meanwhile, cookie)).status == 204);
        go_on = true;
        CHECK(c.answer_of(in_flight).status == 204);
        CHECK(c.answer_of(c.ask("/", cookie)).body == row.seen);
        CHECK(store.size() == row.left);
    }
}

TEST_CASE("sessions: a forged cookie is not a session, and not used as an id") {
    in_both([](auto make) {
        browser b(make());
        b.send("PUT", "/milk", "");
        const std::string good = b.cookies["__Host-session"];
        std::string changed = good;
        changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
        for (const std::string& value : {changed, good + "A", good.substr(1), std::string(22, 'A'), std::string(),
                                         std::string("x y"), std::string(4000, 'A')}) {
            b.cookies["__Host-session"] = value;
            const auto a = b.get("/");
            CHECK(a.status == 200);
            CHECK(a.body == "- 0");
            b.cookies["__Host-session"] = value;
            b.send("PUT", "/mine", "");
            CHECK(b.cookies["__Host-session"] != value);  // clients must not be able to choose their session id
        }
    });
}

TEST_CASE("sessions: secrets are rotated by prepending a new one") {
    browser old(notes(sessions({secret})));
    old.send("PUT", "/milk", "");
    browser both(notes(sessions({other_secret, secret})));
    both.cookies = old.cookies;
    CHECK(both.get("/").body == "milk 1");
    both.send("PUT", "/eggs", "");
    browser fresh(notes(sessions({other_secret})));
    fresh.cookies = both.cookies;
    CHECK(fresh.get("/").body == "eggs 2");
    fresh.cookies = old.cookies;
    CHECK(fresh.get("/").body == "- 0");
}

TEST_CASE("sessions: exceeding the store's size is the handler's error") {
    in_both([](auto make) {
        browser b(make());
        CHECK(b.send("POST", "/large", "").status == 500);
        CHECK(b.set.empty());
    });
    app a;
    a.use(sessions({secret}, {.name = "s"}));
    std::string said;
    a.get("/{n}", [&said](session& s, unsigned n) {
        try {
            s.set("note", std::string(n, 'x'));
        } catch (const std::length_error& e) {
            said = e.what();
        }
    });
    browser b(std::move(a));
    b.get("/2800");
    CHECK(said.empty());
    CHECK(b.set.size() <= 4096);
    b.get("/3000");
    CHECK(said.starts_with("session: setting \"note\" needs 3008 bytes in total, but the store allows 29"));
}

TEST_CASE("sessions: options for plain http and persistent cookies") {
    browser b(
        notes(sessions({secret}, {.name = "sid", .persistent = true, .secure = false, .site = same_site::strict})));
    b.send("PUT", "/milk", "");
    CHECK(b.set.starts_with("sid="));
    CHECK(b.set.ends_with("; Path=/; Max-Age=1800; HttpOnly; SameSite=Strict"));
}

TEST_CASE("sessions: invalid options are rejected") {
    CHECK_THROWS_WITH_AS(sessions({"short"}),
                         "a secret for sessions has 5 bytes: use at least 32 bytes from a random number generator",
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS(sessions(std::vector<std::string>()), "missing secret for sessions", std::invalid_argument);
    CHECK_THROWS_AS(sessions({secret}, {.name = "a b"}), std::invalid_argument);
    CHECK_THROWS_AS(sessions({secret}, {.secure = false, .site = same_site::none}), std::invalid_argument);
    CHECK_THROWS_AS(sessions({secret}, {.idle = duration()}), std::invalid_argument);
}

TEST_CASE("sessions: an error of the store becomes the response") {
    struct broken final : session_store {
        task<std::optional<std::string>> load(std::string_view) override { co_return std::nullopt; }
        task<> save(std::string_view, std::string, duration) override { co_await fail(503, "the store is away"); }
        task<> remove(std::string_view) override { co_return; }
    };
    broken store;
    browser b(notes(sessions(store)));
    CHECK(b.get("/").status == 200);
    CHECK(b.send("PUT", "/milk", "").status == 503);
    CHECK(b.set.empty());
}

TEST_CASE("sessions: a handler that needs a session without the middleware fails at start") {
    const auto around = [](auto middleware) {
        app a;
        a.use(std::move(middleware));
        app part;
        part.post("/cart/{id}", [](int, apus::session&) {});
        a.mount("/shop", std::move(part));
        return a;
    };
    const char* const told =
        "the handler of POST /shop/cart/{id} takes a `apus::session&`, but no middleware around it sets one: put "
        "apus::sessions around the route";
    CHECK_THROWS_WITH_AS(test::client(around([](request&) -> result<void> { return {}; })), told, std::logic_error);
    CHECK_THROWS_WITH_AS(
        test::client(around([](request& req, next_handler rest) -> task<response> { co_return co_await rest(req); })),
        told, std::logic_error);
    CHECK_NOTHROW(test::client(around(sessions({std::string(32, 's')}))));
}
