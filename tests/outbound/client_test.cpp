// SPDX-License-Identifier: Apache-2.0
#include <apus/client.hpp>

#include "outbound/servers.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <string>

using namespace apus;
using namespace apus::test;

namespace {

app make_upstream() {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/size/{n}", [](unsigned n) { return std::string(n, 'x'); });
    a.post("/echo", [](body_text body) { return std::string(body.bytes); });
    a.put("/echo", [](body_text body) { return std::string(body.bytes); });
    a.get("/pieces/{n}", [](unsigned n) {
        return stream("text/plain", [n](writer& out) -> task<> {
            for (unsigned i = 0; i < n; ++i) co_await out.write("piece " + std::to_string(i) + "\n");
        });
    });
    a.get("/field/{name}", [](request& req, std::string name) { return std::string(req.header(name)); });
    a.get("/slow", []() -> task<std::string> {
        co_await apus::sleep_for(milliseconds(200));
        co_return "slow";
    });
    a.del("/none", [] { return no_content(); });
    return a;
}

}  // namespace

TEST_CASE("a client gets the whole response over a kept connection") {
    own_loop on;
    app_server up(on, make_upstream());
    client http;
    CHECK(line_of(on.wait(http.get(up.url() + "/"))) == "200 hello\n");
    CHECK(line_of(on.wait(http.post(up.url() + "/echo", "a body", "text/plain"))) == "200 a body");
    CHECK(line_of(on.wait(http.get(up.url() + "/nowhere"))).starts_with("404 {"));
    CHECK(line_of(on.wait(http.send(client_request("DELETE", up.url() + "/none")))) == "204 ");
    auto head = on.wait(http.send(client_request("HEAD", up.url() + "/size/77")));
    REQUIRE(head.has_value());
    CHECK(head->header("Content-Length") == "77");
    CHECK(head->body().empty());
    CHECK(head->reason() == "OK");
    CHECK(head->url() == up.url() + "/size/77");
    CHECK(line_of(on.wait(http.get(up.url() + "/pieces/3#part"))) == "200 piece 0\npiece 1\npiece 2\n");
    const std::string large(700'000, 'y');
    auto echoed = on.wait(http.post(up.url() + "/echo", large, "text/plain"));
    CHECK((echoed && echoed->body() == large));
    CHECK(up.accepts == 1);
}

TEST_CASE("a client connects by IPv6, by name, and to a Unix socket") {
    own_loop on;
    client http;
    app_server six(on, make_upstream(), {}, "[::1]:0");
    CHECK(line_of(on.wait(http.get(six.url() + "/field/host"))) == "200 " + six.url().substr(7));
    app_server path(on, make_upstream(), {}, "unix:/tmp/apus-client-test.sock");
    client_request req("GET", "http://app.test/field/host");
    req.via(path.url());
    CHECK(line_of(on.wait(http.send(std::move(req)))) == "200 app.test");
    app_server four(on, make_upstream());
    CHECK(line_of(on.wait(http.get("http://LOCALHOST" + four.url().substr(16) + "?"))) == "200 hello\n");
}

TEST_CASE("fields are sent unchanged, and invalid ones rejected") {
    own_loop on;
    app_server up(on, make_upstream());
    client http;
    client_request req("GET", up.url() + "/field/x-a");
    req.header("x-a", "b c").header("user-agent", "me");
    CHECK(line_of(on.wait(http.send(std::move(req)))) == "200 b c");
    client_request bad("GET", up.url());
    CHECK_THROWS_WITH(bad.header("a b", "c"), "`a b` is not a field name");
    CHECK_THROWS_WITH(bad.header("a", "b\r\nc: d"), "the value of `a` contains a control character");
    CHECK_THROWS_WITH(bad.header("Content-Length", "7"), "`Content-Length` is set by the client");
    CHECK_THROWS_WITH(bad.body("", "text/plain\r\n"), "the media type contains a control character");
    CHECK_THROWS_WITH(client_request("GET /", up.url()), "`GET /` is not a supported method of client requests");
    CHECK_THROWS_WITH(client_request("CONNECT", up.url()), "`CONNECT` is not a supported method of client requests");
}

TEST_CASE("invalid requests are errors with a reason") {
    own_loop on;
    client_options quick;
    quick.connect = milliseconds(60);
    client http(quick);
    struct row {
        const char* url;
        const char* line;
    };
    const row table[] = {
        {"", "error 500 the upstream URL does not begin with http:// or https://"},
        {"ftp://a/", "error 500 the upstream URL does not begin with http:// or https://"},
        {"http:///x", "error 500 the upstream URL has an invalid or missing host, or an invalid port"},
        {"http://a:99999/", "error 500 the upstream URL has an invalid or missing host, or an invalid port"},
        {"http://u:p@a/", "error 500 the upstream URL contains user information: send Authorization instead"},
        {"http://a/b c", "error 500 the upstream URL contains a byte that must be percent-encoded"},
        {"http://a/%zz", "error 500 the upstream URL contains a byte that must be percent-encoded"},
        {"http://a/\r\nx: y", "error 500 the upstream URL contains a byte that must be percent-encoded"},
        {"https://a/", "error 500 this client does not support https: its options have no `tls`"},
        {"http://192.0.2.1/", "error 50"},
    };
    for (const auto& [url, line] : table) CHECK_MESSAGE(line_of(on.wait(http.get(url))).starts_with(line), url);
    std::string gone;
    {
        app_server up(on, make_upstream());
        gone = up.url();
    }
    CHECK(line_of(on.wait(http.get(gone))) == "error 502 cannot connect to the upstream: Connection refused");
}

TEST_CASE("an error becomes the handler's response, and can be inspected") {
    own_loop on;
    scripted_server up(on, {scripted_reply("no HTTP at all\r\n\r\n"), scripted_reply("no HTTP at all\r\n\r\n")});
    client http;
    auto passes_on = [](client by, std::string url) -> task<std::string> {
        auto got = co_await by.get(url);
        co_return std::move(got).body();
    };
    auto looks = [](client by, std::string url) -> task<std::string> {
        auto got = co_await by.get(url).outcome();
        co_return got ? "answered" : "looked: " + std::to_string(got.error().status());
    };
    auto passed = on.wait(passes_on(http, up.url()));
    REQUIRE_FALSE(passed.has_value());
    CHECK(passed.error().status() == 502);
    CHECK(on.wait(looks(http, up.url())) == "looked: 502");
}

TEST_CASE("the client does not connect to disallowed addresses") {
    own_loop on;
    app_server up(on, make_upstream());
    client http;
    std::string asked;
    http.allow([&](const peer_address& to) {
        asked +=
            std::string(to.host()) + "=" + std::string(to.address()) + (to.is_public() ? " public;" : " not public;");
        return to.is_public();
    });
    CHECK(line_of(on.wait(http.get("http://localhost" + up.url().substr(16)))) ==
          "error 403 the upstream's address is not allowed");
    client_request req("GET", "http://a.test/");
    req.via("unix:/tmp/none");
    CHECK(line_of(on.wait(http.send(std::move(req)))) == "error 403 the upstream's address is not allowed");
    CHECK(line_of(on.wait(http.get("http://[::ffff:169.254.169.254]/"))) ==
          "error 403 the upstream's address is not allowed");
    CHECK(asked ==
          "localhost=127.0.0.1 not public;a.test=/tmp/none not public;::ffff:169.254.169.254=::ffff:169.254.169.254 "
          "not public;");
    CHECK(up.accepts == 0);
}

TEST_CASE("timeouts end requests with 504, and close the connection") {
    own_loop on;
    app_server up(on, make_upstream());
    scripted_server half(on, {scripted_reply("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"),
                              scripted_reply("HTTP/1.1 200 OK\r\nconten")});
    client_options quick;
    quick.head = milliseconds(40);
    quick.between_bytes = milliseconds(40);
    client http(quick);
    CHECK(line_of(on.wait(http.get(up.url() + "/slow"))) == "error 504 the upstream did not respond in time");
    CHECK(line_of(on.wait(http.get(half.url()))) ==
          "error 504 the rest of the upstream's response did not arrive in time");
    CHECK(line_of(on.wait(http.get(half.url()))) == "error 504 the upstream did not respond in time");
    client patient;
    client_request req("GET", up.url() + "/slow");
    req.deadline(milliseconds(40));
    CHECK(line_of(on.wait(patient.send(std::move(req)))) == "error 504 the upstream did not respond in time");
    on.turn_until([&] { return up.connections() == 0; });
    CHECK(up.connections() == 0);
}

TEST_CASE("a body over the limit is an error, unless it is streamed") {
    own_loop on;
    app_server up(on, make_upstream());
    client_options small;
    small.body = 1000;
    client http(small);
    CHECK(line_of(on.wait(http.get(up.url() + "/size/1000"))).size() == 1004);
    CHECK(line_of(on.wait(http.get(up.url() + "/size/1001"))) ==
          "error 502 the upstream's response exceeds the size limit of the client");
    auto count = [](client by, std::string url) -> task<std::size_t> {
        auto got = co_await by.open(client_request("GET", url));
        std::size_t n = 0;
        while (true) {
            const std::string_view piece = co_await got.read();
            if (piece.empty()) break;
            n += piece.size();
        }
        co_return n;
    };
    CHECK(on.wait(count(http, up.url() + "/size/900000")) == 900'000);
    CHECK(on.wait(count(http, up.url() + "/pieces/1000")) == 9890 + 0);
}

TEST_CASE("cancelling at any time closes the connection, and the client may be destroyed first") {
    own_loop on;
    app_server up(on, make_upstream());
    for (int turns = 0; turns < 8; ++turns) {
        client http;
        running_task work(http.get(up.url() + "/slow"));
        http = client();
        for (int i = 0; i < turns; ++i) on.loop.turn(0);
    }
    on.turn_until([&] { return up.connections() == 0; });
    CHECK(up.connections() == 0);
}
