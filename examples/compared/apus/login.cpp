// SPDX-License-Identifier: Apache-2.0
// Sessions, and all errors in the form {"error":"..."}.
#include <apus/app.hpp>
#include <apus/json.hpp>
#include <apus/password.hpp>
#include <apus/secret.hpp>
#include <apus/sessions.hpp>

namespace {

const char* const ann =
    "$argon2id$v=19$m=19456,t=2,p=1$YXB1cy1leGFtcGxlLTE2Yg$7DVnLU7904aoJ0FrbftbL/O4BTk2q08Tx0w2d19DQ/s";

struct credentials {
    std::string name;
    apus::secret<std::string> password;
};

struct user {
    std::string name;
};

struct problem {
    std::string error;
};

problem error_body(apus::request&, const apus::error& why) {
    const bool shown = why.is_exposed() && !why.detail().empty();
    return {shown ? why.detail() : "internal error"};
}

// An empty hash takes as long to verify, so that the time does not reveal which names exist.
apus::task<> log_in(apus::password_hasher passwords, apus::session& s, apus::json<credentials> sent) {
    const std::string kept = sent->name == "ann" ? ann : "";
    const auto verdict = co_await passwords.verify(sent->password.reveal(), kept);
    if (!verdict.correct) co_await apus::fail(401, "wrong name or password");
    s.renew();
    s.set("user", sent->name);
}

apus::app make_app(apus::session_store& store, const apus::password_hasher& passwords) {
    apus::app app;
    app.on_error(error_body);
    app.use(apus::sessions(store, {.secure = false}));
    app.post("/login", [passwords](apus::session& s, apus::json<credentials> sent) {
        return log_in(passwords, s, std::move(sent));
    });
    app.get("/me", [](const apus::session& s) -> apus::result<user> {
        const auto name = s.find("user");
        if (!name) return apus::fail(401, "log in first");
        return user{std::string(*name)};
    });
    app.post("/logout", [](apus::session& s) { s.destroy(); });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::memory_session_store store;
    const apus::password_hasher passwords;
    return apus::serve([&] { return make_app(store, passwords); }, argc, argv);
}
