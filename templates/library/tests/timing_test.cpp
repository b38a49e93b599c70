// SPDX-License-Identifier: Apache-2.0
#include "starter/timing.hpp"

#include <doctest/doctest.h>

#include <apus/test.hpp>

TEST_CASE("each answer tells its time") {
    apus::app app;
    app.use(starter::timing);
    app.get("/", [] { return "x"; });
    apus::test::client client(std::move(app));
    CHECK(client.get("/").header("server-timing").starts_with("app;dur="));
}
