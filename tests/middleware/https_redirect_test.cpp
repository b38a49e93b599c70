// SPDX-License-Identifier: Apache-2.0
#include <apus/https_redirect.hpp>

#include <apus/allowed_hosts.hpp>
#include <apus/client_info.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

using namespace apus;

namespace {

// Returns the status of a GET, and its Location.
std::string outcome(https_redirect_options how, const std::string& target, const std::string& lines,
                    bool hosts = false) {
    app a;
    a.use(trusted_proxies({"unix"}, {.host = true}));
    if (hosts) a.use(allowed_hosts({"shop.example"}));
    a.use(https_redirect(how));
    a.get("/{rest...}", [](std::string_view) { return "served"; });
    a.get("/", [] { return "served"; });
    test::client to(std::move(a));
    const auto got = to.send_raw("GET " + target + " HTTP/1.1\r\n" + lines + "\r\n");
    return std::to_string(got.status) + ' ' + std::string(got.header("location"));
}

}  // namespace

TEST_CASE("https redirect: http requests are redirected to the same target") {
    const struct {
        std::string target, lines, outcome;
        std::uint16_t port = 443;
    } rows[] = {
        {"/", "host: shop.example\r\n", "308 https://shop.example/"},
        {"/a%20b?c=d&e=%2f", "host: shop.example\r\n", "308 https://shop.example/a%20b?c=d&e=%2f"},
        {"//evil.example/x", "host: shop.example\r\n", "308 https://shop.example//evil.example/x"},
        {"http://shop.example/x?y", "host: shop.example\r\n", "308 https://shop.example/x?y"},
        {"/", "host: shop.example:80\r\n", "308 https://shop.example/"},
        {"/", "host: shop.example:80\r\n", "308 https://shop.example:8443/", 8443},
        {"/", "host: [2001:db8::1]\r\n", "308 https://[2001:db8::1]/"},
        {"/", "host: [2001:db8::1]:80\r\n", "308 https://[2001:db8::1]:8443/", 8443},
        {"/nothing", "host: shop.example\r\n", "308 https://shop.example/nothing"},
        {"/", "host: \r\n", "400 "},
    };
    for (const auto& row : rows) {
        CAPTURE(row.target);
        CAPTURE(row.lines);
        CHECK(outcome({.port = row.port}, row.target, row.lines) == row.outcome);
    }
}

TEST_CASE("https redirect: https reported by a trusted proxy passes") {
    const std::string proxied = "host: shop.example\r\nx-forwarded-for: 192.0.2.1\r\n";
    CHECK(outcome({}, "/x", proxied + "x-forwarded-proto: https\r\n") == "200 ");
    CHECK(outcome({}, "/x", proxied + "x-forwarded-proto: http\r\n") == "308 https://shop.example/x");
    const std::string other_host = proxied + "x-forwarded-proto: http\r\nx-forwarded-host: www.shop.example\r\n";
    CHECK(outcome({}, "/x", other_host) == "308 https://www.shop.example/x");
}

TEST_CASE("https redirect: behind allowed_hosts, never to another host") {
    CHECK(outcome({}, "/", "host: shop.example\r\n", true) == "308 https://shop.example/");
    CHECK(outcome({}, "/", "host: evil.example\r\n", true) == "421 ");
}
