// SPDX-License-Identifier: Apache-2.0
#include "runtime/reconnect_delay.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace apus;

TEST_CASE("delays before reconnecting double up to half a second, less a random part") {
    runtime::loop on(runtime::make_epoll_backend());
    const struct {
        unsigned failures;
        std::uint64_t longest;
    } cases[] = {{0, 10}, {1, 20}, {2, 40}, {5, 320}, {6, 500}, {8, 500}, {9, 500}, {1'000'000, 500}};
    runtime::reconnect_delay delay(on, 10);
    for (const auto& c : cases) {
        CAPTURE(c.failures);
        for (int i = 0; i < 100; ++i) {
            const std::uint64_t got = delay.after(c.failures);
            CHECK(got <= c.longest);
            CHECK(got >= c.longest - c.longest / 2);
        }
    }
}
