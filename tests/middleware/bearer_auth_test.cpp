// SPDX-License-Identifier: Apache-2.0
#include "jwt/tokens.hpp"

#include <apus/app.hpp>
#include <apus/bearer_auth.hpp>
#include <apus/security_headers.hpp>
#include <apus/sleep.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <ctime>
#include <memory>
#include <stdexcept>

using namespace apus;

namespace {

const jwt::key& key() {
    static const jwt::key made = jwt::key::secret(jwt::algorithm::hs256, test::shared_secret, "one").value();
    return made;
}

std::string token(std::string subject, std::vector<std::string> roles = {}, std::vector<std::string> scopes = {},
                  const jwt::key& by = key()) {
    jwt::contents what{.issuer = "https://id.example", .subject = std::move(subject), .audience = "api"};
    what.roles = std::move(roles);
    what.scopes = std::move(scopes);
    return jwt::sign(by, what).value();
}

std::string shown(const identity& who) {
    std::string out = who.scheme + ' ' + who.subject;
    for (const auto& role : who.roles) out += " role:" + role;
    for (const auto& scope : who.scopes) out += " scope:" + scope;
    return out;
}

app service(bearer_auth_options how = {}) {
    app all;
    all.use(bearer_auth(jwt::verifier(jwt::key_set({key()}), test::expected()), std::move(how)));
    all.get("/me", shown);
    all.get("/anybody", [](request& req) -> std::string { return req.find<identity>() ? "known" : "unknown"; });
    app admin;
    admin.use(require_role({"admin", "root"}));
    admin.get("/", [] { return "admin"; });
    all.mount("/admin", std::move(admin));
    app orders;
    orders.use(require_scope({"read", "orders:write"}));
    orders.get("/", [] { return "orders"; });
    all.mount("/orders", std::move(orders));
    return all;
}

// Returns "401 detail | WWW-Authenticate".
std::string seen(const test::response& got) {
    std::string out = std::to_string(got.status) + ' ';
    const std::string_view mark = "\"detail\":\"";
    const std::size_t at = got.body.find(mark);
    out += at == std::string::npos
               ? got.body
               : got.body.substr(at + mark.size(), got.body.find('"', at + mark.size()) - at - mark.size());
    const auto field = got.header("www-authenticate");
    if (!field.empty()) out += " | " + std::string(field);
    return out;
}

}  // namespace

TEST_CASE("bearer: valid tokens pass, others get a challenge") {
    test::client to(service());
    const struct {
        std::string what, target, authorization, answer;
    } rows[] = {
        {"a token", "/me", "Bearer " + token("ann", {"admin"}, {"read", "write"}),
         "200 Bearer ann role:admin scope:read scope:write"},
        {"the scheme in any case", "/me", "bEARER " + token("ann"), "200 Bearer ann"},
        {"several spaces", "/me", "Bearer   " + token("ann"), "200 Bearer ann"},
        {"nothing", "/me", "", "401 send a bearer token | Bearer realm=\"api\""},
        {"another scheme", "/me", "Basic YTpi", "401 send a bearer token | Bearer realm=\"api\""},
        {"no token", "/me", "Bearer",
         "400 malformed or duplicate Authorization header: send Bearer and a token | Bearer realm=\"api\", "
         "error=\"invalid_request\""},
        {"two words", "/me", "Bearer a b",
         "400 malformed or duplicate Authorization header: send Bearer and a token | Bearer realm=\"api\", "
         "error=\"invalid_request\""},
        {"parameters", "/me", "Bearer token=\"a\"",
         "400 malformed or duplicate Authorization header: send Bearer and a token | Bearer realm=\"api\", "
         "error=\"invalid_request\""},
        {"no JWT", "/me", "Bearer abc",
         "401 a token must have three parts, separated by dots | Bearer realm=\"api\", error=\"invalid_token\", "
         "error_description=\"a token must have three parts, separated by dots\""},
        {"a role", "/admin", "Bearer " + token("ann", {"user", "root"}), "200 admin"},
        {"no such role", "/admin", "Bearer " + token("ann", {"Admin", "administrator"}),
         "403 the credentials do not have the required role"},
        {"a role needs a token", "/admin", "", "401 send a bearer token | Bearer realm=\"api\""},
        {"scopes", "/orders", "Bearer " + token("ann", {}, {"orders:write", "x", "read"}), "200 orders"},
        {"a scope too few", "/orders", "Bearer " + token("ann", {}, {"orders:write"}),
         "403 the credentials do not have the required scope | Bearer error=\"insufficient_scope\", scope=\"read "
         "orders:write\""},
        {"a token in the query", "/me?access_token=" + token("ann"), "",
         "401 send a bearer token | Bearer realm=\"api\""},
    };
    for (const auto& row : rows) {
        CAPTURE(row.what);
        const auto got =
            row.authorization.empty() ? to.get(row.target) : to.get(row.target, {{"authorization", row.authorization}});
        CHECK(seen(got) == row.answer);
        CHECK((got.status == 200) == got.header("cache-control").empty());
    }
}

TEST_CASE("bearer: duplicate Authorization fields are rejected") {
    test::client to(service());
    const auto got = to.send_raw("GET /me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token("ann") +
                                 "\r\nAuthorization: Bearer x\r\n\r\n");
    CHECK(got.status == 400);
}

