// SPDX-License-Identifier: Apache-2.0
// A page that is expensive to generate, and the same for all clients for some seconds.
#include <apus/app.hpp>
#include <apus/compression.hpp>
#include <apus/response_cache.hpp>
#include <apus/sleep.hpp>

namespace {

apus::task<apus::response> news() {
    co_await apus::sleep_for(apus::milliseconds(300));  // queries databases
    apus::response res = apus::response::text("nothing new\n");
    res.header("cache-control", "max-age=10, stale-while-revalidate=60");
    co_return res;
}

apus::app make_app(const apus::response_cache& cache) {
    apus::app app;
    app.use(cache);
    app.use(apus::compress_responses());
    app.get("/news", news);
    app.get("/me", [] { return "for you alone\n"; });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    // Created here, the cache is shared by all cores.
    const apus::response_cache cache({.bytes = 16 * 1024 * 1024});
    return apus::serve([&] { return make_app(cache); }, argc, argv);
}
