// SPDX-License-Identifier: Apache-2.0
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::app;
using namespace apus::support;

namespace {

app echo_captures() {
    app a;
    a.get("/one/{name}", [](std::string name) { return "[" + name + "]"; });
    a.get("/rest/{name...}", [](std::string_view name) { return "[" + std::string(name) + "]"; });
    a.get("/two/{a}/x/{b...}",
          [](std::string first, std::string_view rest) { return "[" + first + "][" + std::string(rest) + "]"; });
    return a;
}

}  // namespace

TEST_CASE("captures are percent-decoded once, after routing") {
    direct to(echo_captures());
    check_answers(to, {
                          {"GET /one/a%20b", "200 [a b]"},
                          {"GET /one/a%2Fb", "200 [a/b]"},
                          {"GET /one/a%252Fb", "200 [a%2Fb]"},
                          {"GET /one/a+b", "200 [a+b]"},
                          {"GET /one/%C3%A9", "200 [\xc3\xa9]"},
                          {"GET /one/a..b", "200 [a..b]"},
                          {"GET /one/...", "200 [...]"},
                          {"GET /one/.profile", "200 [.profile]"},
                          {"GET /rest/a/%62/c%20", "200 [a/b/c ]"},
                          {"GET /two/%61/x/%62/%63", "200 [a][b/c]"},
                          {"GET /one/a?x=%00", "200 [a]"},
                      });
}

TEST_CASE("a capture with dot segments is not matched") {
    direct to(echo_captures());
    const char* requests[] = {
        "GET /one/..",
        "GET /one/.",
        "GET /one/%2e%2E",
        "GET /one/%2Fetc",
        "GET /one/a%2F..%2Fb",
        "GET /rest/../a",
        "GET /rest/a/..",
        "GET /rest/a/./b",
        "GET /rest/a/%2e%2e/b",
        "GET /rest/a%2f..%2f..%2fb",
        "GET /rest/%2Fetc/passwd",
        "GET /rest//etc/passwd",
        "GET /two/../x/b",
        "GET /two/a/x/..",
    };
    for (const auto* request : requests) {
        CAPTURE(request);
        CHECK(to.problem(request) == "404");
    }
}

TEST_CASE("a capture that is not UTF-8 is not matched") {
    direct to(echo_captures());
    for (const auto* request : {"GET /one/a%00", "GET /rest/a/%00/b", "GET /one/%ff", "GET /one/%C3"}) {
        CAPTURE(request);
        to.send(request);
        CHECK(to.status() == 404);
    }
}
