// SPDX-License-Identifier: Apache-2.0
#include "markup/elements.hpp"

#include <doctest/doctest.h>

using namespace apus::markup;

TEST_CASE("kinds of attribute values") {
    struct {
        std::string_view tag, name;
        attribute is;
    } const rows[] = {
        {"a", "href", attribute::url},
        {"a", "hreflang", attribute::plain},
        {"a", "onfocus", attribute::refused},
        {"p", "data-image-src", attribute::url},
        {"p", "data-count", attribute::plain},
        {"script", "src", attribute::fixed_host_url},
        {"script", "type", attribute::refused},
        {"input", "type", attribute::plain},
        {"script", "data-url", attribute::url},
        {"object", "data", attribute::fixed_host_url},
        {"animate", "values", attribute::refused},
        {"iframe", "sandbox", attribute::refused},
        {"meta", "charset", attribute::refused},
    };
    for (const auto& row : rows) {
        CAPTURE(row.name);
        CHECK(kind_of_attribute(row.tag, row.name) == row.is);
    }
}

TEST_CASE("elements and scripts with special content") {
    CHECK(kind_of_element("p") == element::plain);
    CHECK(kind_of_element("textarea") == element::title);
    CHECK(kind_of_element("script") == element::script);
    CHECK(kind_of_element("xmp") == element::raw);
    CHECK(is_script_type("Text/JavaScript"));
    CHECK(!is_script_type("text/x-handlebars"));
}
