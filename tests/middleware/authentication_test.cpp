// SPDX-License-Identifier: Apache-2.0
#include "middleware/authentication.hpp"

#include "support/direct.hpp"

#include <doctest/doctest.h>

using namespace apus;

TEST_CASE("credentials of one scheme in Authorization") {
    app a;
    a.get("/", [](request& req) -> std::string {
        const auto [state, token] = middleware::present_credentials(req, "bearer");
        using what = middleware::presented::what;
        return state == what::token ? "token " + std::string(token) : state == what::nothing ? "nothing" : "malformed";
    });
    support::direct to(std::move(a));
    CHECK(to.ask("GET /") == "200 nothing");
    CHECK(to.ask("GET /\nAuthorization: Bearer abc") == "200 token abc");
    CHECK(to.ask("GET /\nAuthorization: Bearer") == "200 malformed");
    CHECK(to.ask("GET /\nAuthorization: Bearer a, b") == "200 malformed");
    CHECK(to.ask("GET /\nAuthorization: Digest a=\"b\"") == "200 nothing");
    CHECK(to.ask("GET /\nAuthorization: Bearer a\nAuthorization: Bearer a") == "200 malformed");
}
