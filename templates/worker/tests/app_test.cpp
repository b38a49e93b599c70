// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <doctest/doctest.h>

#include <apus/test.hpp>

TEST_CASE("a worker that works is healthy") {
    work done(std::chrono::milliseconds(1));
    apus::test::client client(make_app(done));
    while (done.rounds() == 0) std::this_thread::yield();
    CHECK(client.get("/health").expect(200).body.contains("\"ok\":true"));
}
