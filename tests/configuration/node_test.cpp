// SPDX-License-Identifier: Apache-2.0
#include "configuration/node.hpp"

#include "configuration/subject.hpp"

#include <apus/json_value.hpp>

#include <doctest/doctest.h>

using namespace apus::configuration;

namespace {

template <class T>
const apus::schema::type& table_of() {
    return apus::detail::schema_table<T>;
}

}  // namespace

TEST_CASE("texts of variables and options are converted as their type expects") {
    const struct {
        const apus::schema::type& of;
        std::string_view text, json;
    } cases[] = {
        {table_of<std::string>(), "5", R"("5")"},
        {table_of<std::string>(), "", R"("")"},
        {table_of<int>(), "5", "5"},
        {table_of<int>(), "-5", "-5"},
        {table_of<int>(), "05", R"("05")"},
        {table_of<int>(), "+5", R"("+5")"},
        {table_of<int>(), " 5", R"(" 5")"},
        {table_of<int>(), "5,6", R"("5,6")"},
        {table_of<int>(), "null", R"("null")"},
        {table_of<int>(), "", R"("")"},
        {table_of<std::uint64_t>(), "18446744073709551615", "18446744073709551615"},
        {table_of<double>(), "1e3", "1e3"},
        {table_of<double>(), "inf", R"("inf")"},
        {table_of<bool>(), "true", "true"},
        {table_of<bool>(), "on", "true"},
        {table_of<bool>(), "0", "false"},
        {table_of<bool>(), "no", "false"},
        {table_of<bool>(), "True", R"("True")"},
        {table_of<std::optional<int>>(), "7", "7"},
        {table_of<apus::secret<int>>(), "7", "7"},
        {table_of<test::color>(), "red", R"("red")"},
        {table_of<std::vector<int>>(), "1, 2 ,x", R"([1,2,"x"])"},
        {table_of<std::vector<std::string>>(), "", "[]"},
        {table_of<std::vector<std::string>>(), "a,,b", R"(["a","","b"])"},
        {table_of<std::vector<std::string>>(), R"(["a,b"])", R"(["a,b"])"},
        {table_of<std::vector<std::string>>(), "[a", R"("[a")"},
        {table_of<std::map<std::string, int>>(), R"({"a":1})", R"({"a":1})"},
        {table_of<std::map<std::string, int>>(), "a=1", R"("a=1")"},
        {table_of<std::vector<test::upstream>>(), R"([{"url":"x"}])", R"([{"url":"x"}])"},
        {table_of<apus::json_value>(), "[1]", "[1]"},
        {table_of<apus::json_value>(), "x", R"("x")"},
    };
    for (const auto& [of, text, json] : cases) {
        CAPTURE(text);
        std::string printed;
        append_json(printed, node_of_text(of, text, {}));
        CHECK(printed == json);
    }
}

TEST_CASE("members are found, replaced and removed; pointers are taken apart") {
    node table;
    table.put("a", {.what = node::kind::text, .text = "1"});
    table.put("b/~c", {.what = node::kind::text, .text = "2"});
    table.put("a", {.what = node::kind::text, .text = "3"});
    CHECK(table.members.size() == 2);
    CHECK(table.find("a")->text == "3");
    CHECK(deepest(table, "/b~1~0c").text == "2");
    CHECK(&deepest(table, "/x/y") == &table);
    table.remove("a");
    CHECK(table.find("a") == nullptr);
    CHECK(node{.what = node::kind::list}.find("") == nullptr);
    std::string_view pointer = "/a~1b/c~0/~";
    CHECK(take_reference(pointer) == "a/b");
    CHECK(take_reference(pointer) == "c~");
    CHECK(take_reference(pointer) == "~");
    CHECK(take_reference(pointer).empty());
}
