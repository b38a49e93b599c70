// SPDX-License-Identifier: Apache-2.0
#include "web/invalid_input.hpp"

#include <apus/form.hpp>
#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/query.hpp>
#include <apus/rules.hpp>
#include <apus/test.hpp>
#include <doctest/doctest.h>

#include <limits>

namespace {

struct new_item {
    apus::text<1, 10> name;
    apus::integer<1, 5> stars{3};
};
struct item {
    int id;
    new_item what;
};
struct page {
    apus::integer<1, 100> limit{20};
};

apus::app make_app() {
    apus::app app;
    app.post("/items", [](apus::json<new_item> in) { return apus::created<item>{{1, *std::move(in)}}; });
    app.put("/items/{id}", [](int id, apus::json<new_item> in) -> apus::task<apus::result<item>> {
        if (id == 0) co_return apus::fail(409, "no");
        co_return item{id, *in};
    });
    app.get("/items", [](apus::query<page> page) {
        return std::vector<std::int64_t>(static_cast<std::size_t>(*page->limit), 7);
    });
    app.get("/maybe/{id}", [](int id) { return id ? std::optional(item{id, {"x"}}) : std::nullopt; });
    app.post("/form", [](apus::form<new_item> in) { return std::string(in->name); });
    app.post("/any", [](apus::json<apus::json_value> in) { return *in; });
    app.get("/nan", [] { return apus::json(std::numeric_limits<double>::quiet_NaN()); });
    app.get("/text", [] { return apus::json(std::string("plain")); });
    return app;
}

constexpr apus::field_view as_json{"Content-Type", "application/json"};
constexpr apus::field_view as_form{"Content-Type", "application/x-www-form-urlencoded"};

}  // namespace

TEST_CASE("handlers take and return structs as JSON") {
    apus::test::client client(make_app());
    const auto made = client.post("/items", R"({"name":"lamp"})", {as_json});
    CHECK(made.status == 201);
    CHECK(made.header("content-type") == "application/json");
    CHECK(made.body == R"({"id":1,"what":{"name":"lamp","stars":3}})");
    CHECK(client.put("/items/7", R"({"name":"a","stars":5})", {as_json}).body ==
          R"({"id":7,"what":{"name":"a","stars":5}})");
    CHECK(client.put("/items/0", R"({"name":"a"})", {as_json}).status == 409);
    CHECK(client.get("/items?limit=3").body == "[7,7,7]");
    CHECK(client.get("/items?limit=3&utm=x").status == 200);
    CHECK(client.get("/maybe/2").body ==
          R"({"id":2,"what":{"name":"x","stars":)" + std::to_string(*new_item{"x"}.stars) + "}}");
    CHECK(client.get("/maybe/0").status == 404);
    CHECK(client.post("/form", "name=a+b&csrf=1", {as_form}).body == "a b");
    CHECK(client.post("/any", " [1, {\"a\": null}] ", {as_json}).body == R"([1,{"a":null}])");
    CHECK(client.get("/nan").status == 500);
    CHECK(client.get("/text").body == "\"plain\"");
}

TEST_CASE("Content-Type decides how a body is parsed") {
    apus::test::client client(make_app());
    for (const char* type : {"application/json", "Application/JSON; charset=utf-8", "application/problem+json",
                             "application/vnd.x+JSON ;v=1"}) {
        INFO(type);
        CHECK(client.post("/items", R"({"name":"a"})", {{"Content-Type", type}}).status == 201);
    }
    for (const char* type : {"text/plain", "application/jsonx", "json", "+json", "application/+json", "/x+json",
                             "application/x-www-form-urlencoded"}) {
        INFO(type);
        const auto refused = client.post("/items", R"({"name":"a"})", {{"Content-Type", type}});
        CHECK(refused.status == 415);
        CHECK(refused.body.find("the body must be application/json, not " + std::string(type)) != std::string::npos);
    }
    CHECK(client.post("/items", "{}").status == 415);
    CHECK(client.post("/form", "name=a", {as_json}).status == 415);
}

TEST_CASE("an invalid body is answered with all faults") {
    apus::test::client client(make_app());
    const auto malformed = client.post("/items", R"({"name":)", {as_json});
    CHECK(malformed.status == 400);
    CHECK(malformed.header("content-type") == "application/problem+json");
    CHECK(
        malformed.body ==
        R"({"status":400,"title":"Bad Request","detail":"the body is not valid JSON","errors":[{"detail":"found the end at line 1, column 9, expected a value","pointer":"/name"}]})"
        "\n");
    const auto misfit = client.post("/items", R"({"name":"","stars":9,"color":1})", {as_json});
    CHECK(misfit.status == 422);
    CHECK(
        misfit.body ==
        R"({"status":422,"title":"Unprocessable Content","detail":"the JSON does not match the expected structure","errors":[{"detail":"found \"\", expected a text of 1 to 10 characters","pointer":"/name"},{"detail":"found 9, expected an integer from 1 to 5","pointer":"/stars"},{"detail":"found an unknown field, expected one of \"name\", \"stars\"","pointer":"/color"}]})"
        "\n");
    CHECK(client.post("/items", "", {as_json}).status == 400);
    CHECK(client.post("/items", R"({"name":"a"})" + std::string(2'000'000, ' '), {as_json}).status == 413);
    const auto query = client.get("/items?limit=0");
    CHECK(query.status == 422);
    CHECK(query.body.find(R"({"detail":"found \"0\", expected an integer from 1 to 100","pointer":"/limit"})") !=
          std::string::npos);
    CHECK(client.get("/items?limit=%zz").status == 400);
    CHECK(client.post("/form", "name=", {as_form}).status == 422);
}

TEST_CASE("faults over the limit are counted") {
    apus::schema::fault_list many;
    for (int i = 0; i < 40; ++i) many.add({"/x", "1", "2"});
    const auto res = apus::web::invalid_input(422, "no", many);
    REQUIRE(res.refusal());
    CHECK(res.refusal()->detail() == "no; further errors are not listed");
}
