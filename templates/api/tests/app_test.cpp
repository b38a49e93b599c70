// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <doctest/doctest.h>

#include <apus/json.hpp>
#include <apus/test.hpp>

TEST_CASE("a note is kept") {
    notes store;
    apus::test::client client(make_app(store));
    const auto made = client.post("/notes", apus::json{new_note{"milk", 2}}).expect(201).json<note>();
    CHECK(made.text == "milk");
    CHECK(client.get("/notes/1").expect(200).json<note>().priority == 2);
    CHECK(client.get("/notes?limit=1").expect(200).json<std::vector<note>>().size() == 1);
}

TEST_CASE("what is wrong is refused") {
    notes store;
    apus::test::client client(make_app(store));
    CHECK(client.post("/notes", R"({"text": ""})", {{"content-type", "application/json"}}).status == 422);
    CHECK(client.get("/notes?limit=0").status == 422);
    CHECK(client.get("/notes/1").status == 404);
}

TEST_CASE("who asks for nothing is led to the description") {
    notes store;
    apus::test::client client(make_app(store));
    CHECK(client.get("/").header("location") == "/openapi.json");
    CHECK(client.get("/openapi.json").status == 200);
}
