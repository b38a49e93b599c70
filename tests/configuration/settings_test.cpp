// SPDX-License-Identifier: Apache-2.0
#include "configuration/settings.hpp"

#include "configuration/subject.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace apus::configuration;

namespace {

struct named {
    int odd_name = 1;
    bool b = false;
    static constexpr apus::field_note fields[] = {{.field = "odd_name", .name = "odd-name"},
                                                  {.field = "b", .name = "x.y"}};
};
struct same_options {
    int a_b = 1, a = 1;
    static constexpr apus::field_note fields[] = {{.field = "a", .name = "a-b"}};
};
struct inner {
    int x = 1;
};
struct same_variables {
    inner a;
    int b = 1;
    static constexpr apus::field_note fields[] = {{.field = "b", .name = "a__x"}};
};
struct same_files {
    apus::secret<std::string> key;
    int key_file = 1;
};

template <class T>
std::string list(std::string_view prefix, std::string_view path = {}) {
    std::string all;
    for (const setting& each : settings_of(apus::detail::schema_table<T>, prefix, path))
        all += each.path + " " + each.pointer + " " + each.variable + " " + each.option + "\n";
    return all;
}

}  // namespace

TEST_CASE("fields have variables and options") {
    CHECK(list<test::mail_options>("SHOP") ==
          "host /host SHOP_HOST --host\n"
          "port /port SHOP_PORT --port\n"
          "key /key SHOP_KEY --key-file\n");
    CHECK(list<inner>("", "server") == "server.x /server/x SERVER__X --server.x\n");
    CHECK(list<named>("S") == "odd-name /odd-name S_ODD_NAME --odd-name\nx.y /x.y S_X_Y --x.y\n");
    const auto all = settings_of(test::type_of_subject(), "S");
    const auto find = [&](std::string_view path) {
        for (const setting& each : all)
            if (each.path == path) return each;
        return setting();
    };
    CHECK(find("mail.key").variable == "S_MAIL__KEY");
    CHECK(find("mail.key").from_files);
    CHECK(find("cache.size").option == "--cache.size");  // a field of an optional struct
    CHECK(find("debug").boolean);
    CHECK(find("upstreams").option == "--upstreams");
    CHECK(find("mail").field == nullptr);
}

TEST_CASE("ambiguous names are errors of the program") {
    CHECK_THROWS_AS(list<same_options>("S"), std::logic_error);
    CHECK_THROWS_AS(list<same_variables>("S"), std::logic_error);
    CHECK_THROWS_AS(list<same_files>("S"), std::logic_error);
}

TEST_CASE("prefixes come from files") {
    const struct {
        std::string_view file, prefix;
    } cases[] = {{"shop.toml", "SHOP"}, {"/etc/my-shop.v2.toml", "MY_SHOP_V2"}, {"shop", "SHOP"}, {"", ""}, {"/", ""}};
    for (const auto& [file, prefix] : cases) CHECK(prefix_of_file(file) == prefix);
}

TEST_CASE("values are found by pointer") {
    test::subject value;
    const auto& t = test::type_of_subject();
    CHECK(value_in(t, &value, "/name") == &value.name);
    CHECK(value_in(t, &value, "/mail/port") == &value.mail.port);
    CHECK(value_in(t, &value, "/cache/size") == nullptr);
    value.cache.emplace();
    CHECK(value_in(t, &value, "/cache/size") == &value.cache->size);
    CHECK(value_in(t, &value, "/none") == nullptr);
}
