// SPDX-License-Identifier: Apache-2.0
#include "openapi/document.hpp"

#include "openapi/schema_set.hpp"

#include <apus/app.hpp>
#include <apus/form.hpp>
#include <apus/header.hpp>
#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/openapi.hpp>
#include <apus/query.hpp>
#include <apus/rules.hpp>
#include <apus/test.hpp>
#include <apus/uploaded_file.hpp>
#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace {

namespace other {
struct item {
    bool there;
};
}  // namespace other

struct even {
    static constexpr std::string_view expected = "an even number";
    static bool holds(const int& n) { return n % 2 == 0; }
};
enum class color {
    red,
    green
};
struct item {
    std::string name;
    static constexpr std::string_view description = "A thing";
};
struct tree {
    std::vector<tree> branches;
    static constexpr bool ignores_unknown_fields = true;
};
struct circle {
    double radius;
};
struct square {
    static constexpr std::string_view tag = "box";
    double side = 1;
};
struct noted {
    int class_;
    int hidden = 0;
    static constexpr apus::field_note fields[] = {{.field = "class_", .name = "class", .description = "Which"},
                                                  {.field = "hidden", .skip = true}};
};
struct defaults {
    bool flag = true;
    std::string text = "a\"b";
    color tint = color::green;
    std::optional<int> limit = 3;
    std::vector<int> sizes = {1, 2};
    apus::integer<1, 5> stars{3};
};
struct picture {
    apus::uploaded_file image;
    std::vector<apus::uploaded_file> more;
};
struct find {
    apus::text<1, 20> q;
    std::vector<std::string> tag;
    std::optional<int> limit;
    color tint = color::red;
};

using int8 = std::int8_t;

const apus::openapi_info info{.title = "t", .version = "1"};

// Returns the document of an app, as clients receive it.
apus::json_value described(apus::app app, std::string_view at = "/openapi.json") {
    app.mount(apus::openapi_document(info));
    apus::test::client client(std::move(app));
    return apus::from_json<apus::json_value>(client.get(at).expect(200).body).value();
}

std::string shown(const apus::json_value& all, std::string_view pointer) {
    const apus::json_value* found = all.find(pointer);
    return found ? apus::to_json(*found) : "nothing";
}

// Returns the schema of T as a request body, and the schema of the component with this name.
template <class T>
apus::json_value with_body() {
    apus::app app;
    app.post("/", [](apus::json<T>) { return apus::no_content(); });
    return described(std::move(app));
}
constexpr std::string_view body_schema = "/paths/~1/post/requestBody/content/application~1json/schema";

template <class T>
void has_schema(std::string_view expected) {
    CHECK(shown(with_body<T>(), body_schema) == expected);
}
template <class T>
void has_component(std::string_view name, std::string_view expected) {
    CHECK(shown(with_body<T>(), "/components/schemas/" + std::string(name)) == expected);
}

}  // namespace

TEST_CASE("types have schemas") {
    has_schema<bool>(R"({"type":"boolean"})");
    has_schema<std::int8_t>(R"({"type":"integer","minimum":-128,"maximum":127})");
    has_schema<std::int32_t>(R"({"type":"integer","format":"int32","minimum":-2147483648,"maximum":2147483647})");
    has_schema<std::uint64_t>(R"({"type":"integer","minimum":0,"maximum":18446744073709551615})");
    has_schema<double>(R"({"type":"number","format":"double"})");
    has_schema<std::string>(R"({"type":"string"})");
    has_schema<std::chrono::sys_seconds>(R"({"type":"string","format":"date-time"})");
    has_schema<std::vector<int8>>(R"({"type":"array","items":{"type":"integer","minimum":-128,"maximum":127}})");
    has_schema<std::array<std::string, 2>>(R"({"type":"array","items":{"type":"string"},"minItems":2,"maxItems":2})");
    has_schema<std::map<std::string, bool>>(R"({"type":"object","additionalProperties":{"type":"boolean"}})");
    has_schema<std::optional<bool>>(R"({"type":["boolean","null"]})");
    has_schema<std::optional<item>>(R"({"anyOf":[{"$ref":"#/components/schemas/item"},{"type":"null"}]})");
    has_schema<std::optional<apus::one_of<"a">>>(R"({"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]})");
    has_schema<apus::json_value>("{}");
    has_schema<std::variant<circle, square>>(
        R"({"oneOf":[{"$ref":"#/components/schemas/circle"},{"$ref":"#/components/schemas/square"}],"discriminator":{"propertyName":"type",)"
        R"("mapping":{"circle":"#/components/schemas/circle","box":"#/components/schemas/square"}}})");
}

