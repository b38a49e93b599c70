// SPDX-License-Identifier: Apache-2.0
// Login with a password, which returns a token; routes that require a token, a role, or an API key.
#include <apus/api_key_auth.hpp>
#include <apus/app.hpp>
#include <apus/basic_auth.hpp>
#include <apus/bearer_auth.hpp>
#include <apus/jwt.hpp>
#include <apus/password.hpp>

#include <cstdio>
#include <cstdlib>

const std::string service = "https://login.example";

// A row of a database. The text is the result of `password_hasher::hash` for "correct-horse".
struct user {
    std::string name, kept_password, role;
};
const char* const kept_password =
    "$argon2id$v=19$m=19456,t=2,p=1$YXB1cy1leGFtcGxlLTE2Yg$7DVnLU7904aoJ0FrbftbL/O4BTk2q08Tx0w2d19DQ/s";
const user users[] = {
    {"ann", kept_password, "admin"},
    {"ben", kept_password, "user"},
};

const user* find_user(std::string_view name) {
    for (const user& one : users)
        if (one.name == name) return &one;
    return nullptr;
}

auto check_password(const apus::password_hasher& passwords) {
    return [passwords](std::string name, std::string password) -> apus::task<std::optional<apus::identity>> {
        const user* found = find_user(name);
        // Unknown users are verified too, so that the response time does not reveal which users exist.
        std::string kept;
        if (found) kept = found->kept_password;
        const apus::password_verdict verdict = co_await passwords.verify(password, kept);
        if (!verdict.correct) co_return std::nullopt;
        // If verdict.outdated: hash the password again, and store the new hash.
        apus::identity who;
        who.subject = found->name;
        who.roles = {found->role};
        co_return who;
    };
}

apus::app make_login(const apus::password_hasher& passwords, const apus::jwt::key& key) {
    apus::app login;
    login.use(apus::basic_auth(check_password(passwords)));
    login.post("/", [key](const apus::identity& who) {
        apus::jwt::contents what{.issuer = service, .subject = who.subject, .audience = service};
        what.roles = who.roles;
        what.scopes = {"profile"};
        return apus::jwt::sign(key, what);
    });
    return login;
}

apus::app make_robots(const apus::new_api_key& key) {
    const auto find = [id = key.id,
                       digest = key.digest](std::string wanted) -> apus::task<std::optional<apus::stored_api_key>> {
        if (wanted != id) co_return std::nullopt;
        apus::stored_api_key found;
        found.digest = digest;
        found.owner.subject = "robot";
        co_return found;
    };
    apus::app robots;
    robots.use(apus::api_key_auth(find));
    robots.get("/", [](const apus::identity& who) { return "hello, " + who.subject + "\n"; });
    return robots;
}

apus::app make_app(const apus::password_hasher& passwords, const apus::jwt::key& key, const apus::jwt::key_set& keys,
                   const apus::new_api_key& robot) {
    apus::app app;
    app.mount("/login", make_login(passwords, key));
    app.mount("/robots", make_robots(robot));

    auto with_token = app.group();
    with_token.use(apus::bearer_auth(apus::jwt::verifier(keys, {.issuer = service, .audience = service})));
    with_token.get("/me", [](const apus::identity& who) { return who.subject + "\n"; });
    with_token.get("/admin", apus::with(apus::require_role("admin")), [] { return "only for admins\n"; });
    with_token.get("/profile", apus::with(apus::require_scope("profile")),
                   [](const apus::identity& who) { return who.claims + "\n"; });
    return app;
}

int main(int argc, char** argv) {
    const apus::password_hasher passwords;
    // With a random secret, a restart of the server invalidates all tokens.
    const char* given = std::getenv("TOKEN_SECRET");
    const std::string secret = given ? given : apus::make_api_key().text;
    const auto key = apus::jwt::key::secret(apus::jwt::algorithm::hs256, secret, "2026");
    if (!key) return std::fprintf(stderr, "TOKEN_SECRET: %s\n", key.error().c_str()), 1;
    const apus::jwt::key_set keys({*key});
    const apus::new_api_key robot = apus::make_api_key();
    std::fprintf(stderr, "the robot's key, shown once: %s\n", robot.text.c_str());
    return apus::serve([&] { return make_app(passwords, *key, keys, robot); }, argc, argv);
}
