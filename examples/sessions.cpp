// SPDX-License-Identifier: Apache-2.0
// Login, a route for authenticated users, and logout.
#include <apus/app.hpp>
#include <apus/sessions.hpp>

#include <cstdlib>

// To rotate secrets, put a new one in front: the first secret encrypts, and all secrets decrypt.
std::vector<std::string> secrets() {
    const char* secret = std::getenv("SESSION_SECRET");
    return {secret ? secret : "only for trying this out, 32 bytes at least"};
}

apus::app make_app() {
    apus::app app;
    app.use(apus::sessions(secrets(), {.secure = false}));  // allows http, for trying it out

    app.get("/", [](const apus::session& s) -> apus::result<std::string> {
        const auto user = s.find("user");
        if (!user) return apus::fail(401, "log in first");
        return "Hello, " + std::string(*user) + ".\n";
    });
    app.post("/login", [](apus::session& s, apus::body_text name) {
        s.renew();  // an id that an attacker knew before is now invalid
        s.set("user", name);
    });
    app.post("/logout", [](apus::session& s) { s.destroy(); });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
