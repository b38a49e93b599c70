// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <doctest/doctest.h>

#include <apus/test.hpp>

TEST_CASE("it says hello") {
    apus::test::client client(make_app());
    CHECK(client.get("/").expect(200).body == "Hello from starter!\n");
}