TEST_CASE("bearer: requests without a token pass if optional") {
    test::client to(service({.may_be_missing = true}));
    CHECK(seen(to.get("/anybody")) == "200 unknown");
    CHECK(seen(to.get("/anybody", {{"authorization", "Basic YTpi"}})) == "200 unknown");
    CHECK(seen(to.get("/anybody", {{"authorization", "Bearer " + token("ann")}})) == "200 known");
    CHECK(to.get("/anybody", {{"authorization", "Bearer abc"}}).status == 401);
    CHECK(to.get("/me").status == 500);
    CHECK(to.get("/admin").status == 500);
    CHECK(to.get("/orders").status == 500);
}

TEST_CASE("bearer: claims of other names, and scopes in an array") {
    app a;
    jwt::contents what{.issuer = "https://id.example", .subject = "ann", .audience = "api"};
    what.more = R"({"groups":["g1","g2"],"scp":["read it","write"]})";
    a.use(bearer_auth(jwt::verifier(jwt::key_set({key()}), test::expected()),
                      {.roles_claim = "groups", .scopes_claim = "scp"}));
    a.get("/me", shown);
    test::client to(std::move(a));
    CHECK(seen(to.get("/me", {{"authorization", "Bearer " + jwt::sign(key(), what).value()}})) ==
          "200 Bearer ann role:g1 role:g2 scope:read it scope:write");
}

TEST_CASE("bearer: a realm must be a valid quoted string") {
    const auto make = [](const char* realm) {
        return bearer_auth(jwt::verifier(jwt::key_set({key()}), test::expected()), {.realm = realm});
    };
    CHECK_NOTHROW(make("our api"));
    CHECK_THROWS_AS(make("a\"b"), std::invalid_argument);
    CHECK_THROWS_AS(make("a\r\nset-cookie: b"), std::invalid_argument);
}

TEST_CASE("bearer: an unknown key is fetched once per interval") {
    const jwt::key next = jwt::key::secret(jwt::algorithm::hs256, std::string(32, 'n'), "two").value();
    const jwt::key never = jwt::key::secret(jwt::algorithm::hs256, std::string(32, 'x'), "three").value();
    jwt::key_set keys({key()});
    auto fetched = std::make_shared<int>(0);
    app a;
    a.use(bearer_auth(jwt::verifier(keys, test::expected()), {.refresh_interval = seconds(3'600)},
                      [keys, next, fetched]() -> task<> {
                          ++*fetched;
                          co_await apus::sleep_for(milliseconds(1));
                          jwt::key_set same = keys;
                          const std::vector<jwt::key> both{key(), next};
                          co_await same.replace(both);
                      }));
    a.get("/me", shown);
    test::client to(std::move(a));
    CHECK(to.get("/me", {{"authorization", "Bearer " + token("ann")}}).status == 200);
    CHECK(to.get("/me", {{"authorization", "Bearer a.b.c"}}).status == 401);
    CHECK(*fetched == 0);
    CHECK(seen(to.get("/me", {{"authorization", "Bearer " + token("ben", {}, {}, next)}})) == "200 Bearer ben");
    CHECK(*fetched == 1);
    for (int i = 0; i < 3; ++i)
        CHECK(to.get("/me", {{"authorization", "Bearer " + token("eve", {}, {}, never)}}).status == 401);
    CHECK(to.get("/me", {{"authorization", "Bearer " + token("ann")}}).status == 200);
    CHECK(*fetched == 1);
}

TEST_CASE("bearer: keys are kept if fetching fails") {
    const jwt::key never = jwt::key::secret(jwt::algorithm::hs256, std::string(32, 'x'), "three").value();
    app a;
    a.use(bearer_auth(jwt::verifier(jwt::key_set({key()}), test::expected()), {},
                      []() -> task<> { co_await fail(502, "the provider is down"); }));
    a.get("/me", shown);
    test::client to(std::move(a));
    CHECK(to.get("/me", {{"authorization", "Bearer " + token("eve", {}, {}, never)}}).status == 401);
    CHECK(to.get("/me", {{"authorization", "Bearer " + token("ann")}}).status == 200);
}

TEST_CASE("a handler that needs an identity without authentication fails at start") {
    const auto parts = [](app around) {
        app part;
        part.get("/me/{id}", [](const identity& who, int) { return who.subject; });
        around.mount("/v1", std::move(part));
        return around;
    };
    const auto refusal = [&](app around) -> std::string {
        try {
            test::client to(parts(std::move(around)));
        } catch (const std::logic_error& wrong) {
            return wrong.what();
        }
        return "started";
    };
    const std::string sentence =
        "the handler of GET /v1/me/{id} takes a `const apus::identity&`, but no middleware around it sets one";
    CHECK(refusal({}) == sentence);
    app other;
    other.use(security_headers());
    other.use(require_role("admin"));
    CHECK(
        refusal(std::move(other)) ==
        "`apus::require_role`, middleware of the app, takes a `apus::identity&`, but no middleware around it sets one");
    app authenticated;
    authenticated.use(bearer_auth(jwt::verifier(jwt::key_set({key()}), test::expected())));
    CHECK(refusal(std::move(authenticated)) == "started");
    // The app does not know which values a user-defined middleware sets.
    app own;
    own.use([](request&) -> result<void> { return {}; });
    CHECK(refusal(std::move(own)) == "started");
    own = app();
    own.use([](request&) -> result<void> { return {}; });
    test::client to(parts(std::move(own)));
    CHECK(to.get("/v1/me/1").status == 500);
}
