// SPDX-License-Identifier: Apache-2.0
#include <apus/json.hpp>
#include <apus/json_value.hpp>
#include <doctest/doctest.h>

#include <stdexcept>

namespace {

using apus::json_value;

json_value parsed(std::string_view text) {
    auto value = apus::from_json<json_value>(text);
    REQUIRE(value);
    return *std::move(value);
}

struct event {
    std::string name;
    json_value data;
};

}  // namespace

TEST_CASE("JSON Pointers resolve to values") {
    // The document of RFC 6901, 5.
    const json_value v =
        parsed(R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})");
    const std::pair<const char*, const char*> found[] = {{"/foo", R"(["bar","baz"])"},
                                                         {"/foo/0", R"("bar")"},
                                                         {"/", "0"},
                                                         {"/a~1b", "1"},
                                                         {"/c%d", "2"},
                                                         {"/e^f", "3"},
                                                         {"/g|h", "4"},
                                                         {"/i\\j", "5"},
                                                         {"/k\"l", "6"},
                                                         {"/ ", "7"},
                                                         {"/m~0n", "8"}};
    for (const auto& [pointer, text] : found) {
        INFO(pointer);
        REQUIRE(v.find(pointer));
        CHECK(apus::to_json(*v.find(pointer)) == text);
    }
    CHECK(v.find("") == &v);
    for (const char* none : {"foo", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/ 1", "/foo/1x", "/foo/",
                             "/foo/0/x", "/bar", "/m~n", "/m~2n", "/foo/99999999999999999999", "//"}) {
        INFO(none);
        CHECK(v.find(none) == nullptr);
    }
}

TEST_CASE("values are read by type, with a message if the type differs") {
    const json_value v = parsed(
        R"({"flag":true,"small":7,"big":18446744073709551615,"low":-1,"half":0.5,"word":"hi","list":[1],"none":null})");
    CHECK(v.get<bool>("/flag") == true);
    CHECK(v.get<int>("/small") == 7);
    CHECK(v.get<std::uint64_t>("/big") == 18446744073709551615ULL);
    CHECK(v.get<double>("/small") == 7.0);
    CHECK(v.get<double>("/half") == 0.5);
    CHECK(v.get<std::string>("/word") == "hi");
    CHECK(v.get<std::string_view>("/word") == "hi");
    const auto sentence = [](const auto& failed) { return failed.error().detail(); };
    CHECK(sentence(v.get<int>("/big")) == "/big: found an integer, expected an integer from -2147483648 to 2147483647");
    CHECK(sentence(v.get<unsigned>("/low")) == "/low: found an integer, expected an integer from 0 to 4294967295");
    CHECK(sentence(v.get<std::int64_t>("/half")) ==
          "/half: found a number, expected an integer from -9223372036854775808 to 9223372036854775807");
    CHECK(sentence(v.get<bool>("/none")) == "/none: found null, expected true or false");
    CHECK(sentence(v.get<std::string>("/list")) == "/list: found a list, expected a text");
    CHECK(sentence(v.get<double>("/gone")) == "/gone: found nothing, expected a number");
    CHECK(sentence(v.get<bool>()) == "found an object, expected true or false");
    CHECK(v.get<bool>().error().status() == 422);
}

TEST_CASE("values are built and compared") {
    json_value v;
    CHECK(v.is_null());
    v["name"] = "Ada";
    v["born"] = 1815;
    v["big"] = 18446744073709551615ULL;
    v["tags"].push_back(true);
    v["tags"].push_back(nullptr);
    v["tags"].push_back(1.5);
    CHECK(apus::to_json(v) == R"({"name":"Ada","born":1815,"big":18446744073709551615,"tags":[true,null,1.5]})");
    CHECK(v == parsed(R"({"tags":[true,null,1.5],"born":1815,"big":18446744073709551615,"name":"Ada"})"));
    CHECK_FALSE(v == parsed(R"({"name":"Ada"})"));
    CHECK_FALSE(json_value(1) == json_value(1.0));
    json_value copy = v;
    copy["name"] = "Bob";
    CHECK(v.get<std::string>("/name") == "Ada");
    CHECK(v.size() == 4);
    CHECK(v.members()[1].name == "born");
    CHECK(v.find("/tags")->items().size() == 3);
    CHECK(v.items().empty());
    CHECK_THROWS_AS(v.push_back(1), std::logic_error);
    CHECK_THROWS_AS(json_value(1)["x"], std::logic_error);
    json_value moved = std::move(v);
    CHECK(v.is_null());
    CHECK(moved.is_object());
    moved = moved.find("/tags")->items()[2];
    CHECK(moved == json_value(1.5));
}

TEST_CASE("a struct may contain a json_value") {
    const auto made = apus::from_json<event>(R"({"name":"x","data":{"a":[1,2]}})");
    REQUIRE(made);
    CHECK(made->data.get<int>("/a/1") == 2);
    CHECK(apus::to_json(*made) == R"({"name":"x","data":{"a":[1,2]}})");
    CHECK(apus::from_json<event>(R"({"name":"x"})").error().detail() == "/data: found nothing, expected a value");
    CHECK(apus::from_json<event>(R"({"name":"x","data":null})"));
}

TEST_CASE("duplicate names are found in large objects") {
    std::string text = "{";
    for (int i = 0; i < 100'000; ++i) text += "\"k" + std::to_string(i) + "\":0,";
    CHECK(apus::from_json<json_value>(text + "\"x\":1}"));
    CHECK(apus::from_json<json_value>(text + "\"k7\":1}").error().detail() ==
          "/k7: found a duplicate name, expected distinct names");
}
