// SPDX-License-Identifier: Apache-2.0
// Measures the cost of a route lookup depending on the number of routes: nanoseconds per lookup, the minimum of 7
// rounds.
#include "web/router.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

using apus::method;
using apus::web::router;

namespace {

struct site {
    router routes;
    // Paths to look up, by kind.
    std::vector<std::string> fixed, one, three, missing;
};

// A quarter of the routes has no captures, half has one, and a quarter three.
site make_site(int routes) {
    site s;
    for (int i = 0; i < std::max(1, routes / 4); ++i) {
        const std::string base = "/api/v1/area" + std::to_string(i % 50) + "/thing" + std::to_string(i);
        s.routes.add(method::get, base);
        s.fixed.push_back(base);
        if (routes == 1) break;
        s.routes.add(method::get, base + "/{id}");
        s.routes.add(method::get, base + "/{id}/edit");
        s.routes.add(method::get, base + "/by/{a}/{b}/{c}");
        s.one.push_back(base + "/123");
        s.three.push_back(base + "/by/red/green/blue");
        s.missing.push_back(base + "/123/none");
    }
    return s;
}

double nanoseconds_each(const router& r, const std::vector<std::string>& paths) {
    constexpr int lookups = 200'000;
    std::string_view captures[16];
    double best = 1e9;
    unsigned found = 0;
    for (int round = 0; round < 7; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        std::size_t at = 0;
        for (int i = 0; i < lookups; ++i) {
            found += r.find(method::get, paths[at], captures).captures;
            at = at + 1 == paths.size() ? 0 : at + 1;
        }
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
        best = std::min(best, spent.count() / lookups);
    }
    return found == 1 ? 0 : best;  // depends on `found`, so that the compiler cannot remove the lookups
}

}  // namespace

int main() {
    std::printf("%8s %8s %8s %8s %8s %12s\n", "routes", "static", "one", "three", "miss", "longest run");
    for (int routes : {1, 100, 10'000}) {
        const site s = make_site(routes);
        std::printf("%8d", routes);
        for (const auto* paths : {&s.fixed, &s.one, &s.three, &s.missing})
            if (paths->empty()) std::printf(" %8s", "-");
            else std::printf(" %8.1f", nanoseconds_each(s.routes, *paths));
        std::printf(" %12zu\n", s.routes.longest_run());
    }
}
