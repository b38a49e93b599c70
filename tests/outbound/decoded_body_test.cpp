// SPDX-License-Identifier: Apache-2.0
#include "outbound/decoded_body.hpp"

#include "compression/coded.hpp"
#include "outbound/servers.hpp"

#include <apus/compression.hpp>
#include <apus/stream.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::test;

namespace {

constexpr std::size_t large = 600'000;

std::string hellos() {
    std::string text;
    for (int i = 0; i < 200; ++i) text += "hello " + std::to_string(i % 7) + "\n";
    return text;
}

app make_upstream() {
    app a;
    a.use(compress_responses({.least = 1}));
    a.get("/text", [] { return hellos(); });
    a.get("/large", [] { return std::string(large, 'x'); });
    a.get("/accepts", [](request& req) { return "accepts " + std::string(req.header("accept-encoding")); });
    a.get("/stream", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            for (int i = 0; i < 100; ++i) co_await out.write("piece " + std::to_string(i) + "\n");
        });
    });
    return a;
}

std::string answer_in(std::string_view coding, std::string_view bytes, std::string_view more = {}) {
    return "HTTP/1.1 200 OK\r\nContent-Encoding: " + std::string(coding) +
           "\r\nContent-Length: " + std::to_string(bytes.size()) + "\r\n" + std::string(more) + "\r\n" +
           std::string(bytes);
}

}  // namespace

TEST_CASE("responses are requested in a coding and decoded") {
    own_loop on;
    app_server up(on, make_upstream());
    client http;
    const auto got = on.wait(http.get(up.url() + "/text"));
    REQUIRE(got.has_value());
    CHECK(got->body() == hellos());
    CHECK(got->header("content-encoding").empty());
    CHECK(got->header("content-length").empty());
    CHECK(got->header("vary") == "Accept-Encoding");
    const auto much = on.wait(http.get(up.url() + "/large"));
    CHECK((much && much->body() == std::string(large, 'x')));
    const auto head = on.wait(http.send(client_request("HEAD", up.url() + "/text")));
    CHECK((head && head->body().empty()));
    CHECK(line_of(on.wait(http.get(up.url() + "/accepts"))) == "200 accepts gzip, br, zstd");
    CHECK(up.accepts == 1);
}

TEST_CASE("a streamed response is decoded piece by piece") {
    own_loop on;
    app_server up(on, make_upstream());
    client http;
    const auto reading = [](client by, std::string url) -> task<std::string> {
        auto got = co_await by.open(client_request("GET", url));
        std::string all;
        while (true) {
            const std::string_view piece = co_await got.read();
            if (piece.empty()) break;
            all += piece;
        }
        co_return all;
    };
    const auto all = on.wait(reading(http, up.url() + "/stream"));
    REQUIRE(all.has_value());
    CHECK(all->starts_with("piece 0\npiece 1\n"));
    CHECK(all->ends_with("piece 99\n"));
}

TEST_CASE("an explicit Accept-Encoding, or a range, disables decoding") {
    own_loop on;
    app_server up(on, make_upstream());
    client http;
    client_request own("GET", up.url() + "/text");
    own.header("accept-encoding", "gzip");
    const auto got = on.wait(http.send(std::move(own)));
    REQUIRE(got.has_value());
    CHECK(got->header("content-encoding") == "gzip");
    CHECK(support::decoded(content_coding::gzip, got->body()) == hellos());
    client_request part("GET", up.url() + "/accepts");
    part.header("range", "bytes=0-3");
    CHECK(line_of(on.wait(http.send(std::move(part)))) == "200 accepts ");
    client_options plain;
    plain.decompress = false;
    client off(plain);
    CHECK(line_of(on.wait(off.get(up.url() + "/accepts"))) == "200 accepts ");
}

TEST_CASE("forms of encoded responses") {
    using enum content_coding;
    const std::string text = "some text that is some text";
    const std::string zip = support::coded(gzip, text);
    struct row {
        const char* what;
        std::string answer;
        std::string line;
    };
    const row rows[] = {
        {"gzip", answer_in("gzip", zip), "200 " + text},
        {"by its old name", answer_in("X-GZip", zip), "200 " + text},
        {"br", answer_in("br", support::coded(br, text)), "200 " + text},
        {"zstd", answer_in("zstd", support::coded(zstd, text)), "200 " + text},
        {"deflate, which was not asked for but is understood",
         answer_in("deflate", std::string_view("\x78\x9c\x4b\x04\x00\x00\x62\x00\x62", 9)), "200 a"},
        {"identity", answer_in("identity", text), "200 " + text},
        {"unknown", answer_in("compress", text), "200 " + text},
        {"two codings", answer_in("gzip, br", text), "200 " + text},
        {"two lines", answer_in("gzip", zip, "Content-Encoding: br\r\n"), "200 " + zip},
        {"no byte", answer_in("gzip", ""), "200 "},
        {"a part", "HTTP/1.1 206 Partial Content\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", "206 abc"},
        {"none of its coding", answer_in("gzip", text),
         "error 502 the upstream's response does not match its Content-Encoding"},
        {"cut short", answer_in("gzip", zip.substr(0, zip.size() - 3)),
         "error 502 the upstream's encoded response is truncated"},
        {"more behind it", answer_in("br", support::coded(br, text) + "more"),
         "error 502 the upstream's response does not match its Content-Encoding"},
        {"a bomb", answer_in("zstd", support::coded(zstd, std::string(20'000'000, '\0'))),
         "error 502 the upstream's response exceeds the size limit of the client"},
    };
    own_loop on;
    for (const auto& row : rows) {
        CAPTURE(row.what);
        scripted_server up(on, {row.answer});
        client http;
        CHECK(line_of(on.wait(http.get(up.url() + "/"))) == row.line);
    }
}