TEST_CASE("rules are in the schema") {
    has_schema<apus::text<1, 200>>(R"({"type":"string","minLength":1,"maxLength":200})");
    has_schema<apus::text<0>>(R"({"type":"string"})");
    has_schema<apus::integer<1, 5>>(R"({"type":"integer","format":"int64","minimum":1,"maximum":5})");
    has_schema<apus::number<0.5, 2.0>>(R"({"type":"number","format":"double","minimum":0.5,"maximum":2.0})");
    has_schema<apus::email>(R"({"type":"string","format":"email","maxLength":254})");
    has_schema<apus::url>(R"({"type":"string","format":"uri","pattern":"^[Hh][Tt][Tt][Pp][Ss]?://"})");
    has_schema<apus::uuid>(R"({"type":"string","format":"uuid"})");
    has_schema<apus::date>(R"({"type":"string","format":"date"})");
    has_schema<apus::time_of_day>(R"({"type":"string","format":"time"})");
    has_schema<apus::one_of<"draft", "published">>(R"({"type":"string","enum":["draft","published"]})");
    has_schema<apus::list<std::string, 1, 3>>(
        R"({"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3})");
    has_schema<apus::pattern<"[A-Z]{2}-\\d{4}">>(R"({"type":"string","pattern":"^(?:[A-Z]{2}-[0-9]{4})$"})");
    has_schema<apus::checked<int, even>>(
        R"({"type":"integer","format":"int32","minimum":-2147483648,"maximum":2147483647,"description":"an even number"})");
}

TEST_CASE("structs are components") {
    has_component<item>(
        "item",
        R"({"type":"object","description":"A thing","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false})");
    has_component<tree>(
        "tree",
        R"({"type":"object","properties":{"branches":{"type":"array","items":{"$ref":"#/components/schemas/tree"}}},"required":["branches"]})");
    has_component<std::variant<circle, square>>(
        "square",
        R"({"type":"object","properties":{"type":{"const":"box"},"side":{"type":"number","format":"double","default":1}},"required":["type"],"additionalProperties":false})");
    has_component<noted>(
        "noted",
        R"({"type":"object","properties":{"class":{"type":"integer","format":"int32","minimum":-2147483648,"maximum":2147483647,"description":"Which"}},"required":["class"],"additionalProperties":false})");
    has_component<std::vector<color>>("color", R"({"type":"string","enum":["red","green"]})");
}

TEST_CASE("optional fields have defaults") {
    const apus::json_value all = with_body<defaults>();
    const auto value = [&](std::string_view field) {
        return shown(all, "/components/schemas/defaults/properties/" + std::string(field) + "/default");
    };
    CHECK(shown(all, "/components/schemas/defaults/required") == "nothing");
    CHECK(value("flag") == "true");
    CHECK(value("text") == R"("a\"b")");
    CHECK(value("tint") == R"("green")");
    CHECK(value("limit") == "3");
    CHECK(value("sizes") == "[1,2]");
    CHECK(value("stars") == "3");
}

