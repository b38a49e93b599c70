// SPDX-License-Identifier: Apache-2.0
// Baskets in sessions that all processes of a service share, on Redis. REDIS_URL is redis://127.0.0.1:6379 by default.
#include <apus/app.hpp>
#include <apus/environment.hpp>
#include <apus/redis/session_store.hpp>

apus::app make_app() {
    static apus::redis::session_store store(
        apus::from_environment<apus::redis::client>("REDIS_URL", "redis://127.0.0.1:6379"));
    apus::app app;
    app.use(apus::sessions(store, {.secure = false}));  // allows http, for trying it out

    app.get("/basket",
            [](const apus::session& s) { return std::to_string(s.find<int>("items").value_or(0)) + " items\n"; });
    app.post("/basket", [](apus::session& s) { s.set("items", s.find<int>("items").value_or(0) + 1); });
    app.del("/basket", [](apus::session& s) { s.destroy(); });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
