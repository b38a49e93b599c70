// SPDX-License-Identifier: Apache-2.0
#include "configuration/pages.hpp"

#include "configuration/server_table.hpp"
#include "configuration/subject.hpp"
#include "configuration/toml_file.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>

#include <doctest/doctest.h>

using namespace apus::configuration;

namespace {

struct noted {
    int limit = 5;
    apus::secret<std::string> key;
    std::vector<std::string> tags;
    static constexpr apus::field_note fields[] = {{.field = "limit", .description = "Rows"}};
};

}  // namespace

TEST_CASE("help has the option, the note, the rule, the default and the variable of each setting") {
    const noted initial;
    const auto settings = settings_of(apus::detail::schema_table<noted>, "S");
    const std::string help = help_page({apus::detail::schema_table<noted>, &initial, settings}, "s.toml", "S");
    CHECK(
        help.starts_with("Settings, from s.toml, then the environment, then the command line; "
                         "later sources override earlier ones:\n\n"
                         "  --limit VALUE\n"
                         "      Rows\n"
                         "      An integer from -2147483648 to 2147483647; default 5\n"
                         "      Environment: S_LIMIT\n"
                         "  --key-file FILE\n"
                         "      A text; required\n"
                         "      Environment: S_KEY, S_KEY_FILE, or the credential key\n"
                         "  --tags VALUE\n"
                         "      A list, each a text\n"
                         "      Environment: S_TAGS\n"));
    CHECK(help.find("S_CONFIG") != help.npos);
    CHECK(help_page({apus::detail::schema_table<noted>, &initial, settings}, "", "").find("_CONFIG") == help.npos);
}

TEST_CASE("examples are valid, with and without their comments") {
    const test::subject initial;
    const auto settings = settings_of(test::type_of_subject(), "S");
    const std::string example = example_page({test::type_of_subject(), &initial, settings}, "s.toml");
    const auto empty = read_toml(example, "f");
    REQUIRE(empty);
    CHECK(empty->members.empty());
    std::string set;
    for (std::size_t at = 0; at < example.size();) {
        const std::size_t end = example.find('\n', at);
        const std::string_view line = std::string_view(example).substr(at, end - at);
        if (line.starts_with("# ") && (line.find(" = ") != line.npos || line.starts_with("# [")))
            set += std::string(line.substr(2)) + "\n";
        at = end + 1;
    }
    const auto read = read_toml(set, "f");
    REQUIRE(read);
    std::string json;
    append_json(json, *read);
    CHECK(json == R"({"name":"shop","page_size":50,"ratio":0.5,"debug":false,"paint":"red","limit":0,"key":"",)"
                  R"("origins":[],"sizes":[1],"weights":{},"upstreams":[],)"
                  R"("mail":{"host":"mx","port":25,"key":""},"cache":{"folder":"","size":0}})");
}

TEST_CASE("values are shown with their sources") {
    test::subject value;
    value.key = "hunter2";
    value.upstreams.push_back({"http://u:hunter2@h", {}, 2});
    const auto settings = settings_of(test::type_of_subject(), "S");
    std::vector<std::string> places(settings.size());
    places[1] = "f:1:1";
    const std::string shown = show_page({test::type_of_subject(), &value, settings}, places);
    CHECK(shown.find("name = \"shop\"  # default\npage_size = 50  # f:1:1\n") == 0);
    CHECK(shown.find("key = \"***\"") != shown.npos);
    CHECK(shown.find("upstreams = [{url = \"http://u:***@h\", tags = [], weight = 2}]") != shown.npos);
    CHECK(shown.find("# limit is not set\n") != shown.npos);
    CHECK(shown.find("# cache.folder is not set\n") != shown.npos);
    CHECK(shown.find("hunter2") == shown.npos);
    CHECK(read_toml(shown, "f"));
}

TEST_CASE("the schema of the file is JSON Schema") {
    const auto schema =
        apus::from_json<apus::json_value>(schema_page(test::type_of_subject(), &type_of_server_table()));
    REQUIRE(schema);
    CHECK(*schema->get<std::string>("/$ref") == "#/$defs/subject");
    CHECK(*schema->get<int>("/$defs/subject/properties/page_size/maximum") == 100);
    CHECK(*schema->get<std::string>("/$defs/subject/properties/server/$ref") == "#/$defs/server_table");
    CHECK(*schema->get<std::string>("/$defs/subject/properties/paint/$ref") == "#/$defs/color");
    CHECK(schema->find("/$defs/subject/required") == nullptr);
    CHECK(schema->find("/$defs/cache_options/required") == nullptr);
    CHECK(*schema->get<bool>("/$defs/subject/additionalProperties") == false);
    const auto alone = apus::from_json<apus::json_value>(schema_page(test::type_of_subject(), nullptr));
    CHECK(alone->find("/$defs/subject/properties/server") == nullptr);
}
