// SPDX-License-Identifier: Apache-2.0
// A form that pages of other sites cannot send.
#include <apus/app.hpp>
#include <apus/csrf.hpp>
#include <apus/sessions.hpp>

#include <cstdlib>

std::string secret() {
    const char* given = std::getenv("SESSION_SECRET");
    return given ? given : "only for trying this out, 32 bytes at least";
}

apus::app make_app() {
    apus::app app;
    app.use(apus::sessions({secret()}, {.secure = false}));  // allows http, for trying it out
    app.use(apus::csrf({.token_secrets = {secret()}}));

    app.get("/", [](apus::request& req) {
        apus::response page;
        page.body(
            "<!doctype html><title>Apus</title><form method=post action=/comments><input name=text>"
            "<input type=hidden name=csrf_token value=" +
                apus::csrf_token(req) + "><button>Send</button></form>\n",
            "text/html; charset=utf-8");
        return page;
    });
    app.post("/comments",
             [](apus::body_text form) { return "Got " + std::to_string(form.bytes.size()) + " bytes.\n"; });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
