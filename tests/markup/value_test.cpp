// SPDX-License-Identifier: Apache-2.0
#include "markup/value.hpp"

#include <apus/safe_html.hpp>
#include <apus/schema.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using namespace apus::markup;

namespace {

struct leaf {
    int a = 0;
};
struct other_leaf {
    int b = 0;
};
struct tree {
    int n = 1;
    std::vector<tree> below;
};

template <class T>
std::string written(const T& value, escape how = escape::script_value) {
    std::string out;
    write(out, how, apus::detail::schema_table<T>, &value);
    return out;
}

template <class T>
bool there(const T& value) {
    return is_there(apus::detail::schema_table<T>, &value);
}

}  // namespace

TEST_CASE("values are formatted by type") {
    CHECK(written(std::int8_t(-128)) == " -128");
    CHECK(written(std::uint64_t(18446744073709551615u), escape::text) == "18446744073709551615");
    CHECK(written(0.1f, escape::text) == "0.1");
    CHECK(written(std::nan("")) == " null");
    CHECK(written(std::optional<int>()) == " null");
    CHECK(written(std::chrono::sys_seconds(std::chrono::seconds(0)), escape::text) == "1970-01-01T00:00:00Z");
    CHECK(written(tree{1, {{2, {}}}}) == "{\"n\": 1,\"below\":[{\"n\": 2,\"below\":[]}]}");
    tree deep;
    for (int i = 0; i < 100; ++i) {
        tree up;
        up.below.push_back(std::move(deep));
        deep = std::move(up);
    }
    CHECK(written(deep).size() < 1000);
}

TEST_CASE("existing values, and values that cannot be formatted") {
    CHECK(there(true));
    CHECK(!there(0));
    CHECK(!there(0.0));
    CHECK(there(std::string("0")));
    CHECK(!there(std::vector<int>()));
    CHECK(there(std::optional<bool>(false)));
    CHECK(!there(apus::safe_html()));
    CHECK(!can_write(apus::detail::schema_table<std::vector<int>>, escape::text));
    CHECK(can_write(apus::detail::schema_table<std::vector<int>>, escape::script_value));
    CHECK(can_write(apus::detail::schema_table<tree>, escape::script_value));
    CHECK(!can_write(apus::detail::schema_table<std::variant<leaf, other_leaf>>, escape::script_value));
    CHECK(!can_write(apus::detail::schema_table<apus::safe_html>, escape::script_value));
    CHECK(!can_be_tested(apus::detail::schema_table<leaf>));
}
