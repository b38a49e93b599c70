// SPDX-License-Identifier: Apache-2.0
#include "configuration/toml_text.hpp"

#include "configuration/subject.hpp"
#include "configuration/toml_file.hpp"

#include <apus/json.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace apus::configuration;

TEST_CASE("values are printed as TOML, which has the same values") {
    const struct {
        std::string_view json, toml;
    } cases[] = {
        {"1", "1"},
        {"-1.5", "-1.5"},
        {"true", "true"},
        {R"("a\"\n\u007f")", "\"a\\\"\\n\\u007F\""},
        {"[1,[2]]", "[1, [2]]"},
        {R"({"a":1,"b c":[{}]})", R"({a = 1, "b c" = [{}]})"},
        {R"({"a":null,"b":1})", "{b = 1}"},
        {"null", ""},
    };
    for (const auto& [json, toml] : cases) {
        CAPTURE(json);
        const std::string printed = toml_text(*apus::from_json<apus::json_value>(json));
        CHECK(printed == toml);
        if (!toml.empty()) CHECK(read_toml("a = " + printed, "f"));
    }
    CHECK(toml_key("a-b_1") == "a-b_1");
    CHECK(toml_key("") == "\"\"");
    CHECK(toml_keys("/mail/x y/z~1") == R"(mail."x y"."z/")");
}

TEST_CASE("secrets are masked") {
    const auto shown = []<class T>(const T& value) { return shown_value(apus::detail::schema_table<T>, &value); };
    CHECK(shown(apus::secret<std::string>("x")) == "\"***\"");
    CHECK(shown(std::optional<apus::secret<int>>()).empty());
    CHECK(shown(std::optional(apus::secret<int>(5))) == "\"***\"");
    CHECK(shown(std::vector<apus::secret<std::string>>{"x"}) == "\"***\"");
    CHECK(shown(test::mail_options{.key = apus::secret<apus::text<4, 20>>("hunter")}) ==
          R"({host = "localhost", port = 25})");
    CHECK(shown(std::string("postgres://u:hunter2@h")) == R"("postgres://u:***@h")");
    CHECK(shown(std::optional<int>()).empty());
    CHECK(shown(std::nan("")).empty());
    CHECK(shown(test::color::green) == "\"green\"");
}
