// SPDX-License-Identifier: Apache-2.0
#include "openapi/operations.hpp"

#include <apus/app.hpp>
#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/openapi.hpp>
#include <apus/test.hpp>
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <variant>

namespace {

struct item {
    std::string name;
};
struct circle {
    double radius;
};
struct square {
    double side = 1;
};

apus::json_value described(apus::app app) {
    app.mount(apus::openapi_document({.title = "t", .version = "1"}));
    apus::test::client client(std::move(app));
    return apus::from_json<apus::json_value>(client.get("/openapi.json").expect(200).body).value();
}

std::string shown(const apus::json_value& all, std::string_view pointer) {
    const apus::json_value* found = all.find(pointer);
    return found ? apus::to_json(*found) : "nothing";
}

}  // namespace

TEST_CASE("responses have their statuses and schemas") {
    apus::app app;
    app.post("/jobs", [](apus::json<item> sent) { return apus::with_status<202>(*std::move(sent)).at("/jobs/1"); });
    app.post("/items", [](apus::json<item> sent) { return apus::created(*std::move(sent)).at("/items/1"); });
    app.put("/items/{id}",
            [](int) -> std::variant<item, apus::created<item>, apus::reply<circle, 409>, apus::reply<square, 409>,
                                    apus::no_content, std::optional<item>> { return apus::no_content(); });
    app.put("/jobs/{code}", [](int code) { return apus::with_status(code, item{}); });
    app.get("/any", []() -> std::variant<item, apus::response> { return apus::response(202); });
    const apus::json_value all = described(std::move(app));
    const auto answer = [&](std::string_view operation, std::string_view status) {
        return shown(all, "/paths/" + std::string(operation) + "/responses/" + std::string(status));
    };
    const std::string item = R"({"application/json":{"schema":{"$ref":"#/components/schemas/item"}}})";
    CHECK(answer("~1jobs/post", "202") == R"({"description":"Accepted","content":)" + item + "}");
    CHECK(answer("~1jobs/post", "200") == "nothing");
    CHECK(answer("~1items/post", "201") == R"({"description":"Created","content":)" + item + "}");
    CHECK(answer("~1items~1{id}/put", "200") == R"({"description":"OK","content":)" + item + "}");
    CHECK(answer("~1items~1{id}/put", "201") == R"({"description":"Created","content":)" + item + "}");
    CHECK(answer("~1items~1{id}/put", "204") == R"({"description":"No Content"})");
    CHECK(answer("~1items~1{id}/put", "404") == R"({"$ref":"#/components/responses/missing"})");
    CHECK(answer("~1items~1{id}/put", "409/content/application~1json/schema/anyOf/1") ==
          R"({"$ref":"#/components/schemas/square"})");
    CHECK(answer("~1jobs~1{code}/put", "200") == "nothing");
    CHECK(answer("~1jobs~1{code}/put", "default") ==
          R"({"description":"The response of the handler, or an error.","content":{)"
          R"("application/json":{"schema":{"$ref":"#/components/schemas/item"}},)"
          R"("application/problem+json":{"schema":{"$ref":"#/components/schemas/problem"}}}})");
    CHECK(answer("~1any/get", "200/content") == item);
    CHECK(answer("~1any/get", "default/description") == R"("The response of the handler, or an error.")");
}

TEST_CASE("errors have the schema of the app's on_error and not_found") {
    apus::app pages;
    pages.get("/maybe/{id}", [](int) { return std::optional<item>(); });
    pages.on_error([](apus::request&, const apus::error&) { return apus::response(); });
    apus::app partly;
    partly.get("/maybe/{id}", [](int) { return std::optional<item>(); });
    partly.not_found([](apus::request&) { return std::optional<square>(); });
    apus::app app;
    app.get("/maybe/{id}", [](int) { return std::optional<item>(); });
    app.on_error([](apus::request&, const apus::error&) { return circle(); });
    app.mount("/pages", std::move(pages));
    app.mount("/partly", std::move(partly));
    const apus::json_value all = described(std::move(app));
    const auto answer = [&](std::string_view path, std::string_view status) {
        return shown(all, "/paths/" + std::string(path) + "~1{id}/get/responses/" + std::string(status));
    };
    const std::string circle = R"({"application/json":{"schema":{"$ref":"#/components/schemas/circle"}}})";
    CHECK(answer("~1maybe", "404") == R"({"description":"The resource does not exist.","content":)" + circle + "}");
    CHECK(answer("~1maybe", "400/content") == circle);
    CHECK(answer("~1maybe", "default") == R"({"description":"The error.","content":)" + circle + "}");
    CHECK(answer("~1pages~1maybe", "404") == R"({"$ref":"#/components/responses/missing"})");
    CHECK(answer("~1partly~1maybe", "400/content") == circle);
    CHECK(answer("~1partly~1maybe", "404/content") ==
          R"({"application/json":{"schema":{"$ref":"#/components/schemas/square"}},)"
          R"("application/problem+json":{"schema":{"$ref":"#/components/schemas/problem"}}})");
}
