// SPDX-License-Identifier: Apache-2.0
// What keeps a service up under more requests than it was made for.
#include <apus/app.hpp>
#include <apus/rate_limit.hpp>

namespace {

apus::result<void> require_key(apus::request& req) {
    if (!req.header("x-api-key").starts_with("key-")) return apus::fail(401, "send a valid key");
    return {};
}

apus::app make_app(const apus::rate_limit& per_client) {
    apus::app login;
    login.use(apus::rate_limit({.requests = 5, .period = apus::seconds(60), .name = "login"}));
    login.post("/", [](apus::body_text) { return "welcome\n"; });

    // Behind what checks the key: a key that clients choose freely bounds none of them.
    apus::app api;
    api.use(require_key);
    api.use(apus::rate_limit({.requests = 100, .name = "api"}, [](apus::request& req) { return req.header("x-api-key"); }));
    api.get("/time", [] { return "noon\n"; });

    apus::app app;
    app.use(per_client);
    app.mount("/login", std::move(login));
    app.mount("/api", std::move(api));
    app.get("/", [] { return "hello\n"; });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    // Made here, it holds for all cores together.
    const apus::rate_limit per_client({.requests = 600, .period = apus::seconds(60), .burst = 100});
    return apus::serve([&] { return make_app(per_client); }, argc, argv);
}
