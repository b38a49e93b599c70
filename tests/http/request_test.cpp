// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;

TEST_CASE("a request has the sent values") {
    app a;
    std::string said;
    a.use([&said](request& in) -> result<void> {
        said = std::string(in.method_text()) + " [" + std::string(in.path()) + "] [" + std::string(in.query()) + "] [" +
               std::string(in.host()) + "] [" + std::string(in.target()) + "]";
        return {};
    });
    a.get("/{rest...}", [](request&, std::string_view) { return "ok"; });
    a.get("/", [] { return "ok"; });
    test::client client(std::move(a));
    struct {
        std::string_view request, said;
    } const cases[] = {
        {"GET /a HTTP/1.1\r\nHost: h\r\n\r\n", "GET [/a] [] [h] [/a]"},
        {"GET /a?b=c&d HTTP/1.1\r\nHost: h:80\r\n\r\n", "GET [/a] [b=c&d] [h:80] [/a?b=c&d]"},
        {"GET /a? HTTP/1.1\r\nHost: h\r\n\r\n", "GET [/a] [] [h] [/a?]"},
        {"GET /a%20b%2Fc?d%20e HTTP/1.1\r\nHost: h\r\n\r\n", "GET [/a b/c] [d%20e] [h] [/a%20b%2Fc?d%20e]"},
        {"GET /%41%c3%A9 HTTP/1.1\r\nHost: h\r\n\r\n", "GET [/A\xc3\xa9] [] [h] [/%41%c3%A9]"},
        {"GET http://other:1/a?b HTTP/1.1\r\nHost: other:1\r\n\r\n", "GET [/a] [b] [other:1] [http://other:1/a?b]"},
        {"GET http://other HTTP/1.1\r\nHost: other\r\n\r\n", "GET [/] [] [other] [http://other]"},
        {"HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n", "HEAD [/a] [] [h] [/a]"},
        {"GET /a HTTP/1.0\r\n\r\n", "GET [/a] [] [] [/a]"},
    };
    for (const auto& c : cases) {
        CAPTURE(c.request);
        CHECK(client.send_raw(c.request).status == 200);
        CHECK(said == c.said);
    }
}

TEST_CASE("fields are case-insensitive, the first one counts, and their order is kept") {
    app a;
    a.get("/", [](request& in) {
        std::string all(in.header("X-A"));
        all += '|';
        all += in.header("none");
        all += '|';
        for (std::size_t i = 0; i < in.header_count(); ++i)
            ((all += in.header_at(i).name) += '=') += std::string(in.header_at(i).value) + ";";
        return all;
    });
    test::client client(std::move(a));
    CHECK(client.send_raw("GET / HTTP/1.1\r\nHost: h\r\nx-a:  one \t\r\nX-a: two\r\nx-empty:\r\n\r\n").body ==
          "one||Host=h;x-a=one;X-a=two;x-empty=;");
}

TEST_CASE("captures are decoded, and missing ones are empty") {
    app a;
    a.get("/a/{one}/{two...}", [](request& in, std::string_view, std::string_view) {
        return std::to_string(in.captures()) + " [" + std::string(in.capture(0)) + "] [" + std::string(in.capture(1)) +
               "] [" + std::string(in.capture(2)) + "]";
    });
    test::client client(std::move(a));
    CHECK(client.get("/a/x%20y/b/c%2Bd").body == "2 [x y] [b/c+d] []");
    CHECK(client.get("/a/x+y/b").body == "2 [x+y] [b] []");
    CHECK(client.get("/a/%ff/b").status == 404);
    CHECK(client.get("/a/b/../c").status == 404);
    CHECK(client.get("/a/%zz/b").status == 400);
}

TEST_CASE("the peer of a Unix socket is named unix") {
    app a;
    a.get("/", [](request& in) { return std::string(in.remote_address()) + " " + std::string(in.remote_address()); });
    test::client client(std::move(a));
    CHECK(client.get("/").body == "unix unix");
}
