// SPDX-License-Identifier: Apache-2.0
#include "openapi/security.hpp"

#include <apus/api_key_auth.hpp>
#include <apus/app.hpp>
#include <apus/basic_auth.hpp>
#include <apus/bearer_auth.hpp>
#include <apus/csrf.hpp>
#include <apus/json.hpp>
#include <apus/openapi.hpp>
#include <apus/test.hpp>
#include <doctest/doctest.h>

namespace {

using apus::security_note;
using proof = security_note::proof;

/// Middleware that declares a requirement but lets all requests pass.
struct saying {
    security_note what;
    security_note security() const { return what; }
    apus::result<void> operator()(apus::request&) const { return {}; }
};

apus::basic_auth basic(apus::basic_auth_options how = {}) {
    return apus::basic_auth(
        [](std::string, std::string) -> apus::task<std::optional<apus::identity>> { co_return std::nullopt; }, how);
}
apus::api_key_auth key(apus::api_key_auth_options how = {}) {
    return apus::api_key_auth(
        [](std::string) -> apus::task<std::optional<apus::stored_api_key>> { co_return std::nullopt; }, how);
}
apus::bearer_auth bearer(bool may_be_missing = false) {
    apus::bearer_auth_options how;
    how.may_be_missing = may_be_missing;
    return {apus::jwt::verifier(apus::jwt::key_set(), {.issuer = "i", .audience = "a"}), std::move(how)};
}

apus::json_value described(apus::app app) {
    app.mount(apus::openapi_document({.title = "t", .version = "1"}));
    apus::test::client client(std::move(app));
    return apus::from_json<apus::json_value>(client.get("/openapi.json").expect(200).body).value();
}

std::string shown(const apus::json_value& all, std::string_view pointer) {
    const apus::json_value* found = all.find(pointer);
    return found ? apus::to_json(*found) : "nothing";
}

// Returns the requirements of a GET with this middleware, and the statuses it adds.
template <class... Middleware>
std::string behind(Middleware... around) {
    apus::app app, part;
    (part.use(std::move(around)), ...);
    part.get("/", [] {});
    app.mount(std::move(part));
    const apus::json_value all = described(std::move(app));
    std::string said = shown(all, "/paths/~1/get/security");
    for (const auto& answer : all.find("/paths/~1/get/responses")->members())
        if (answer.name != "204" && answer.name != "default") said += ' ' + answer.name;
    return said;
}

}  // namespace

TEST_CASE("middleware declares its security schemes") {
    CHECK(behind() == "nothing");
    CHECK(behind(saying{}) == "nothing");
    CHECK(behind(basic()) == R"([{"basic":[]}] 400 401)");
    CHECK(behind(bearer()) == R"([{"bearer":[]}] 400 401)");
    CHECK(behind(key()) == R"([{"x-api-key":[]}] 401)");
    CHECK(behind(key({.header = "my|key"})) == R"([{"my_key":[]}] 401)");
    CHECK(behind(basic({.may_be_missing = true})) == R"([{"basic":[]},{}] 400 401)");
    CHECK(behind(saying{{.by = proof::cookie, .name = "s"}}) == R"([{"s":[]}] 401)");
    CHECK(behind(saying{{.forbids = true}}) == "nothing 403");
    CHECK(behind(apus::csrf()) == "nothing");  // csrf does not check a GET
}

TEST_CASE("alternatives of authentication combine with further requirements") {
    CHECK(behind(key({.may_be_missing = true}), bearer()) == R"([{"x-api-key":[]},{"bearer":[]}] 400 401)");
    // The inner middleware receives only authenticated requests, so it adds no requirement.
    CHECK(behind(bearer(), key()) == R"([{"bearer":[]}] 400 401)");
    CHECK(behind(key({.may_be_missing = true}), bearer(true)) == R"([{"x-api-key":[]},{"bearer":[]},{}] 400 401)");
    CHECK(behind(saying{{.by = proof::cookie, .name = "s"}}, bearer()) == R"([{"bearer":[],"s":[]}] 400 401)");
    CHECK(behind(saying{{.by = proof::cookie, .name = "s", .may_be_missing = true}}, bearer()) ==
          R"([{"bearer":[],"s":[]},{"bearer":[]}] 400 401)");
}

