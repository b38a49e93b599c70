// SPDX-License-Identifier: Apache-2.0
#include "tls/client_security.hpp"

#include "outbound/secure_server.hpp"

#include <apus/stream.hpp>

#include <stdexcept>

using namespace apus;
using namespace apus::test;

namespace {

app make_upstream() {
    app a;
    a.get("/", [](request& req) { return std::string(tls_of(req)->server_name) + "\n"; });
    a.post("/echo", [](body_text in) { return std::string(in.bytes); });
    a.get("/pieces", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            for (int i = 0; i < 100; ++i) co_await out.write("a piece of a body, ");
        });
    });
    return a;
}

}  // namespace

TEST_CASE("https: a server with a trusted certificate is used, on one connection") {
    secure_server s(make_upstream());
    client http(s.options);
    CHECK(line_of(s.on.wait(http.get(s.url("localhost") + "/"))) == "200 localhost\n");
    const std::string part(700'000, 'x');
    auto echoed = s.on.wait(http.post(s.url("localhost") + "/echo", part, "text/plain"));
    CHECK((echoed && echoed->body() == part));
    CHECK(line_of(s.on.wait(http.get(s.url("localhost") + "/pieces"))).size() == 4 + 1900);
    CHECK(s.up.accepts == 1);
    CHECK(line_of(s.on.wait(http.get(s.url("127.0.0.1") + "/"))) == "200 \n");
}

TEST_CASE("https: a certificate for another host is rejected") {
    secure_server s(make_upstream());
    client http(s.options);
    auto elsewhere = client_request("GET", "https://example.org/");
    elsewhere.via(s.up.url().substr(7));
    CHECK(line_of(s.on.wait(http.send(std::move(elsewhere)))) ==
          "error 502 the upstream's certificate is not trusted: hostname mismatch");
    CHECK(line_of(s.on.wait(http.get(s.url("127.0.0.2") + "/"))).starts_with("error 502 "));
    client_options by_system;
    by_system.tls = client_tls(client_tls_options());
    client stranger(by_system);
    CHECK(line_of(s.on.wait(stranger.get(s.url("localhost") + "/"))) ==
          "error 502 the upstream's certificate is not trusted: self-signed certificate");
}

TEST_CASE("https: a server without TLS, or without a response, is an error") {
    secure_server s(make_upstream());
    scripted_server plain(s.on, {scripted_reply("HTTP/1.1 400 Bad Request\r\n\r\n", true)});
    scripted_server silent(s.on, {});
    auto quick = s.options;
    quick.connect = milliseconds(60);
    client http(quick);
    CHECK(line_of(s.on.wait(http.get("https" + silent.url().substr(4)))) ==
          "error 504 timeout while connecting to the upstream");
    silent.say("HTTP/1.1 200 OK\r\n\r\n");
    auto asking = http.get("https" + plain.url().substr(4));
    CHECK(line_of(s.on.wait(std::move(asking))).starts_with("error 50"));
}

TEST_CASE("https: invalid options are rejected at construction") {
    client_tls_options wrong;
    wrong.authorities = "/nowhere/ca.pem";
    CHECK_THROWS_WITH_AS(client_tls{wrong}, "cannot read `/nowhere/ca.pem`: No such file or directory",
                         std::runtime_error);
}
