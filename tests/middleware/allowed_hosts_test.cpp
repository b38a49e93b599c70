// SPDX-License-Identifier: Apache-2.0
#include <apus/allowed_hosts.hpp>
#include <apus/client_info.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using namespace apus;

namespace {

int status_for(std::vector<std::string> hosts, const std::string& lines) {
    app a;
    a.use(trusted_proxies({"unix"}, {.host = true}));
    a.use(allowed_hosts(std::move(hosts)));
    a.get("/", [] { return "served"; });
    test::client to(std::move(a));
    return to.send_raw("GET / HTTP/1.1\r\n" + lines + "\r\n").status;
}

}  // namespace

TEST_CASE("allowed hosts: other hosts get 421") {
    const struct {
        std::string allowed, host;
        int status;
    } rows[] = {
        {"shop.example", "shop.example", 200},           {"shop.example", "SHOP.Example", 200},
        {"shop.example", "shop.example:8080", 200},      {"shop.example", "shop.example.evil.example", 421},
        {"shop.example", "evil-shop.example", 421},      {"shop.example", "a.shop.example", 421},
        {"shop.example", "shop.example.", 421},          {"shop.example", "127.0.0.1", 421},
        {"shop.example:8443", "shop.example:8443", 200}, {"shop.example:8443", "shop.example", 421},
        {"shop.example:8443", "shop.example:443", 421},  {"*.shop.example", "a.shop.example", 200},
        {"*.shop.example", "a.b.shop.example:80", 200},  {"*.shop.example", "shop.example", 421},
        {"*.shop.example", "evilshop.example", 421},     {"192.0.2.1", "192.0.2.1:80", 200},
        {"[2001:db8::1]", "[2001:db8::1]", 200},         {"[2001:db8::1]", "[2001:db8::1]:8080", 200},
        {"[2001:db8::1]", "[2001:db8::2]", 421},
    };
    for (const auto& row : rows) {
        CAPTURE(row.allowed);
        CAPTURE(row.host);
        CHECK(status_for({"other.example", row.allowed}, "host: " + row.host + "\r\n") == row.status);
    }
}

TEST_CASE("allowed hosts: behind a proxy the forwarded host counts") {
    const std::string proxied = "x-forwarded-for: 192.0.2.1\r\nx-forwarded-host: ";
    CHECK(status_for({"shop.example"}, "host: inside\r\n" + proxied + "shop.example\r\n") == 200);
    CHECK(status_for({"shop.example"}, "host: shop.example\r\n" + proxied + "evil.example\r\n") == 421);
}

TEST_CASE("allowed hosts: a request without a host gets 400") {
    app a;
    a.use(allowed_hosts({"shop.example"}));
    a.get("/", [] { return "served"; });
    test::client to(std::move(a));
    CHECK(to.send_raw("GET / HTTP/1.0\r\n\r\n").status == 400);
}

TEST_CASE("allowed hosts: an invalid host is an error at start") {
    for (const std::string bad : {"", "https://shop.example", "shop.example/", "shop.example:", "shop.example:http",
                                  "*", "*shop.example", "a.*.example", "shop example", "2001:db8::1", "[shop]", "[]"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(allowed_hosts({bad}), std::invalid_argument);
    }
    CHECK_THROWS_AS(allowed_hosts(std::vector<std::string>()), std::invalid_argument);
}
