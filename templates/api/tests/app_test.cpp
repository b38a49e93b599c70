// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <doctest/doctest.h>

#include <apus/json.hpp>
#include <apus/test.hpp>
#include <apus/test/database.hpp>

namespace {

// The service for one test, with its own copy of a database to which all migrations were applied.
struct service {
    apus::test::temporary_database db;
    apus::test::client client{make_app(notes(apus::sql::database(db.url())))};
};

}  // namespace

TEST_CASE("a note is kept") {
    service its;
    const auto made = its.client.post("/notes", apus::json{new_note{"milk", 2}}).expect(201).json<note>();
    CHECK(made.text == "milk");
    CHECK(its.client.get("/notes/1").expect(200).json<note>().priority == 2);
    CHECK(its.client.get("/notes?limit=1").expect(200).json<std::vector<note>>().size() == 1);
}

TEST_CASE("invalid notes are refused") {
    service its;
    CHECK(its.client.post("/notes", R"({"text": ""})", {{"content-type", "application/json"}}).status == 422);
    CHECK(its.client.get("/notes?limit=0").status == 422);
    CHECK(its.client.get("/notes/1").status == 404);
}

TEST_CASE("notes are listed as the database has them") {
    service its;
    its.db.load(R"({"note": [{"id": 7, "text": "tea", "priority": 1}, {"id": 8, "text": "milk", "priority": 5}]})");
    const auto all = its.client.get("/notes").expect(200).json<std::vector<note>>();
    REQUIRE(all.size() == 2);
    CHECK(all[1].text == "milk");
}

TEST_CASE("the root redirects to the API description") {
    service its;
    CHECK(its.client.get("/").header("location") == "/openapi.json");
    CHECK(its.client.get("/openapi.json").status == 200);
}
