// SPDX-License-Identifier: Apache-2.0
#include "http/problem.hpp"

#include <apus/json.hpp>
#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <vector>

using apus::http::problem;

namespace {

struct seat_place {
    int row;
    std::string name;
};

apus::error taken() {
    return apus::error(409, "the seat is taken")
        .type("https://example.org/seat-taken")
        .title("Seat taken")
        .with("seat", 12)
        .with("free", false)
        .with("price", 1.5)
        .with("hall", "\"A\"")
        .with("place", seat_place{3, "x"})
        .with("others", std::vector<int>{1, 2})
        .header("retry-after", "30")
        .cause("row 12 is locked");
}

}  // namespace

TEST_CASE("an error carries type, title, members and fields") {
    const apus::response res = problem(taken());
    CHECK(res.status() == 409);
    CHECK(res.body() ==
          R"({"type":"https://example.org/seat-taken","status":409,"title":"Seat taken","detail":"the seat is taken",)"
          R"("seat":12,"free":false,"price":1.5,"hall":"\"A\"","place":{"row":3,"name":"x"},"others":[1,2]})"
          "\n");
    CHECK(res.field_lines() == "retry-after: 30\r\n");
    CHECK(taken().cause() == "row 12 is locked");
    CHECK(taken().member("hall") == "\"\\\"A\\\"\"");
    CHECK(taken().member("none").empty());
}

TEST_CASE("the cause is never in the document, and a failure's detail only if exposed") {
    const auto failed = [] { return apus::error(502, "db1 is down").cause("errno 111").with("code", "db"); };
    CHECK(problem(failed()).body() == "{\"status\":502,\"title\":\"Bad Gateway\",\"code\":\"db\"}\n");
    CHECK(problem(failed().expose()).body() ==
          "{\"status\":502,\"title\":\"Bad Gateway\",\"detail\":\"db1 is down\",\"code\":\"db\"}\n");
}

TEST_CASE("copies of an error are independent, and one without extras has none") {
    apus::error one = taken();
    apus::error two = one;
    two.with("seat", 13).type("about:blank");
    CHECK(one.member("seat") == "12");
    CHECK(two.member("seat") == "13");
    CHECK(one.type() == "https://example.org/seat-taken");
    one = two;
    CHECK(one.member("seat") == "13");
    one = apus::error(404, {});
    CHECK(one.extras() == nullptr);
    CHECK(sizeof(apus::error) <= sizeof(std::string) + 2 * sizeof(void*));
}

TEST_CASE("members and fields that would break the document or head are rejected") {
    apus::error e(400, {});
    for (const char* name : {"type", "status", "title", "detail"})
        CHECK_THROWS_AS(e.with(name, 1), std::invalid_argument);
    CHECK_THROWS_AS(e.header("x", "a\r\nb: c"), std::invalid_argument);
    CHECK_THROWS_AS(e.header("content-length", "0"), std::invalid_argument);
    CHECK_THROWS_AS(e.header("a b", "0"), std::invalid_argument);
    e.with("a\"b", std::numeric_limits<double>::quiet_NaN());
    CHECK(problem(e).body() == "{\"status\":400,\"title\":\"Bad Request\",\"a\\\"b\":null}\n");
}

TEST_CASE("a failure has the setters of an error") {
    const auto refuse = []() -> apus::result<int> {
        return apus::fail(401, "sign in").header("www-authenticate", "Bearer").with("realm", "all");
    };
    const auto said = refuse();
    REQUIRE(!said);
    CHECK(said.error().member("realm") == "\"all\"");
    CHECK(problem(said.error()).header("WWW-Authenticate") == "Bearer");
}
