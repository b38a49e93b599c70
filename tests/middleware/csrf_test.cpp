// SPDX-License-Identifier: Apache-2.0
#include <apus/client_info.hpp>
#include <apus/csrf.hpp>
#include <apus/sessions.hpp>

#include "middleware/browser.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace apus;
using test::browser;

namespace {

const std::string secret(32, 's'), other_secret(32, 'o');

app guarded(csrf by) {
    app a;
    a.use(trusted_proxies({"unix"}));
    a.use(std::move(by));
    a.get("/", [] { return "read"; });
    a.options("/", [] { return "asked"; });
    a.post("/", [] { return "changed"; });
    a.put("/", [] { return "changed"; });
    a.patch("/", [] { return "changed"; });
    a.del("/", [] { return "changed"; });
    return a;
}

struct row {
    std::string_view verb, fields;
    int status;
};

constexpr row truth_table[] = {
    // Safe methods are accepted from any origin.
    {"GET", "sec-fetch-site: cross-site\r\norigin: https://evil.example\r\n", 200},
    {"HEAD", "sec-fetch-site: cross-site\r\n", 200},
    {"OPTIONS", "sec-fetch-site: cross-site\r\norigin: https://evil.example\r\n", 200},
    // Exception: WebSocket handshakes.
    {"GET", "upgrade: websocket\r\nconnection: upgrade\r\norigin: https://evil.example\r\n", 403},
    {"GET", "upgrade: websocket\r\nconnection: upgrade\r\nsec-fetch-site: cross-site\r\n", 403},
    {"GET", "upgrade: websocket\r\nconnection: upgrade\r\norigin: https://app.example\r\n", 200},
    // Fetch metadata decides if present.
    {"POST", "sec-fetch-site: same-origin\r\n", 200},
    {"POST", "sec-fetch-site: none\r\n", 200},
    {"POST", "sec-fetch-site: same-site\r\n", 403},
    {"POST", "sec-fetch-site: cross-site\r\n", 403},
    {"POST", "sec-fetch-site: \r\n", 403},
    {"POST", "sec-fetch-site: same-origin, cross-site\r\n", 403},
    {"POST", "sec-fetch-site: SAME-ORIGIN\r\n", 403},
    {"POST", "sec-fetch-site: same-origin\r\nsec-fetch-site: cross-site\r\n", 403},
    {"PUT", "sec-fetch-site: cross-site\r\n", 403},
    {"PATCH", "sec-fetch-site: cross-site\r\n", 403},
    {"DELETE", "sec-fetch-site: cross-site\r\n", 403},
    {"BREW", "sec-fetch-site: cross-site\r\n", 403},
    {"POST", "sec-fetch-site: cross-site\r\norigin: https://app.example\r\n", 403},
    {"POST", "sec-fetch-site: cross-site\r\norigin: https://partner.example\r\n", 200},
    {"POST", "sec-fetch-site: same-site\r\norigin: https://partner.example\r\n", 200},
    {"POST", "sec-fetch-site: cross-site\r\norigin: https://partner.example.evil.example\r\n", 403},
    {"POST", "sec-fetch-site: cross-site\r\norigin: null\r\n", 403},
    // Otherwise the Origin field decides.
    {"POST", "origin: https://app.example\r\n", 200},
    {"POST", "origin: http://app.example\r\n", 200},   // http is accepted, since the server's scheme is unknown
    {"POST", "origin: https://APP.example\r\n", 403},  // no browser sends capital letters in an origin
    {"POST", "origin: https://evil.example\r\n", 403},
    {"POST", "origin: https://app.example.evil.example\r\n", 403},
    {"POST", "origin: https://app.example:8443\r\n", 403},
    {"POST", "origin: https://sub.app.example\r\n", 403},
    {"POST", "origin: ftp://app.example\r\n", 403},
    {"POST", "origin: null\r\n", 403},
    {"POST", "origin: \r\n", 403},
    {"POST", "origin: https://partner.example\r\n", 200},
    {"POST", "origin: https://app.example\r\norigin: https://evil.example\r\n", 403},
    {"DELETE", "origin: https://evil.example\r\n", 403},
    // If a proxy reports the scheme, it must match too.
    {"POST", "x-forwarded-for: 192.0.2.1\r\nx-forwarded-proto: https\r\norigin: https://app.example\r\n", 200},
    {"POST", "x-forwarded-for: 192.0.2.1\r\nx-forwarded-proto: https\r\norigin: http://app.example\r\n", 403},
    // Otherwise the Referer field decides.
    {"POST", "referer: https://app.example/form?x=1\r\n", 200},
    {"POST", "referer: https://app.example\r\n", 200},
    {"POST", "referer: https://evil.example/https://app.example/\r\n", 403},
    {"POST", "referer: https://app.example@evil.example/\r\n", 403},
    {"POST", "referer: https://evil.example?https://app.example/\r\n", 403},
    {"POST", "referer: nonsense\r\n", 403},
    {"POST", "referer: https://partner.example/x\r\n", 200},
    {"POST", "referer: https://app.example/\r\norigin: https://evil.example\r\n", 403},
    // Clients other than browsers send none of these fields.
    {"POST", "", 200},
    {"DELETE", "", 200},
};

app forms(csrf by) {
    app a;
    a.use(sessions({secret}));
    a.use(std::move(by));
    a.get("/form", [](request& req) { return csrf_token(req); });
    a.post("/", [](body_text) { return "changed"; });
    a.post("/unread", [] { return "changed"; });
    a.post("/login", [](session& s) { s.renew(); });
    return a;
}

}  // namespace

