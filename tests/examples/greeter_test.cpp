// SPDX-License-Identifier: Apache-2.0
#include "greeter/app.hpp"

#include <apus/test.hpp>
#include <doctest/doctest.h>

TEST_CASE("the greeter greets") {
    apus::test::client client(greeter::make_app());
    CHECK(client.get("/hello/Ada").body == "Hello, Ada!\n");
    CHECK(client.get("/hello/Ada/2").body == "Hello, Ada!\nHello, Ada!\n");
}

TEST_CASE("the greeter rejects invalid input") {
    apus::test::client client(greeter::make_app());
    CHECK(client.get("/hello/Ada/11").status == 400);
    CHECK(client.get("/hello/Ada/many").status == 400);
    CHECK(client.get("/hello").status == 404);
    CHECK(client.post("/hello/Ada", "").status == 405);
}
