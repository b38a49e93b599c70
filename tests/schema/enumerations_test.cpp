// SPDX-License-Identifier: Apache-2.0
#include <apus/json.hpp>
#include <apus/openapi.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

enum class color_of_all {
    red,
    green
};
enum plain_of_all : int {
    upper,
    lower = -7
};

namespace apus_enumerations {
enum class color {
    red,
    green
};
enum plain : short {
    upper = 200,
    lower
};
}  // namespace apus_enumerations

namespace {

enum class hidden {
    first,
    second
};
struct holder {
    enum class kind {
        small,
        large
    };
    enum plain : unsigned char {
        upper = 255
    };
};
template <class A, class B>
struct box {
    enum class kind {
        open,
        closed
    };
    enum plain : unsigned {
        upper,
        lower
    };
};
enum class answer {
    yes = 200,
    no = 404,
    late = 1023
};
enum class edge : signed char {
    least = -128,
    greatest = 127
};
enum class flag : bool {
    off,
    on
};
enum class gr\u00f6\u00dfe {
    klein,
    gro\u00df
};
enum class partly {
    low = -1,
    beyond = 5'000
};
template <class E>
struct of {
    E v;
};

struct names_of {
    std::string list;
    template <class E>
    void operator()() {
        const apus::schema::type& t = apus::detail::schema_table<E>;
        for (unsigned i = 0; i < t.enumerator_count; ++i)
            ((list += t.enumerators[i].name) += '=') += std::to_string(t.enumerators[i].value) + " ";
    }
};
template <class E>
std::string names() {
    names_of all;
    all.operator()<E>();
    return all.list;
}

}  // namespace

TEST_CASE("enumerators are found in every scope") {
    enum class local {
        one,
        two
    };
    const auto in_lambda = [] {
        enum class inner {
            only
        };
        return names<inner>();
    };
    CHECK(names<color_of_all>() == "red=0 green=1 ");
    CHECK(names<plain_of_all>() == "lower=-7 upper=0 ");
    CHECK(names<apus_enumerations::color>() == "red=0 green=1 ");
    CHECK(names<apus_enumerations::plain>() == "upper=200 lower=201 ");
    CHECK(names<hidden>() == "first=0 second=1 ");
    CHECK(names<holder::kind>() == "small=0 large=1 ");
    CHECK(names<holder::plain>() == "upper=255 ");
    CHECK(names<box<int, char>::kind>() == "open=0 closed=1 ");
    CHECK(names<box<box<int, int>, char>::kind>() == "open=0 closed=1 ");
    CHECK(names<box<int, char>::plain>() == "upper=0 lower=1 ");
    CHECK(names<answer>() == "yes=200 no=404 late=1023 ");
    CHECK(names<edge>() == "least=-128 greatest=127 ");
    CHECK(names<flag>() == "off=0 on=1 ");
    CHECK(names<gr\u00f6\u00dfe>() == "klein=0 gro\u00df=1 ");
    CHECK(names<partly>() == "low=-1 ");
    CHECK(names<local>() == "one=0 two=1 ");
    CHECK(in_lambda() == "only=0 ");
}

TEST_CASE("clients cannot send an enumeration value without a name") {
    for (const char* text : {R"({"v":"(color_of_all)77"})", R"({"v":"77"})", R"({"v":77})", R"({"v":""})",
                             R"({"v":"color_of_all::red"})"}) {
        CAPTURE(text);
        const auto read = apus::from_json<of<color_of_all>>(text);
        REQUIRE(!read);
        CHECK(read.error().status() == 422);
        CHECK(read.error().detail().ends_with("expected \"red\" or \"green\""));
    }
    CHECK(apus::from_json<of<color_of_all>>(R"({"v":"green"})")->v == color_of_all::green);
    CHECK(apus::from_json<of<plain_of_all>>(R"({"v":"lower"})")->v == lower);
}

TEST_CASE("printing an enumeration value without a name is an error") {
    CHECK(apus::to_json(of<color_of_all>{color_of_all::red}) == R"({"v":"red"})");
    CHECK(apus::to_json(of<plain_of_all>{lower}) == R"({"v":"lower"})");
    CHECK_THROWS_AS(apus::to_json(of<color_of_all>{color_of_all(77)}), std::domain_error);
    CHECK_THROWS_AS(apus::to_json(of<partly>{partly::beyond}), std::domain_error);
}

TEST_CASE("the schema lists the names") {
    apus::app a;
    a.post("/", [](apus::json<of<color_of_all>>) {});
    a.mount(apus::openapi_document({.title = "t", .version = "1"}));
    apus::test::client client(std::move(a));
    CHECK(client.get("/openapi.json").text().contains(R"("enum":["red","green"])"));
}
