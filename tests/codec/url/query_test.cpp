// SPDX-License-Identifier: Apache-2.0
#include "codec/url/query.hpp"
#include "schema/flat_values.hpp"

#include <apus/json.hpp>
#include <apus/rules.hpp>
#include <doctest/doctest.h>

namespace {

enum class order {
    up,
    down
};
struct search {
    std::optional<std::string> q;
    apus::integer<1, 100> limit{20};
    std::vector<int> id;
    order by = order::up;
    bool all = false;
    double near = 0;
};
struct needed {
    std::string name;
    apus::list<std::string, 1, 2> tag;
};

template <class T>
std::string read(const char* text) {
    T value{};
    apus::codec::url::query_report found;
    apus::codec::url::read_query(text, apus::detail::schema_table<T>, &value, found);
    if (found.malformed) return found.malformed;
    if (found.fine()) return apus::to_json(value);
    std::string all;
    for (const auto& one : found.list.faults) all += one.pointer + ": " + one.sentence() + "\n";
    return all;
}

}  // namespace

TEST_CASE("queries are parsed into structs") {
    const std::pair<const char*, const char*> table[] = {
        {"", R"({"q":null,"limit":20,"id":[],"by":"up","all":false,"near":0})"},
        {"&&", R"({"q":null,"limit":20,"id":[],"by":"up","all":false,"near":0})"},
        {"q=a+b%2Bc%26&limit=5&id=1&id=-2&by=down&all=on&near=1.5&utm=x",
         R"({"q":"a b+c&","limit":5,"id":[1,-2],"by":"down","all":true,"near":1.5})"},
        {"q=&all=true", R"({"q":"","limit":20,"id":[],"by":"up","all":true,"near":0})"},
        {"q", R"({"q":"","limit":20,"id":[],"by":"up","all":false,"near":0})"},
        {"q=a=b", R"({"q":"a=b","limit":20,"id":[],"by":"up","all":false,"near":0})"},
        {"%71=%C3%A9", "{\"q\":\"\xc3\xa9\",\"limit\":20,\"id\":[],\"by\":\"up\",\"all\":false,\"near\":0}"},
        {"limit=0&id=x&by=left",
         "/limit: found \"0\", expected an integer from 1 to 100\n"
         "/id: found \"x\", expected an integer from -2147483648 to 2147483647\n"
         "/by: found \"left\", expected \"up\" or \"down\"\n"},
        {"limit=1&limit=2", "/limit: found a duplicate name, expected distinct names\n"},
        {"all=yes&near=inf", "/all: found \"yes\", expected true or false\n/near: found \"inf\", expected a number\n"},
        {"q=%", "a percent sign in the URL is not followed by two hexadecimal digits"},
        {"q=%zz", "a percent sign in the URL is not followed by two hexadecimal digits"},
        {"q=%00", "the URL contains an encoded NUL"},
        {"x%ff=1", "the decoded URL is invalid UTF-8"},
    };
    for (const auto& [text, wanted] : table) {
        INFO(text);
        CHECK(read<search>(text) == wanted);
    }
    CHECK(read<needed>("") ==
          "/name: found nothing, expected a text\n/tag: found nothing, expected a list of 1 to 2 values\n");
    CHECK(read<needed>("name=x&tag=a&tag=b&tag=c") == "/tag: found more values, expected a list of 1 to 2 values\n");
    CHECK(read<needed>("name=x&tag=a") == R"({"name":"x","tag":["a"]})");
}

TEST_CASE("values in messages are truncated at character boundaries") {
    const std::string long_one(39, 'a');
    CHECK(apus::schema::shown("a\xc3\xa9") == "\"a\xc3\xa9\"");
    CHECK(apus::schema::shown(long_one + "b") == '"' + long_one + "b\"");
    CHECK(apus::schema::shown(long_one + "\xc3\xa9") == '"' + long_one + "...\"");
}
