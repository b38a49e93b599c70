// SPDX-License-Identifier: Apache-2.0
#include <apus/security_headers.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using policy = apus::content_security_policy;

TEST_CASE("content security policy: directives in order, with the nonce where requested") {
    CHECK(policy().text("n").empty());
    CHECK(policy::self().text("") ==
          "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; form-action "
          "'self'; frame-ancestors 'none'");
    CHECK(policy::self().text("abc").starts_with(
        "default-src 'self'; script-src 'self' 'nonce-abc'; style-src 'self' 'nonce-abc'; "));
    policy p;
    p.set("script-src", "'nonce' 'strict-dynamic'").set("img-src", "  *   data: ").set("upgrade-insecure-requests", "");
    CHECK(p.text("x") == "script-src 'nonce-x' 'strict-dynamic'; img-src * data:; upgrade-insecure-requests");
    p.set("script-src", "'nonce'");
    CHECK(p.text("") == "script-src 'none'; img-src * data:; upgrade-insecure-requests");
    CHECK(policy().set("sandbox", "allow-forms allow-scripts").text("") == "sandbox allow-forms allow-scripts");
}

TEST_CASE("content security policy: misleading directives are rejected") {
    const struct {
        std::string directive, sources, why;
    } rows[] = {
        {"script-source", "'self'", "content security policy: unknown directive \"script-source\""},
        {"", "", "content security policy: unknown directive \"\""},
        {"script-src", "self",
         "content security policy, script-src: self without quotes is a host name: write the keyword as 'self'"},
        {"frame-ancestors", "none",
         "content security policy, frame-ancestors: none without quotes is a host name: write the keyword as 'none'"},
        {"script-src-elem", "nonce",
         "content security policy, script-src-elem: nonce without quotes is a host name: write the keyword as 'nonce'"},
        {"object-src", "'none' 'self'", "content security policy, object-src: 'none' must be the only source"},
        {"img-src", "*; script-src *",
         "content security policy, img-src: a source must be visible ASCII without semicolon and comma"},
        {"img-src", "a, b",
         "content security policy, img-src: a source must be visible ASCII without semicolon and comma"},
        {"img-src", "a\r\nb",
         "content security policy, img-src: a source must be visible ASCII without semicolon and comma"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.sources);
        policy p;
        CHECK_THROWS_WITH_AS(p.set(row.directive, row.sources), row.why.c_str(), std::invalid_argument);
    }
}
