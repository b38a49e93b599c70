// SPDX-License-Identifier: Apache-2.0
#include <apus/client_info.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <algorithm>

using namespace apus;

namespace {

std::string shown(const client_info& c) {
    return c.address + " " + c.scheme + " " + c.host + (c.proxied ? " proxied" : "");
}

// The test client connects by a Unix socket. It is a trusted proxy if `proxies` contains "unix".
app told(network_list proxies, trusted_proxies_options how) {
    app a;
    a.use(trusted_proxies(std::move(proxies), how));
    a.get("/", [](const client_info& c) { return shown(c); });
    return a;
}

const network_list trusted{"unix", "10.0.0.0/8", "2001:db8::/32"};

struct row {
    std::string_view fields;  // one field per line
    std::string_view client;
};

std::string asked(test::client& to, std::string_view fields) {
    std::string text = "GET / HTTP/1.1\r\nhost: app.example\r\n";
    while (!fields.empty()) {
        const auto end = std::min(fields.find('\n'), fields.size());
        text.append(fields.substr(0, end)).append("\r\n");
        fields.remove_prefix(std::min(end + 1, fields.size()));
    }
    return to.send_raw(text + "\r\n").body;
}

}  // namespace

TEST_CASE("client: X-Forwarded-For with forged entries") {
    test::client to(told(trusted, {}));
    const row rows[] = {
        {"", "unix http app.example"},
        {"x-forwarded-for: 192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 192.0.2.1, 10.0.0.1", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 192.0.2.1, 10.0.0.1, 10.9.9.9", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 6.6.6.6, 192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 10.0.0.7, 192.0.2.1, 10.0.0.1", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 127.0.0.1, 192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 6.6.6.6\nx-forwarded-for: 192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 192.0.2.1\nx-forwarded-for: 10.0.0.1", "192.0.2.1 http app.example proxied"},
        {"X-FORWARDED-FOR: 192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 10.0.0.2, 10.0.0.1", "10.0.0.2 http app.example proxied"},
        {"x-forwarded-for: 192.0.2.1:4711", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: [2001:db9::1]:443, 10.0.0.1:80", "2001:db9::1 http app.example proxied"},
        {"x-forwarded-for: 2001:DB9:0::1", "2001:db9::1 http app.example proxied"},
        {"x-forwarded-for: ::ffff:192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 192.0.2.1, 2001:db8::5", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 192.0.2.1, ::ffff:10.0.0.1", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 192.0.2.1, unix:", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: ", "unix http app.example"},
        {"x-forwarded-for: ,", "unix http app.example"},
        {"x-forwarded-for: unknown", "unix http app.example"},
        {"x-forwarded-for: 6.6.6.6, unknown, 10.0.0.1", "10.0.0.1 http app.example proxied"},
        {"x-forwarded-for: 6.6.6.6, , 10.0.0.1", "10.0.0.1 http app.example proxied"},
        {"x-forwarded-for: 6.6.6.6, 999.1.1.1", "unix http app.example"},
        {"x-forwarded-for: 127.1", "unix http app.example"},
        {"x-forwarded-for: <script>", "unix http app.example"},
        {"forwarded: for=6.6.6.6", "unix http app.example"},
        {"x-real-ip: 6.6.6.6", "unix http app.example"},
        {"x-forwarded-for: 192.0.2.1\nx-forwarded-proto: https", "192.0.2.1 https app.example proxied"},
        {"x-forwarded-for: 192.0.2.1\nx-forwarded-proto: http, https", "192.0.2.1 https app.example proxied"},
        {"x-forwarded-for: 192.0.2.1\nx-forwarded-proto: HTTPS", "192.0.2.1 https app.example proxied"},
        {"x-forwarded-for: 192.0.2.1\nx-forwarded-proto: javascript", "192.0.2.1 http app.example proxied"},
        {"x-forwarded-for: 192.0.2.1\nx-forwarded-host: evil.example", "192.0.2.1 http app.example proxied"},
    };
    for (const auto& r : rows) {
        CAPTURE(r.fields);
        CHECK(asked(to, r.fields) == r.client);
    }
}

TEST_CASE("client: Forwarded with forged entries") {
    test::client to(told(trusted, {.field = proxy_field::forwarded, .host = true}));
    const row rows[] = {
        {"forwarded: for=192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"forwarded: for=192.0.2.1;proto=https;host=www.example", "192.0.2.1 https www.example proxied"},
        {"forwarded: for=6.6.6.6;host=evil.example, for=192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"forwarded: for=192.0.2.1;proto=https, for=10.0.0.1;proto=http", "192.0.2.1 https app.example proxied"},
        {"forwarded: for=\"[2001:db9::1]:4711\"", "2001:db9::1 http app.example proxied"},
        {"forwarded: for=6.6.6.6\nforwarded: for=192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"forwarded: for=\"6.6.6.6\nforwarded: for=192.0.2.1", "192.0.2.1 http app.example proxied"},
        {"forwarded: for=6.6.6.6, for=_hidden, for=10.0.0.1", "10.0.0.1 http app.example proxied"},
        {"forwarded: for=unknown", "unix http app.example"},
        {"forwarded: for=192.0.2.1;host=\"evil example\"", "192.0.2.1 http app.example proxied"},
        {"forwarded: proto=https", "unix http app.example"},
        {"x-forwarded-for: 6.6.6.6\nx-forwarded-proto: https", "unix http app.example"},
    };
    for (const auto& r : rows) {
        CAPTURE(r.fields);
        CHECK(asked(to, r.fields) == r.client);
    }
}

TEST_CASE("client: a malformed Forwarded is not attributed to a proxy") {
    test::client to(told(trusted, {.field = proxy_field::forwarded}));
    const std::string_view rows[] = {
        "forwarded: for=\"6.6.6.6, for=192.0.2.1",
        "forwarded: for=192.0.2.1;for=6.6.6.6",
        "forwarded: \\, for=192.0.2.1",
        "forwarded: nonsense, for=192.0.2.1",
        "forwarded: =, for=192.0.2.1\nforwarded: for=10.0.0.1",
    };
    for (const auto& fields : rows) {
        CAPTURE(fields);
        CHECK(asked(to, fields) ==
              "{\"status\":400,\"title\":\"Bad Request\",\"detail\":\"malformed Forwarded header\"}\n");
    }
    // The client's own elements, to the left of the proxy's, are not parsed.
    CHECK(asked(to, "forwarded: \"\nforwarded: for=192.0.2.1") == "192.0.2.1 http app.example proxied");
    test::client untrusted(told({"10.0.0.0/8"}, {.field = proxy_field::forwarded}));
    CHECK(asked(untrusted, "forwarded: \"") == "unix http app.example");
}

TEST_CASE("client: an untrusted peer is not believed") {
    test::client to(told({"10.0.0.0/8"}, {.host = true}));
    for (auto fields :
         {"x-forwarded-for: 192.0.2.1",
          "x-forwarded-for: 192.0.2.1, 10.0.0.1\nx-forwarded-proto: https\nx-forwarded-host: evil.example",
          "forwarded: for=192.0.2.1"}) {
        CAPTURE(fields);
        CHECK(asked(to, fields) == "unix http app.example");
    }
    app plain;
    plain.get("/", [](request& req) { return shown(client_of(req)) + " " + shown(client_of(req)); });
    test::client without(std::move(plain));
    CHECK(asked(without, "x-forwarded-for: 192.0.2.1") == "unix http app.example unix http app.example");
}

TEST_CASE("client: the host from a proxy, if enabled") {
    test::client to(told(trusted, {.scheme = false, .host = true}));
    CHECK(
        asked(to,
              "x-forwarded-for: 192.0.2.1\nx-forwarded-host: a.example, www.example:8443\nx-forwarded-proto: https") ==
        "192.0.2.1 http www.example:8443 proxied");
    CHECK(asked(to, "x-forwarded-host: a b") == "unix http app.example");
}
