// SPDX-License-Identifier: Apache-2.0
// State that all processes of a service share, on Redis. REDIS_URL is redis://127.0.0.1:6379 by default.
#include <apus/app.hpp>
#include <apus/redis/rate_limit_store.hpp>

#include <cstdlib>

namespace {

apus::app make_app(const apus::rate_limit& searches) {
    apus::app app;
    apus::app search;
    search.use(searches);
    search.get("/", [] { return "no results\n"; });
    app.mount("/search", std::move(search));
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const char* url = std::getenv("REDIS_URL");
    const apus::redis::client db(url ? url : "redis://127.0.0.1:6379");

    // Created here, so that all cores together count while Redis is away.
    apus::redis::rate_limit_store buckets(db);
    const apus::rate_limit searches(
        {.requests = 20, .period = apus::seconds(3600), .name = "search", .store = &buckets},
        [](apus::request& req) { return req.header("x-user"); });
    return apus::serve([&] { return make_app(searches); }, argc, argv);
}
