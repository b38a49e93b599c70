// SPDX-License-Identifier: Apache-2.0
// Middleware that keeps a service responsive under overload.
#include <apus/app.hpp>
#include <apus/concurrency_limit.hpp>
#include <apus/rate_limit.hpp>
#include <apus/sleep.hpp>
#include <apus/timeout.hpp>

namespace {

apus::task<std::string> report() {
    co_await apus::sleep_for(apus::milliseconds(200));
    co_return "a report\n";
}

apus::task<std::string> forecast() {
    co_await apus::sleep_for(apus::seconds(20));
    co_return "sunny\n";
}

apus::result<void> require_key(apus::request& req) {
    if (!req.header("x-api-key").starts_with("key-"))
        return apus::fail(401, "send a valid key").header("www-authenticate", "ApiKey header=\"x-api-key\"");
    return {};
}

apus::app make_app(const apus::rate_limit& per_client) {
    apus::app login;
    login.use(apus::rate_limit({.requests = 5, .period = apus::seconds(60), .name = "login"}));
    login.post("/", [](apus::body_text) { return "welcome\n"; });

    // After the check of the key: if clients could choose keys freely, there would be no limit.
    apus::app api;
    api.use(require_key);
    api.use(
        apus::rate_limit({.requests = 100, .name = "api"}, [](apus::request& req) { return req.header("x-api-key"); }));
    api.get("/time", [] { return "noon\n"; });

    // Reports are expensive: two at a time on each core; ten more may wait for up to two seconds.
    apus::app reports;
    reports.use(apus::concurrency_limit({.running = 2, .waiting = 10, .wait = apus::seconds(2)}));
    reports.get("/", report);

    // Calls an external service that is sometimes slow.
    apus::app weather;
    weather.use(apus::timeout(apus::milliseconds(500)));
    weather.get("/", forecast);

    apus::app app;
    app.use(per_client);
    app.mount("/reports", std::move(reports));
    app.mount("/weather", std::move(weather));
    app.mount("/login", std::move(login));
    app.mount("/api", std::move(api));
    app.get("/", [] { return "hello\n"; });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    // Created here, the limit applies to all cores together.
    const apus::rate_limit per_client({.requests = 600, .period = apus::seconds(60), .burst = 100});
    return apus::serve([&] { return make_app(per_client); }, argc, argv);
}
