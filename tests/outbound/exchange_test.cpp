// SPDX-License-Identifier: Apache-2.0
#include "outbound/exchange.hpp"

#include "outbound/servers.hpp"

#include <apus/compression.hpp>
#include <apus/redirect.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace apus;
using namespace apus::test;

// Requests whose results do not depend on the version of HTTP.

namespace {

app make_both() {
    app a;
    a.use(compress_responses());
    a.get("/hello", [] { return "hello"; });
    a.get("/large", [] { return std::string(1'000'000, 'l'); });
    a.get("/moved", [] { return redirect(302, "/hello"); });
    a.post("/moved", [] { return redirect(302, "/hello"); });
    a.get("/missing", []() -> task<std::string> {
        co_await apus::fail(404, "missing");
        co_return "";
    });
    a.post("/echo", [](body_text in) { return std::string(in.bytes); });
    a.put("/echo", [](request& in) -> task<std::string> { co_return std::string(co_await in.body()); });
    a.get("/fields", [](request& in) {
        return std::string(in.header("host")) + "|" + std::string(in.header("x-mine")) + "|" +
               std::string(in.header("cookie")) + "|" + std::string(in.header("user-agent"));
    });
    return a;
}

client_options of_version(client_protocols version) {
    client_options o;
    o.protocols = version;
    return o;
}

}  // namespace

TEST_CASE("requests have the same results in HTTP/1.1 and HTTP/2") {
    for (const auto version : {client_protocols::http1, client_protocols::http2}) {
        own_loop on;
        app_server up(on, make_both());
        client http(of_version(version));
        const auto get = [&](const char* path) { return on.wait(http.get(up.url() + path)); };
        CHECK(line_of(get("/hello")) == "200 hello");
        CHECK(get("/large")->body() == std::string(1'000'000, 'l'));
        CHECK(get("/large")->header("content-encoding") == "");
        const auto moved = get("/moved");
        CHECK(line_of(moved) == "200 hello");
        CHECK(moved->url() == up.url() + "/hello");
        CHECK(line_of(on.wait(http.post(up.url() + "/moved", "x", "text/plain"))) == "200 hello");
        CHECK(get("/missing")->status() == 404);
        CHECK(on.wait(http.send(client_request("HEAD", up.url() + "/hello")))->header("content-length") == "5");
        const std::string large(700'000, 'b');
        CHECK(line_of(on.wait(http.post(up.url() + "/echo", large, "text/plain"))) == "200 " + large);
        CHECK(line_of(on.wait(http.post(up.url() + "/echo", "", "text/plain"))) == "200 ");

        client_request fields("GET", up.url() + "/fields");
        fields.header("Host", "other.test").header("X-Mine", "yes").header("Cookie", "a=1; b=2");
        CHECK(line_of(on.wait(http.send(std::move(fields)))) == "200 other.test|yes|a=1; b=2|apus");
    }
}

TEST_CASE("uploads have the same results in HTTP/1.1 and HTTP/2") {
    for (const auto version : {client_protocols::http1, client_protocols::http2}) {
        own_loop on;
        app_server up(on, make_both());
        client http(of_version(version));
        const auto put = [&](std::uint64_t length, bool fails) {
            client_request req("PUT", up.url() + "/echo");
            const auto f = [fails](client_writer& out) -> task<> {
                for (int i = 0; i < 40; ++i) co_await out.write(std::string(10'000, 'u'));
                if (fails) co_await apus::fail(500, "the source has failed");
            };
            req.stream("text/plain", f, length);
            return on.wait(http.send(std::move(req)));
        };
        CHECK(put(client_request::unknown_length, false)->body().size() == 400'000);
        CHECK(put(400'000, false)->body().size() == 400'000);
        CHECK(line_of(put(500'000, false)) == "error 500 the request body is shorter than its declared length");
        CHECK(line_of(put(300'000, false)) == "error 500 the request body is longer than its declared length");
        CHECK(line_of(put(client_request::unknown_length, true)) == "error 500 the source has failed");
        CHECK(line_of(on.wait(http.get(up.url() + "/hello"))) == "200 hello");
    }
}

TEST_CASE("concurrent requests: HTTP/2 needs one connection, HTTP/1.1 one each") {
    for (const auto version : {client_protocols::http1, client_protocols::http2}) {
        own_loop on;
        app_server up(on, make_both());
        client http(of_version(version));
        std::vector<std::unique_ptr<running_task<client_response>>> all;
        for (int i = 0; i < 30; ++i)
            all.push_back(std::make_unique<running_task<client_response>>(http.get(up.url() + "/large")));
        for (auto& one : all) CHECK(one->wait()->body().size() == 1'000'000);
        CHECK(up.accepts == (version == client_protocols::http1 ? 30 : 1));
    }
}
