// SPDX-License-Identifier: Apache-2.0
#include "jwt/tokens.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

using namespace apus;
using namespace apus::test;

namespace {

const std::vector<jwt::algorithm> every{
    jwt::algorithm::hs256, jwt::algorithm::hs384, jwt::algorithm::hs512, jwt::algorithm::rs256, jwt::algorithm::rs384,
    jwt::algorithm::rs512, jwt::algorithm::ps256, jwt::algorithm::es256, jwt::algorithm::es384, jwt::algorithm::eddsa};

jwt::key own_key(jwt::algorithm of, std::string_view id = {}) {
    using enum jwt::algorithm;
    if (of <= hs512) return jwt::key::secret(of, shared_secret, id).value();
    const char* const file = of <= ps256 ? "rsa_2048" : of == es256 ? "p256" : of == es384 ? "p384" : "ed25519";
    return jwt::key::pem(of, pem(file), id).value();
}

const jwt::contents ann{.issuer = "https://id.example", .subject = "ann", .audience = "api"};

std::string mistake(jwt::verifier_options what) {
    try {
        const jwt::verifier made(jwt::key_set(), std::move(what));
        return "none";
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
}

}  // namespace

TEST_CASE("signed tokens are verified, by every algorithm") {
    for (const jwt::algorithm of : every) {
        const jwt::key key = own_key(of, "one");
        const jwt::verifier verifier(jwt::key_set({key}), expected());
        const std::string token = jwt::sign(key, ann, noon).value();
        CHECK(seen(verifier.verify(token, noon)) == "sub ann");
        CHECK(seen(verifier.verify(token, noon + 959)) == "sub ann");
        CHECK(seen(verifier.verify(token, noon + 960)) == "the token has expired");
    }
}

TEST_CASE("signed claims are read back") {
    jwt::contents what = ann;
    what.scopes = {"read", "write"};
    what.roles = {"admin", "\"quoted\""};
    what.more = R"( {"name":"A\u00e4\ud83d\ude00","n":7,"half":7.9,"list":["a","b"],"mixed":["a",1]} )";
    const jwt::key key = own_key(jwt::algorithm::eddsa);
    const auto said =
        jwt::verifier(jwt::key_set({key}), expected()).verify(jwt::sign(key, what, noon).value(), noon).value();
    CHECK(said.issuer() == "https://id.example");
    CHECK(said.expires() == noon + 900);
    CHECK(said.text("scope") == "read write");
    CHECK(said.texts("roles") == std::vector<std::string>{"admin", "\"quoted\""});
    CHECK(said.text("name") == "A\xc3\xa4\xf0\x9f\x98\x80");
    CHECK(said.number("n") == 7);
    CHECK(said.number("half") == 7);
    CHECK(said.number("iat") == noon);
    CHECK_FALSE(said.number("name"));
    CHECK(said.text("n").empty());
    CHECK(said.texts("list") == std::vector<std::string>{"a", "b"});
    CHECK(said.texts("aud") == std::vector<std::string>{"api"});
    CHECK(said.texts("mixed").empty());
    CHECK(said.texts("none").empty());
    CHECK(said.text("jti").size() == 22);
}

TEST_CASE("invalid claims are not signed") {
    const jwt::key key = own_key(jwt::algorithm::hs256);
    const auto refused = [&key](auto change) {
        jwt::contents what = ann;
        change(what);
        const auto made = jwt::sign(key, what, noon);
        return made ? "none" : made.error().detail();
    };
    CHECK(refused([](auto&) {}) == "none");
    CHECK(refused([](auto& c) { c.issuer.clear(); }) == "a token to sign must have an issuer and an audience");
    CHECK(refused([](auto& c) { c.audience.clear(); }) == "a token to sign must have an issuer and an audience");
    CHECK(refused([](auto& c) { c.lifetime = milliseconds(999); }) ==
          "a token to sign must be valid for at least 1 second");
    CHECK(refused([](auto& c) { c.scopes = {"read write"}; }) ==
          "a scope must be visible ASCII without quotes and backslashes");
    CHECK(refused([](auto& c) { c.scopes = {""}; }) == "a scope must be visible ASCII without quotes and backslashes");
    CHECK(refused([](auto& c) { c.more = "{}"; }) == "none");
    CHECK(refused([](auto& c) { c.more = "[]"; }) ==
          "the additional claims of a token must be a JSON object without duplicate members");
    CHECK(refused([](auto& c) { c.more = R"({"a":1,"a":2})"; }) ==
          "the additional claims of a token must be a JSON object without duplicate members");
    CHECK(refused([](auto& c) { c.more = R"({"exp":9999999999})"; }) ==
          "the additional claims of a token contain a registered claim: set it by its member");
    const auto published = jwt::key::pem(jwt::algorithm::es256, pem("p256_public")).value();
    CHECK(jwt::sign(published, ann, noon).error().detail() == "a public key cannot sign: use the private key");
}

TEST_CASE("invalid expectations are rejected at construction") {
    CHECK(mistake(expected()) == "none");
    CHECK(mistake({.issuer = "", .audience = "api"}) == "jwt: the expected issuer is empty");
    const std::string both = "jwt: set either `audience` or `any_audience`";
    CHECK(mistake({.issuer = "i", .audience = ""}) == both);
    CHECK(mistake({.issuer = "i", .audience = "a", .any_audience = true}) == both);
    CHECK(mistake({.issuer = "i", .audience = "", .any_audience = true}) == "none");
    CHECK(mistake({.issuer = "i", .audience = "a", .skew = seconds(601)}) ==
          "jwt: the clock skew must be from 0 to 10 minutes");
    CHECK(mistake({.issuer = "i", .audience = "a", .skew = seconds(-1)}) ==
          "jwt: the clock skew must be from 0 to 10 minutes");
    CHECK(mistake({.issuer = "i", .audience = "a", .longest_age = seconds(-1)}) == "jwt: the maximum age is negative");
    CHECK(mistake({.issuer = "i", .audience = "a", .longest_token = 65'537}) ==
          "jwt: the maximum token size must be from 1 to 65536 bytes");
    CHECK(mistake({.issuer = "i", .audience = "a", .remembered = 65'537}) == "jwt: at most 65536 tokens can be cached");
}

TEST_CASE("optional expectations") {
    const jwt::key key = own_key(jwt::algorithm::es256);
    const signer by = signing(crypto::signature_algorithm::es256, "p256");
    const std::string head = R"({"alg":"ES256"})";
    const auto verdict = [&](jwt::verifier_options what, const std::string& token) {
        return seen(jwt::verifier(jwt::key_set({key}), std::move(what)).verify(token, noon));
    };
    const std::string endless = by(head, R"({"iss":"i","sub":"ann","iat":1799999000})");
    const std::string typed =
        by(R"({"alg":"ES256","typ":"AT+jwt"})", R"({"iss":"i","sub":"ann","aud":"other","exp":1800000600})");

    CHECK(verdict({.issuer = "i", .audience = "", .any_audience = true, .may_last_forever = true}, endless) ==
          "sub ann");
    CHECK(verdict({.issuer = "i", .audience = "", .any_audience = true}, endless) == "the token has no `exp`");
    CHECK(verdict({.issuer = "i",
                   .audience = "",
                   .any_audience = true,
                   .may_last_forever = true,
                   .longest_age = seconds(941)},
                  endless) == "sub ann");
    CHECK(verdict({.issuer = "i",
                   .audience = "",
                   .any_audience = true,
                   .may_last_forever = true,
                   .longest_age = seconds(940)},
                  endless) == "the token is too old");
    CHECK(verdict({.issuer = "i", .audience = "", .any_audience = true, .longest_age = seconds(940)}, typed) ==
          "the token has no `iat`");
    CHECK(verdict({.issuer = "i", .audience = "", .any_audience = true, .type = "at+JWT"}, typed) == "sub ann");
    CHECK(verdict({.issuer = "i", .audience = "", .any_audience = true, .type = "at+jwt"}, endless) ==
          "the token has the wrong type");
    CHECK(verdict({.issuer = "i", .audience = "", .any_audience = true, .longest_token = typed.size() - 1}, typed) ==
          "the token is too long");
    CHECK(verdict({.issuer = "i", .audience = "", .any_audience = true, .longest_token = typed.size()}, typed) ==
          "sub ann");
}

TEST_CASE("a cached token expires, also with its key") {
    const jwt::key key = own_key(jwt::algorithm::eddsa, "one");
    jwt::key_set keys({key});
    const jwt::verifier verifier(keys, expected());
    const std::string token = jwt::sign(key, ann, noon).value();
    for (int i = 0; i < 3; ++i) CHECK(seen(verifier.verify(token, noon)) == "sub ann");
    CHECK(seen(verifier.verify(token, noon + 960)) == "the token has expired");
    CHECK(seen(verifier.verify(token, noon + 1)) == "sub ann");
    std::string changed = token;
    changed[token.size() - 40] = changed[token.size() - 40] == 'A' ? 'B' : 'A';
    CHECK(seen(verifier.verify(changed, noon)) == "the token's signature does not match");
    REQUIRE(keys.replace({}));
    CHECK(seen(verifier.verify(token, noon)) == "unknown key: no key matches the token's `kid` and `alg`");
}

TEST_CASE("more tokens than the cache holds") {
    const jwt::key key = own_key(jwt::algorithm::hs256);
    jwt::verifier_options few = expected();
    for (const unsigned remembered : {0U, 1U, 3U}) {
        few.remembered = remembered;
        const jwt::verifier verifier(jwt::key_set({key}), few);
        std::vector<std::string> tokens;
        for (int i = 0; i < 20; ++i) {
            jwt::contents what = ann;
            what.subject = std::to_string(i);
            tokens.push_back(jwt::sign(key, what, noon).value());
        }
        for (int round = 0; round < 3; ++round)
            for (int i = 0; i < 20; ++i)
                CHECK(seen(verifier.verify(tokens[static_cast<std::size_t>(i)], noon)) == "sub " + std::to_string(i));
    }
}

TEST_CASE("keys are rotated on all cores") {
    const jwt::key old = own_key(jwt::algorithm::eddsa, "old"), next = own_key(jwt::algorithm::es256, "new");
    jwt::key_set keys({old});
    const jwt::verifier verifier(keys, expected());
    const std::string by_old = jwt::sign(old, ann, noon).value(), by_new = jwt::sign(next, ann, noon).value();
    CHECK(verifier.misses_key(by_new));
    CHECK_FALSE(verifier.misses_key(by_old));
    CHECK_FALSE(verifier.misses_key("a.b.c"));
    REQUIRE(keys.replace({old, next}));
    CHECK_FALSE(verifier.misses_key(by_new));
    CHECK(seen(verifier.verify(by_old, noon)) == "sub ann");
    CHECK(seen(verifier.verify(by_new, noon)) == "sub ann");
    REQUIRE(keys.replace({next}));
    CHECK(seen(verifier.verify(by_old, noon)) == "unknown key: no key matches the token's `kid` and `alg`");
    CHECK(seen(verifier.verify(by_new, noon)) == "sub ann");
}

TEST_CASE("keys may be replaced while other threads verify") {
    const jwt::key key = own_key(jwt::algorithm::hs256, "one"), other = own_key(jwt::algorithm::hs512, "two");
    jwt::key_set keys({key});
    const std::string token = jwt::sign(key, ann, noon).value();
    std::vector<std::thread> cores;
    std::vector<int> verified(2);
    for (int& count : verified)
        cores.emplace_back([&keys, &token, &count] {
            const jwt::verifier verifier(keys, expected());
            for (int i = 0; i < 2'000; ++i) count += verifier.verify(token, noon).has_value();
        });
    for (int i = 0; i < 500; ++i)
        CHECK(keys.replace(i % 2 ? std::vector<jwt::key>{key} : std::vector<jwt::key>{other, key}));
    for (std::thread& core : cores) core.join();
    CHECK(verified == std::vector<int>{2'000, 2'000});
}