TEST_CASE("scopes are in the requirements") {
    CHECK(behind(bearer(), apus::require_role("admin")) == R"([{"bearer":["admin"]}] 400 401 403)");
    CHECK(behind(bearer(), apus::require_role({"a", "b"})) == R"([{"bearer":["a"]},{"bearer":["b"]}] 400 401 403)");
    CHECK(behind(bearer(), apus::require_scope({"r", "w"})) == R"([{"bearer":["r","w"]}] 400 401 403)");
    CHECK(behind(bearer(true), apus::require_role("a")) == R"([{"bearer":["a"]}] 400 401 403)");
    // An unknown middleware might set an identity.
    const auto own = [](apus::request&) -> apus::result<void> { return {}; };
    CHECK(behind(own, apus::require_role("a")) == "nothing 403");
}

TEST_CASE("security schemes of a document are unique") {
    apus::app app, tokens, more, names;
    tokens.use(bearer());
    tokens.get("/a", [] {});
    more.use(bearer());
    more.get("/b", [] {});
    app.mount(std::move(tokens));
    app.mount(std::move(more));
    names.use(basic({.realm = "one"}));
    names.get("/c", [] {});
    apus::app others;
    others.use(basic({.realm = "two"}));
    others.get("/d", [] {});
    app.mount(std::move(names));
    app.mount(std::move(others));
    const apus::json_value all = described(std::move(app));
    CHECK(shown(all, "/components/securitySchemes") ==
          R"({"bearer":{"type":"http","scheme":"bearer","bearerFormat":"JWT","description":"For the realm \"api\"."},)"
          R"("basic":{"type":"http","scheme":"basic","description":"For the realm \"one\"."},)"
          R"("basic_2":{"type":"http","scheme":"basic","description":"For the realm \"two\"."}})");
    CHECK(shown(all, "/paths/~1d/get/security") == R"([{"basic_2":[]}])");
    CHECK(shown(all, "/paths/~1d/get/responses/401") == R"({"$ref":"#/components/responses/unknown"})");
}

TEST_CASE("middleware of outer apps counts, that of sibling apps does not") {
    apus::app outer, part, other;
    other.use(key());
    other.get("/", [] {});
    part.get("/", [] {});
    part.mount("/other", std::move(other));
    part.mount(apus::openapi_document({.title = "t", .version = "1"}));
    outer.use(saying{{.by = proof::header, .name = "x-a"}});
    outer.mount("/part", std::move(part));
    apus::test::client client(std::move(outer));
    const auto all = apus::from_json<apus::json_value>(client.get("/part/openapi.json").expect(200).body).value();
    CHECK(shown(all, "/paths/~1part/get/security") == R"([{"x-a":[]}])");
    CHECK(shown(all, "/paths/~1part~1other/get/security") == R"([{"x-a":[],"x-api-key":[]}])");
    CHECK(shown(all, "/components/securitySchemes/x-a") == R"({"type":"apiKey","in":"header","name":"x-a"})");
}

TEST_CASE("CSRF errors are described for unsafe methods only") {
    apus::app app;
    app.use(apus::csrf({.token_secrets = {std::string(32, 's')}}));
    app.get("/", [] {});
    app.post("/", [] {});
    const apus::json_value all = described(std::move(app));
    CHECK(shown(all, "/paths/~1/get/responses/403") == "nothing");
    CHECK(shown(all, "/paths/~1/post/responses/403") == R"({"$ref":"#/components/responses/forbidden"})");
    CHECK(shown(all, "/paths/~1/post/parameters") ==
          R"([{"name":"x-csrf-token","in":"header","required":false,"schema":{"type":"string"}}])");
}
