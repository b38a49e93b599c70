// SPDX-License-Identifier: Apache-2.0
#include "crypto/base64.hpp"

#include <apus/api_key_auth.hpp>
#include <apus/app.hpp>
#include <apus/basic_auth.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using namespace apus;
using namespace std::string_literals;

namespace {

std::string who_is(const identity& who) { return who.scheme + ' ' + who.subject; }

app service(basic_auth_options how = {}) {
    app a;
    const auto check = [](std::string user, std::string password) -> task<std::optional<identity>> {
        if (user == "broken") co_await fail(503, "the users cannot be read");
        if (password != "pass:w\xc3\xb6rd") co_return std::nullopt;
        identity who;
        who.subject = user;
        co_return who;
    };
    a.use(basic_auth(check, std::move(how)));
    a.get("/me", who_is);
    a.get("/", [] { return "open"; });
    return a;
}

}  // namespace

TEST_CASE("basic: valid credentials pass, others get a challenge") {
    test::client to(service());
    const auto encoded = [](std::string_view text) { return "Basic " + crypto::base64(text); };
    const struct {
        std::string what, authorization;
        int status;
        std::string body;
    } rows[] = {
        {"name and password", encoded("ann:pass:w\xc3\xb6rd"), 200, "Basic ann"},
        {"the scheme in any case", "bAsIc " + crypto::base64("ann:pass:w\xc3\xb6rd"), 200, "Basic ann"},
        {"no name", encoded(":pass:w\xc3\xb6rd"), 200, "Basic "},
        {"nothing", "", 401, "send a user name and a password"},
        {"another scheme", "Bearer abc", 401, "send a user name and a password"},
        {"another password", encoded("ann:password"), 401, "the user name or the password is wrong"},
        {"no password", encoded("ann:"), 401, "the user name or the password is wrong"},
        {"no colon", encoded("ann"), 400, "base64 of name:password"},
        {"nothing to decode", "Basic", 400, "base64 of name:password"},
        {"no base 64", "Basic a-b_", 400, "base64 of name:password"},
        {"base 64 without padding", "Basic YTpiYw", 400, "base64 of name:password"},
        {"bits left over", "Basic YTpiYx==", 400, "base64 of name:password"},
        {"Latin-1", encoded("ann:pass:w\xf6rd"), 400, "base64 of name:password"},
        {"a NUL", encoded("ann\0x:pass"s), 400, "base64 of name:password"},
        {"a line end", encoded("ann:pass\n"), 400, "base64 of name:password"},
        {"an error", encoded("broken:x"), 503, "Service Unavailable"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.what);
        const auto got =
            row.authorization.empty() ? to.get("/me") : to.get("/me", {{"authorization", row.authorization}});
        CHECK(got.status == row.status);
        CHECK(got.body.find(row.body) != std::string::npos);
        const bool asked = row.status == 400 || row.status == 401;
        CHECK(got.header("www-authenticate") == (asked ? "Basic realm=\"service\", charset=\"UTF-8\"" : ""));
    }
}

TEST_CASE("basic: requests without credentials pass if optional") {
    basic_auth_options how;
    how.may_be_missing = true;
    how.realm = "the back office";
    test::client to(service(how));
    CHECK(to.get("/").body == "open");
    CHECK(to.get("/", {{"authorization", "Basic YTpi"}}).header("www-authenticate") ==
          "Basic realm=\"the back office\", charset=\"UTF-8\"");
    how.realm = "a\"";
    CHECK_THROWS_AS(service(how), std::invalid_argument);
}

TEST_CASE("an API key is generated, stored as a digest, and found by its id") {
    const new_api_key made = make_api_key("test"), other = make_api_key("test");
    CHECK(made.text.size() == 4 + 1 + 16 + 1 + 64);
    CHECK(made.text.substr(5, 16) == made.id);
    CHECK(made.digest.size() == 64);
    CHECK(made.text != other.text);
    CHECK(made.digest != other.digest);
    for (const char* prefix : {"", "a_b", "a-b", "seventeenlettersx"})
        CHECK_THROWS_AS(make_api_key(prefix), std::invalid_argument);

    app a;
    a.use(api_key_auth([made](std::string id) -> task<std::optional<stored_api_key>> {
        if (id != made.id) co_return std::nullopt;
        stored_api_key found;
        found.digest = made.digest;
        found.owner.subject = "robot";
        co_return found;
    }));
    a.get("/me", who_is);
    test::client to(std::move(a));
    CHECK(to.get("/me", {{"X-API-Key", made.text}}).body == "ApiKey robot");
    std::string changed = made.text;
    changed.back() = changed.back() == '0' ? '1' : '0';
    std::string capitals = made.text;
    for (char& c : capitals) c = c >= 'a' && c <= 'f' ? static_cast<char>(c - 32) : c;
    for (const std::string& key :
         {other.text, changed, made.text + "0", made.text.substr(0, 85), made.id, "test_" + made.id + "_", made.digest,
          "TEST" + made.text.substr(4), capitals, std::string("x")}) {
        const auto got = to.get("/me", {{"x-api-key", key}});
        CHECK(got.status == 401);
        CHECK(got.header("www-authenticate") == "ApiKey header=\"x-api-key\"");
        CHECK(got.body.find(made.text) == std::string::npos);
    }
    CHECK(to.get("/me").status == 401);
    CHECK(to.get("/me?x-api-key=" + made.text).status == 401);
}

TEST_CASE("several authentication methods, one of which suffices") {
    const new_api_key made = make_api_key();
    basic_auth_options basic;
    basic.may_be_missing = true;
    app a = service(basic);
    api_key_auth_options last;
    last.header = "x-robot";
    a.use(api_key_auth(
        [made](std::string) -> task<std::optional<stored_api_key>> {
            stored_api_key found;
            found.digest = made.digest;
            found.owner.subject = "robot";
            co_return found;
        },
        last));
    test::client to(std::move(a));
    CHECK(to.get("/me", {{"authorization", "Basic " + crypto::base64("ann:pass:w\xc3\xb6rd")}}).body == "Basic ann");
    CHECK(to.get("/me", {{"x-robot", made.text}}).body == "ApiKey robot");
    CHECK(to.get("/me").status == 401);
    CHECK(to.get("/me", {{"authorization", "Basic YTpi"}, {"x-robot", made.text}}).status == 401);
    last.header = "x robot";
    CHECK_THROWS_AS(
        api_key_auth([](std::string) -> task<std::optional<stored_api_key>> { co_return std::nullopt; }, last),
        std::invalid_argument);
}
