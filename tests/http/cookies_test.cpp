// SPDX-License-Identifier: Apache-2.0
#include <apus/cookies.hpp>

#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace apus;

namespace {

std::string asked(std::string_view head) {
    app a;
    a.get("/", [](request& req) {
        const auto found = find_cookie(req, "id");
        return found ? "<" + std::string(*found) + ">" : "none";
    });
    support::direct to(std::move(a));
    return to.ask(head);
}

}  // namespace

TEST_CASE("cookies: the first of a name, in any Cookie field") {
    CHECK(asked("GET /") == "200 none");
    CHECK(asked("GET /\ncookie: id=7") == "200 <7>");
    CHECK(asked("GET /\nCOOKIE: a=1; id=7; id=8") == "200 <7>");
    CHECK(asked("GET /\ncookie: a=1\ncookie: id=7") == "200 <7>");
    CHECK(asked("GET /\ncookie: ID=7; xid=1; id2=3") == "200 none");
    CHECK(asked("GET /\ncookie: id=") == "200 <>");
}

TEST_CASE("cookies: safe attributes by default, one field for each") {
    response res;
    set_cookie(res, "a", "1");
    set_cookie(res, "b", "2",
               {.path = "/x",
                .max_age = milliseconds(90'500),
                .secure = false,
                .http_only = false,
                .site = same_site::strict});
    expire_cookie(res, "c");
    CHECK(res.field_lines() ==
          "set-cookie: a=1; Path=/; Secure; HttpOnly; SameSite=Lax\r\n"
          "set-cookie: b=2; Path=/x; Max-Age=90; SameSite=Strict\r\n"
          "set-cookie: c=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax\r\n");
    CHECK_THROWS_WITH_AS(set_cookie(res, "a", "1", {.secure = false, .site = same_site::none}),
                         "a cookie with SameSite=None must be secure", std::invalid_argument);
}

TEST_CASE("cookies: in typed answers, redirects and errors") {
    app a;
    a.get("/created", [] { return created(std::string("x")).header("set-cookie", make_cookie("id", "7")); });
    a.get("/none", [] { return with_status<204>().header("set-cookie", make_expired_cookie("id", {.path = "/a"})); });
    a.get("/error", []() -> result<std::string> {
        return fail(403, "no").header("set-cookie", make_cookie("id", "8", {.max_age = seconds(2)}));
    });
    support::direct to(std::move(a));
    const struct {
        std::string_view request, status, cookie;
    } rows[] = {
        {"GET /created", "201", "id=7; Path=/; Secure; HttpOnly; SameSite=Lax"},
        {"GET /none", "204", "id=; Path=/a; Max-Age=0; Secure; HttpOnly; SameSite=Lax"},
        {"GET /error", "403", "id=8; Path=/; Max-Age=2; Secure; HttpOnly; SameSite=Lax"},
    };
    for (const auto& [request, status, cookie] : rows) {
        CAPTURE(request);
        CHECK(to.ask(request).starts_with(status));
        CHECK(to.header("set-cookie") == cookie);
    }
}