TEST_CASE("csrf: the truth table") {
    for (const auto& r : truth_table) {
        CAPTURE(r.verb);
        CAPTURE(r.fields);
        browser b(guarded(csrf({.trusted_origins = {"https://partner.example"}})));
        const auto a = b.send(r.verb, "/", r.fields);
        CHECK(a.status == r.status);
    }
}

TEST_CASE("csrf: the default port is the same origin, and browser-only mode") {
    app a;
    a.use(csrf());
    a.post("/", [] {});
    test::client to(std::move(a));
    CHECK(to.post("/", "", {{"host", "app.example:443"}, {"origin", "https://app.example"}}).status == 204);
    CHECK(to.post("/", "", {{"host", "app.example:80"}, {"origin", "https://app.example"}}).status == 403);
    CHECK(to.post("/", "", {{"host", "[::1]:8080"}, {"origin", "http://[::1]:8080"}}).status == 204);
    app strict;
    strict.use(csrf({.browsers_only = true}));
    strict.post("/", [] {});
    test::client other(std::move(strict));
    CHECK(other.post("/", "").status == 403);
    CHECK(other.post("/", "", {{"sec-fetch-site", "same-origin"}}).status == 204);
}

TEST_CASE("csrf: a token of the session, in a header or a form") {
    browser b(forms(csrf({.token_secrets = {secret}})));
    const std::string token = b.get("/form").body;
    CHECK(token.size() == 64);
    CHECK(b.get("/form").body != token);
    const std::string form = "content-type: application/x-www-form-urlencoded\r\n";
    const auto post = [&b](std::string_view target, const std::string& fields, const std::string& body) {
        return b.send("POST", target, "sec-fetch-site: same-origin\r\n" + fields, body).status;
    };
    CHECK(post("/", "x-csrf-token: " + token + "\r\n", "") == 200);
    CHECK(post("/unread", "x-csrf-token: " + token + "\r\n", "") == 200);
    CHECK(post("/", form, "a=1&csrf_token=" + token + "&b=2") == 200);
    CHECK(post("/", "content-type: Application/X-WWW-form-urlencoded; charset=utf-8\r\n", "csrf_token=" + token) ==
          200);
    CHECK(post("/", "", "csrf_token=" + token) == 403);  // rejected: the content type is not that of a form
    CHECK(post("/", form, "xcsrf_token=" + token) == 403);
    CHECK(post("/", form, "csrf_token=") == 403);
    CHECK(post("/", form, "") == 403);
    CHECK(post("/unread", form, "csrf_token=" + token) == 403);  // rejected: the handler does not read the body
    std::string changed = token;
    changed[50] = changed[50] == 'A' ? 'B' : 'A';
    CHECK(post("/", "x-csrf-token: " + changed + "\r\n", "") == 403);
    CHECK(post("/", "x-csrf-token: " + token + "A\r\n", "") == 403);
    CHECK(b.send("POST", "/", "sec-fetch-site: cross-site\r\nx-csrf-token: " + token + "\r\n").status == 403);

    CHECK(post("/login", "x-csrf-token: " + token + "\r\n", "") == 204);
    CHECK(post("/", "x-csrf-token: " + token + "\r\n", "") == 403);  // rejected: the session id has changed
    CHECK(post("/", "x-csrf-token: " + b.get("/form").body + "\r\n", "") == 200);
}

TEST_CASE("csrf: a token is invalid in another session or with other secrets") {
    browser victim(forms(csrf({.token_secrets = {secret}}))), attacker(forms(csrf({.token_secrets = {secret}}))),
        changed(forms(csrf({.token_secrets = {other_secret, secret}})));
    victim.get("/form");
    const std::string token = attacker.get("/form").body;
    CHECK(victim.send("POST", "/", "x-csrf-token: " + token + "\r\n").status == 403);
    changed.cookies = attacker.cookies;
    CHECK(changed.send("POST", "/", "x-csrf-token: " + token + "\r\n").status == 200);
    changed.cookies.clear();
    CHECK(changed.send("POST", "/", "x-csrf-token: " + token + "\r\n").status == 403);
}

TEST_CASE("csrf: invalid configurations are rejected with a message") {
    CHECK_THROWS_WITH_AS(csrf({.trusted_origins = {"app.example"}}),
                         "csrf: \"app.example\" is not an origin such as https://app.example", std::invalid_argument);
    CHECK_THROWS_AS(csrf({.trusted_origins = {"null"}}), std::invalid_argument);
    CHECK_THROWS_WITH_AS(csrf({.token_secrets = {"x"}}),
                         "a secret for csrf tokens has 1 bytes: use at least 32 bytes from a random number generator",
                         std::invalid_argument);
    app a;
    a.use(csrf({.token_secrets = {secret}}));
    a.get("/form", [](request& req) { return csrf_token(req); });
    test::client to(std::move(a));
    CHECK(to.get("/form").status == 500);  // the app does not use sessions
}
