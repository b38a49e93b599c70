// SPDX-License-Identifier: Apache-2.0
#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <apus/rules.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace {

struct inner {
    int x = 4;
    int y;
};
struct circle {
    double radius = 1;
};
struct square {
    double side = 1;
};
enum class color {
    red,
    green
};

struct reading {
    int count = 7;
    std::string text = "initial";
    bool flag = true;
    std::vector<int> list{1, 2};
    std::map<std::string, int> map{{"a", 1}};
    circle round{.radius = 3};
    color shade = color::green;
    apus::text<2, 10> bounded{"ab"};
    std::optional<int> maybe = 5;
    apus::json_value any = 1;
    std::chrono::seconds wait{30};
    int required;
};

constexpr apus::json_options lenient{.ignore_unknown_fields = true, .null_keeps_initial_value = true};

template <class T>
std::string outcome(std::string_view text, const apus::json_options& options) {
    const apus::result<T> read = apus::from_json<T>(text, options);
    return read ? apus::to_json(*read) : std::to_string(read.error().status()) + " " + read.error().detail();
}

}  // namespace

TEST_CASE("null keeps the initial value of a field that may be missing") {
    const std::string nulls =
        R"({"count":null,"text":null,"flag":null,"list":null,"map":null,"round":null,"shade":null,"bounded":null,)"
        R"("maybe":null,"any":null,"wait": null,"required":1})";
    CHECK(outcome<reading>(nulls, lenient) ==
          R"({"count":7,"text":"initial","flag":true,"list":[1,2],"map":{"a":1},"round":{"radius":3},"shade":"green",)"
          R"("bounded":"ab","maybe":null,"any":null,"wait":30,"required":1})");
    CHECK(outcome<reading>(nulls, {}).starts_with("422 /count: found null, expected an integer"));
    // Fields in another order than in the struct, white space, and values between the nulls.
    CHECK(outcome<inner>("{ \"y\" : 2 , \"x\" : null }", lenient) == R"({"x":4,"y":2})");
    CHECK(outcome<inner>("{\n  \"x\": null,\n  \"y\": 2\n}", lenient) == R"({"x":4,"y":2})");
}

TEST_CASE("null is refused for fields that must be sent, in lists, and for whole documents") {
    CHECK(outcome<inner>(R"({"x":1,"y":null})", lenient).starts_with("422 /y: found null, expected an integer"));
    CHECK(outcome<std::vector<int>>("[1,null]", lenient).starts_with("422 /1: found null"));
    CHECK(outcome<std::map<std::string, int>>(R"({"a":null})", lenient).starts_with("422 /a: found null"));
    CHECK(outcome<inner>("null", lenient).starts_with("422 found null"));
    CHECK(outcome<inner>(R"({"x":nul,"y":1})", lenient).starts_with("400 "));
    CHECK(outcome<inner>(R"({"x":nullx,"y":1})", lenient).starts_with("400 "));
    CHECK(outcome<inner>(R"({"x":n)", lenient).starts_with("400 "));
    CHECK(outcome<inner>(R"({"x":null,"x":null,"y":1})", lenient) ==
          "422 /x: found a duplicate name, expected distinct names");
}

TEST_CASE("unknown names are skipped in all structs, but their values must be JSON") {
    CHECK(outcome<std::vector<inner>>(R"([{"x":1,"z":{"deep":[1,{}]},"y":2},{"y":3,"":null}])", lenient) ==
          R"([{"x":1,"y":2},{"x":4,"y":3}])");
    CHECK(outcome<inner>(R"({"y":2,"z":1})", {}).starts_with("422 /z: found an unknown field"));
    CHECK(
        outcome<inner>(R"({"y":2,"z":1})", {.null_keeps_initial_value = true}).starts_with("422 /z: found an unknown"));
    CHECK(outcome<inner>(R"({"y":2,"z":truth})", lenient).starts_with("400 "));
    using shape = std::variant<circle, square>;
    CHECK(outcome<shape>(R"({"type":"circle","radius":2,"color":"red"})", lenient) ==
          R"({"type":"circle","radius":2})");
    CHECK(outcome<shape>(R"({"type":"cube"})", lenient).starts_with("422 found an object whose \"type\" is"));
}

TEST_CASE("errors have the status that the caller chooses") {
    CHECK(outcome<inner>("{}", {.status = 502}).starts_with("502 /y: found nothing"));
    CHECK(outcome<inner>("{", {.status = 502}).starts_with("502 "));
    CHECK(outcome<inner>("{\"y\":1}", {.status = 502}) == R"({"x":4,"y":1})");
}