TEST_CASE("types with equal names are separate components") {
    apus::app app;
    app.get("/a", [] { return item{}; });
    app.get("/b", [] { return other::item{}; });
    const apus::json_value all = described(std::move(app));
    CHECK(shown(all, "/paths/~1a/get/responses/200/content/application~1json/schema") ==
          R"({"$ref":"#/components/schemas/item"})");
    CHECK(shown(all, "/paths/~1b/get/responses/200/content/application~1json/schema") ==
          R"({"$ref":"#/components/schemas/item_2"})");
    CHECK(shown(all, "/components/schemas/item_2/properties") == R"({"there":{"type":"boolean"}})");
}

TEST_CASE("parameters come from the path and the query struct") {
    apus::app app;
    app.get("/{id}/{name...}", [](std::uint8_t, std::string_view, apus::query<find>) { return apus::no_content(); });
    const apus::json_value all = described(std::move(app));
    const std::string at = "/paths/~1{id}~1{name}/get/parameters/";
    CHECK(shown(all, at + "0") ==
          R"({"name":"id","in":"path","required":true,"schema":{"type":"integer","minimum":0,"maximum":255}})");
    CHECK(
        shown(all, at + "1") ==
        R"({"name":"name","in":"path","required":true,"schema":{"type":"string","minLength":1,"pattern":"^[^\\u0000]*$"}})");
    CHECK(
        shown(all, at + "2") ==
        R"({"name":"q","in":"query","required":true,"schema":{"type":"string","minLength":1,"maxLength":20,"pattern":"^[^\\u0000]*$"}})");
    CHECK(shown(all, at + "3/required") == "false");
    CHECK(shown(all, at + "3/schema") ==
          R"({"type":"array","items":{"type":"string","pattern":"^[^\\u0000]*$"},"default":[]})");
    CHECK(
        shown(all, at + "4") ==
        R"({"name":"limit","in":"query","required":false,"schema":{"type":"integer","format":"int32","minimum":-2147483648,"maximum":2147483647}})");
    CHECK(shown(all, at + "5/schema") == R"({"$ref":"#/components/schemas/color","default":"red"})");
}

// Returns the statuses documented for a handler, and the media types of the first response and of the request body.
template <class F>
std::string said(F handler) {
    apus::app app;
    app.post("/", std::move(handler));
    const apus::json_value all = described(std::move(app));
    std::string out;
    for (const auto& [status, response] : all.find("/paths/~1/post/responses")->members()) {
        out += (out.empty() ? "" : " ") + status;
        if (const auto* content = response.find("/content")) out += ' ' + content->members()[0].name;
    }
    if (const auto* content = all.find("/paths/~1/post/requestBody/content"))
        out += " takes " + content->members()[0].name;
    return out;
}

TEST_CASE("request and response types are described") {
    CHECK(said([] { return "text"; }) == "200 text/plain default");
    CHECK(said([] { return item{}; }) == "200 application/json default");
    CHECK(said([] { return apus::created{item{}}; }) == "201 application/json default");
    CHECK(said([] { return apus::no_content(); }) == "204 default");
    CHECK(said([] {}) == "204 default");
    CHECK(said([] { return std::optional<item>(); }) == "200 application/json 404 default");
    CHECK(said([]() -> apus::result<std::string> { return ""; }) == "200 text/plain default");
    CHECK(said([]() -> apus::task<> { co_return; }) == "204 default");
    CHECK(said([]() -> apus::task<std::optional<item>> { co_return std::nullopt; }) ==
          "200 application/json 404 default");
    CHECK(said([] { return apus::response(); }) == "default");
    CHECK(said([](apus::json<item>) {}) == "204 400 413 415 422 default takes application/json");
    CHECK(said([](apus::form<find>) {}) == "204 400 413 415 422 default takes application/x-www-form-urlencoded");
    CHECK(said([](apus::body_text) {}) == "204 413 default takes */*");
    CHECK(said([](apus::query<find>, apus::request&) {}) == "204 400 422 default");
}

TEST_CASE("a form is described by its struct, and allows other names") {
    apus::app app;
    app.post("/", [](apus::form<find>) {});
    const apus::json_value all = described(std::move(app));
    const std::string at = "/paths/~1/post/requestBody/content/application~1x-www-form-urlencoded/schema";
    CHECK(shown(all, at + "/required") == R"(["q"])");  // a missing "required" means an empty list
    CHECK(shown(all, "/paths/~1/post/requestBody/content/multipart~1form-data/schema") == shown(all, at));
    CHECK(shown(all, at + "/additionalProperties") == "nothing");
    CHECK(shown(all, at + "/properties/limit/type") == R"("integer")");
}

TEST_CASE("header fields, cookies and files are described") {
    apus::app app;
    app.post("/", [](apus::form<picture>, apus::header<"x-id", int>,
                     apus::cookie<"theme", std::optional<apus::one_of<"a", "b">>>) {});
    const apus::json_value all = described(std::move(app));
    CHECK(
        shown(all, "/paths/~1/post/parameters") ==
        R"([{"name":"x-id","in":"header","required":true,"schema":{"type":"integer","format":"int32","minimum":-2147483648,"maximum":2147483647}},)"
        R"({"name":"theme","in":"cookie","required":false,"schema":{"type":"string","enum":["a","b"]}}])");
    const std::string at = "/paths/~1/post/requestBody/content/multipart~1form-data/schema";
    CHECK(shown(all, at + "/required") == R"(["image"])");
    CHECK(shown(all, at + "/properties/image") == R"({"type":"string","format":"binary"})");
    CHECK(shown(all, at + "/properties/more/items") == R"({"type":"string","format":"binary"})");
}

TEST_CASE("routes may add descriptions") {
    apus::app app;
    app.get("/a/b-c", [] {}).summary("Short").description("Long").tag("x").tag("y").deprecated();
    app.put("/a/b-c", [] {}).operation_id("put_it");
    app.get("/secret", [] {}).hidden();
    const apus::json_value all = described(std::move(app));
    CHECK(
        shown(all, "/paths/~1a~1b-c/get")
            .starts_with(
                R"({"tags":["x","y"],"summary":"Short","description":"Long","deprecated":true,"operationId":"get_a_b_c",)"));
    CHECK(shown(all, "/paths/~1a~1b-c/put/operationId") == R"("put_it")");
    CHECK(all.find("/paths")->size() == 1);
}

TEST_CASE("routes that OpenAPI cannot distinguish share a path") {
    apus::app app;
    app.get("/{a}", [](int) {});
    app.put("/{b}", [](int) {});
    app.get("/{c...}", [](std::string_view) {});
    const apus::json_value all = described(std::move(app));
    CHECK(all.find("/paths")->size() == 1);
    CHECK(shown(all, "/paths/~1{a}/put/parameters/0/name") == R"("a")");
    CHECK(shown(all, "/paths/~1{a}/get/parameters/0/schema/type") == R"("integer")");
}

TEST_CASE("the outer app is described with mounted apps") {
    apus::app inner, part, whole;
    inner.get("/", [] {});
    part.mount("/inner", std::move(inner));
    part.get("/x", [] {});
    part.mount(apus::openapi_document(info));
    whole.get("/outside", [] {});
    whole.mount("/part", std::move(part));
    const apus::json_value all = described(std::move(whole), "/part/openapi.json");
    CHECK(all.find("/paths")->size() == 2);
    CHECK(all.find("/paths/~1part~1inner"));
    CHECK(all.find("/paths/~1part~1x"));
}

TEST_CASE("operation ids are unique") {
    apus::app app;
    app.get("/a/b", [] {});
    app.get("/a-b", [] {});
    const apus::json_value all = described(std::move(app));
    CHECK(shown(all, "/paths/~1a~1b/get/operationId") == R"("get_a_b")");
    CHECK(shown(all, "/paths/~1a-b/get/operationId") == R"("get_a_b_2")");

    apus::app wrong;
    wrong.get("/a", [] {}).operation_id("same");
    wrong.get("/b", [] {}).operation_id("same");
    CHECK_THROWS_WITH_AS(described(std::move(wrong)), "two routes have the operation_id \"same\"", std::logic_error);
}

TEST_CASE("the document supports conditional requests") {
    apus::app app;
    app.mount(apus::openapi_document(info));
    apus::test::client client(std::move(app));
    const auto first = client.get("/openapi.json").expect(200);
    CHECK(first.header("content-type") == "application/json");
    CHECK(first.body == R"({"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{},)" +
                            first.body.substr(first.body.find("\"components\"")));
    client.get("/openapi.json", {{"if-none-match", first.header("etag")}}).expect(304);
}
