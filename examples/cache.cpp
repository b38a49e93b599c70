// SPDX-License-Identifier: Apache-2.0
// A page that costs much to make, and is the same for everybody for some seconds.
#include <apus/app.hpp>
#include <apus/compression.hpp>
#include <apus/response_cache.hpp>
#include <apus/sleep.hpp>

namespace {

apus::task<apus::response> news() {
    co_await apus::sleep(apus::milliseconds(300));  // asks databases
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
    // Made here, it is that of all cores.
    const apus::response_cache cache({.bytes = 16 * 1024 * 1024});
    return apus::serve([&] { return make_app(cache); }, argc, argv);
}
