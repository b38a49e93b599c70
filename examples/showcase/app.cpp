// SPDX-License-Identifier: Apache-2.0
#include "showcase/app.hpp"

#include "showcase/admin.hpp"
#include "showcase/bodies.hpp"
#include "showcase/page.hpp"
#include "showcase/server_timing.hpp"
#include "showcase/waiting.hpp"

#include <apus/openapi.hpp>

#include <stdexcept>

namespace showcase {
namespace {

apus::response json() {
    apus::response res;
    res.body(R"({"message":"Hello, World!"})", "application/json");
    return res;
}

std::string user(std::uint32_t id) { return "user " + std::to_string(id) + "\n"; }

apus::result<std::string> failing() { return apus::fail(409, "the order has been sent already"); }

std::string crashing() { throw std::runtime_error("only the log sees this text"); }

// Middleware that sees the response costs a coroutine, so it is only around the routes that need it.
apus::app timed_slow() {
    apus::app app;
    app.use(server_timing);
    app.get("/", slow).hidden();
    return app;
}

}  // namespace

apus::app make_app(const std::string& admin_token, const apus::sql::database& db) {
    constexpr std::uint64_t gibibyte = 1024 * 1024 * 1024;

    apus::app app;
    app.mount(apus::openapi_document({.title = "Apus: the showcase", .version = "0.1.0"}));
    app.mount(apus::openapi_page());
    app.get("/", page);
    app.get("/bench", [] { return "Hello, World!"; });
    app.get("/json", json);
    app.get("/users/{id}", user);
    app.post("/echo", [](apus::body_text body) { return body.bytes; });
    app.mount("/notes", make_notes(db));
    // Hidden from clients that request all described routes: responses that are large, slow or not HTTP, and crashes.
    app.get("/download", download).hidden();
    app.post("/upload", upload, {.body = gibibyte, .handler = apus::seconds(600)});
    app.get("/upgrade", [] { return apus::upgrade("shout", shout); }).hidden();
    app.mount("/slow", timed_slow());
    app.get("/blocking", count_primes).hidden();
    app.get("/error", failing);
    app.get("/crash", crashing).hidden();
    app.mount("/admin", make_admin(admin_token));
    return app;
}

}  // namespace showcase
