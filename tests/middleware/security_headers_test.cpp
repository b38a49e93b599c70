// SPDX-License-Identifier: Apache-2.0
#include <apus/client_info.hpp>
#include <apus/security_headers.hpp>
#include <apus/test.hpp>

#include "support/counted_memory.hpp"
#include "support/direct.hpp"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>

using namespace apus;

namespace {

app pages(security_headers by) {
    app a;
    a.use(std::move(by));
    a.get("/", [] { return "text"; });
    a.get("/own", [] {
        response res;
        res.header("X-Frame-Options", "SAMEORIGIN")
            .header("content-security-policy", "default-src *")
            .header("x-more", "1");
        return res;
    });
    a.get("/script", [](request& req) { return std::string(csp_nonce(req)) + " " + std::string(csp_nonce(req)); });
    a.get("/fails", []() -> result<std::string> { return fail(409, "no"); });
    return a;
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
    return n;
}

}  // namespace

TEST_CASE("security headers: defaults on every response") {
    test::client to(pages(security_headers()));
    for (auto target : {"/", "/fails", "/nothing"}) {
        CAPTURE(target);
        const auto a = to.get(target);
        CHECK(a.header("content-security-policy") ==
              "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; "
              "form-action 'self'; frame-ancestors 'none'");
        CHECK(a.header("strict-transport-security").empty());
        CHECK(a.header("x-content-type-options") == "nosniff");
        CHECK(a.header("x-frame-options") == "DENY");
        CHECK(a.header("referrer-policy") == "strict-origin-when-cross-origin");
        CHECK(a.header("permissions-policy") ==
              "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()");
        CHECK(a.header("cross-origin-opener-policy") == "same-origin");
        CHECK(a.header("cross-origin-resource-policy") == "same-origin");
        CHECK(a.header("cross-origin-embedder-policy").empty());
    }
}

TEST_CASE("security headers: fields of the handler are kept") {
    test::client to(pages(security_headers()));
    const auto a = to.get("/own");
    CHECK(a.header("x-frame-options") == "SAMEORIGIN");
    CHECK(a.header("content-security-policy") == "default-src *");
    CHECK(a.header("x-more") == "1");
    CHECK(a.header("x-content-type-options") == "nosniff");
    CHECK(count(a.head, "rame-") == 1);
    CHECK(count(a.head, "ecurity-") == 1);
}

TEST_CASE("security headers: the inner middleware wins") {
    app outer;
    outer.use(security_headers());
    outer.mount(
        "/in",
        pages(security_headers({.policy = {}, .frame_options = "SAMEORIGIN", .referrer_policy = "no-referrer"})));
    test::client to(std::move(outer));
    const auto a = to.get("/in");
    CHECK(a.header("x-frame-options") == "SAMEORIGIN");
    CHECK(a.header("referrer-policy") == "no-referrer");
    CHECK(count(a.head, "referrer-policy") == 1);
}

TEST_CASE("security headers: a nonce per response on request") {
    test::client to(pages(security_headers()));
    std::set<std::string> seen;
    for (int i = 0; i < 50; ++i) {
        const auto a = to.get("/script");
        const auto nonce = a.body.substr(0, a.body.find(' '));
        CHECK(nonce.size() == 22);
        CHECK(a.body == nonce + " " + nonce);
        CHECK(count(a.header("content-security-policy"), "'nonce-" + nonce + "'") == 2);
        seen.insert(nonce);
    }
    CHECK(seen.size() == 50);
    CHECK_FALSE(to.get("/").header("content-security-policy").contains("nonce"));
}

TEST_CASE("security headers: HSTS only over https, which a trusted proxy may report") {
    struct row {
        const char* target;
        const char* proto;
        const char* hsts;
    };
    const row rows[] = {
        {"/in", "https", "max-age=60; includeSubDomains"},
        {"/in/script", "https", "max-age=60; includeSubDomains"},
        {"/in/own", "https", "max-age=60; includeSubDomains"},
        {"/in", "http", ""},
        {"/in/own", "http", ""},
        {"/in", "ftp", ""},
        {"/in", "http, https", "max-age=60; includeSubDomains"},
        {"/in", "https, http", ""},
    };
    const security_headers_options how{.hsts = seconds(60), .hsts_subdomains = true};
    app outer;
    outer.use(trusted_proxies({"unix"}));
    outer.mount("/in", pages(security_headers(how)));
    test::client to(std::move(outer));
    for (const auto& row : rows) {
        CAPTURE(row.target);
        CAPTURE(row.proto);
        const auto a = to.get(row.target, {{"x-forwarded-for", "192.0.2.1"}, {"x-forwarded-proto", row.proto}});
        CHECK(a.header("strict-transport-security") == row.hsts);
        CHECK_FALSE(a.header("x-frame-options").empty());
    }
    CHECK(to.get("/in").header("strict-transport-security").empty());
    test::client untrusting(pages(security_headers(how)));
    CHECK(untrusting.get("/", {{"x-forwarded-for", "192.0.2.1"}, {"x-forwarded-proto", "https"}})
              .header("strict-transport-security")
              .empty());
}

TEST_CASE("security headers: each can be changed or omitted") {
    test::client to(pages(security_headers({.policy = content_security_policy().set("default-src", "'none'"),
                                            .report_only = true,
                                            .frame_options = "",
                                            .content_type_options = "",
                                            .referrer_policy = "",
                                            .permissions_policy = "",
                                            .opener_policy = "",
                                            .resource_policy = "",
                                            .embedder_policy = "require-corp"})));
    const auto a = to.get("/");
    CHECK(a.header("content-security-policy-report-only") == "default-src 'none'");
    CHECK(a.header("cross-origin-embedder-policy") == "require-corp");
    CHECK(count(a.head, "\r\n") == 7);
    test::client bare(pages(security_headers({.policy = {}, .hsts = {}})));
    CHECK_FALSE(bare.get("/").head.contains("ecurity"));
    CHECK_THROWS_AS(security_headers({.referrer_policy = "a\r\nb"}), std::invalid_argument);
}

TEST_CASE("security headers: no allocation for a text response") {
    if (!support::allocations_are_counted) return support::skip(support::not_counted);
    support::direct to(pages(security_headers()));
    for (int i = 0; i < 10; ++i) to.send("GET /");
    const auto before = support::allocations();
    for (int i = 0; i < 10; ++i) to.send("GET /");
    CHECK(support::allocations() == before);
}
