// SPDX-License-Identifier: Apache-2.0
#include <apus/compression.hpp>

#include "compression/coded.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

using apus::app;
using apus::content_coding;
using apus::decompress_requests;
using apus::support::coded;
using apus::test::client;
using apus::test::response;

namespace {

constexpr content_coding sent[] = {content_coding::gzip, content_coding::br, content_coding::zstd};
constexpr apus::route_limits roomy = {.body = 2'000'000};

std::string numbers(std::size_t size) {
    std::string text;
    for (std::uint32_t i = 1; text.size() < size; ++i) text += std::to_string(i * 2654435761) + "\n";
    text.resize(size);
    return text;
}

// Responds with the request body, read in different ways.
app receiver(const apus::decompress_requests_options& how = {}) {
    app a;
    a.use(decompress_requests(how));
    a.post("/text", [](apus::body_text text) { return std::string(text.bytes); }, roomy);
    a.post("/body", [](apus::request& req) -> apus::task<std::string> { co_return co_await req.body(); }, roomy);
    a.post(
        "/read",
        [](apus::request& req) -> apus::task<std::string> {
            std::string all;
            while (true) {
                const std::string_view piece = co_await req.read();
                if (piece.empty()) break;
                all += piece;
                if (all.size() % 3 == 0) co_await apus::sleep_for(apus::milliseconds(1));
            }
            const std::string_view after = co_await req.read();
            co_return all + std::string(after);
        },
        roomy);
    a.post(
        "/echo",
        [] {
            return apus::stream("text/plain", [](apus::request& req, apus::writer& out) -> apus::task<> {
                while (true) {
                    const std::string_view piece = co_await req.read();
                    if (piece.empty()) break;
                    co_await out.write(piece);
                }
            });
        },
        roomy);
    a.post("/ignores", [] { return "fine"; }, roomy);
    a.get("/text", [](apus::body_text text) { return std::to_string(text.bytes.size()); });
    return a;
}

// Returns a request with the body in chunks of this size.
std::string chunked(std::string_view path, std::string_view coding, std::string_view body, std::size_t size) {
    std::string text =
        "POST " + std::string(path) +
        " HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\ncontent-encoding: " + std::string(coding) +
        "\r\n\r\n";
    char hex[20];
    for (; !body.empty(); body.remove_prefix(std::min(size, body.size()))) {
        const auto piece = body.substr(0, size);
        std::snprintf(hex, sizeof hex, "%zx\r\n", piece.size());
        ((text += hex) += piece) += "\r\n";
    }
    return text + "0\r\n\r\n";
}

std::string told(const apus::test::response& a) {
    const auto begin = a.body.find("\"detail\":\"");
    const std::string detail =
        begin == std::string::npos ? a.body : a.body.substr(begin + 10, a.body.size() - begin - 13);
    return std::to_string(a.status) + " " + detail;
}

}  // namespace

TEST_CASE("handlers get the decoded body, however they take it") {
    client c(receiver());
    for (std::size_t size : std::initializer_list<std::size_t>{1, 5'000, 900'000}) {
        const std::string text = numbers(size);
        for (auto coding : sent)
            for (const char* path : {"/text", "/body", "/read", "/echo"}) {
                CAPTURE(size);
                CAPTURE(path);
                CAPTURE(apus::coding_name(coding));
                const auto a = c.post(path, coded(coding, text), {{"content-encoding", apus::coding_name(coding)}});
                CHECK(a.status == 200);
                CHECK((a.body == text));
                CHECK_FALSE(a.closed);
            }
    }
}

TEST_CASE("a body may come in chunks of any size") {
    client c(receiver());
    const std::string text = numbers(3'000);
    for (auto coding : sent)
        for (const char* path : {"/text", "/body", "/read", "/echo"})
            for (std::size_t size : std::initializer_list<std::size_t>{1, 10, 1000}) {
                const auto a = c.send_raw(chunked(path, apus::coding_name(coding), coded(coding, text), size));
                CHECK((a.body == text));
            }
}

TEST_CASE("requests without a coding or a body are unchanged") {
    client c(receiver());
    for (const char* path : {"/text", "/body", "/read"}) {
        CHECK(c.post(path, "plain").body == "plain");
        CHECK(c.post(path, "plain", {{"content-encoding", "identity"}}).body == "plain");
        CHECK(c.post(path, "plain", {{"content-encoding", ""}}).body == "plain");
        CHECK(c.post(path, "", {{"content-encoding", "gzip"}}).status == 200);
    }
    CHECK(c.get("/text", {{"content-encoding", "unknown"}}).body == "0");
    CHECK(c.post("/ignores", "not gzip", {{"content-encoding", "gzip"}}).body == "fine");
}

TEST_CASE("an unknown coding is 415, and the response lists the supported ones") {
    client c(receiver());
    struct row {
        const char* coding;
        const char* told;
    };
    const row rows[] = {
        {"compress", "415 unsupported content coding; supported: gzip, br, zstd, deflate"},
        {"exi, identity", "415 unsupported content coding; supported: gzip, br, zstd, deflate"},
        {"gzip, gzip", "415 unsupported: more than one content coding; supported: gzip, br, zstd, deflate"},
    };
    for (const auto& row : rows)
        for (const char* path : {"/text", "/read"}) {
            const auto a = c.post(path, "some bytes", {{"content-encoding", row.coding}});
            CHECK(told(a) == row.told);
            CHECK(a.header("accept-encoding") == "gzip, br, zstd, deflate");
        }
    const auto twice = c.post("/text", "x", {{"content-encoding", "gzip"}, {"content-encoding", "br"}});
    CHECK(twice.status == 415);
    client few(receiver({.accept = {content_coding::zstd}}));
    const auto a = few.post("/text", coded(content_coding::gzip, "x"), {{"content-encoding", "gzip"}});
    CHECK(a.status == 415);
    CHECK(a.header("accept-encoding") == "zstd");
    CHECK(few.post("/text", coded(content_coding::zstd, "x"), {{"content-encoding", "zstd"}}).body == "x");
}

TEST_CASE("an invalid encoded body is 400, also after the handler has begun to read") {
    client c(receiver());
    const std::string good = coded(content_coding::gzip, numbers(50'000));
    std::string changed = good;
    changed[changed.size() / 2] = static_cast<char>(~changed[changed.size() / 2]);
    for (const char* path : {"/text", "/body", "/read"}) {
        CAPTURE(path);
        const apus::test::client::fields gzip = {{"content-encoding", "gzip"}};
        CHECK(told(c.post(path, "no gzip at all", gzip)) == "400 the body does not match its Content-Encoding");
        CHECK(told(c.post(path, changed, gzip)) == "400 the body does not match its Content-Encoding");
        CHECK(told(c.post(path, good + "more", gzip)) == "400 the body does not match its Content-Encoding");
        CHECK(told(c.post(path, good.substr(0, good.size() - 1), gzip)) == "400 the encoded body is truncated");
        CHECK(told(c.send_raw(chunked(path, "gzip", good.substr(0, 100), 7))) == "400 the encoded body is truncated");
        CHECK((c.post(path, good + good, gzip).body == numbers(50'000) + numbers(50'000)));
    }
    CHECK(c.post("/echo", changed, {{"content-encoding", "gzip"}}).closed);
}

TEST_CASE("a decompression bomb is 413, by size and ratio, at bounded cost") {
    client c(receiver());
    const std::string zeros(100'000'000, '\0');
    const std::string fitting(1'500'000, '\0');
    for (auto coding : sent) {
        const std::string bomb = coded(coding, zeros), dense = coded(coding, fitting),
                          large = coded(coding, numbers(2'000'001));
        for (const char* path : {"/text", "/body", "/read"}) {
            CAPTURE(path);
            CAPTURE(apus::coding_name(coding));
            const apus::test::client::fields named = {{"content-encoding", apus::coding_name(coding)}};
            CHECK(c.post(path, bomb, named).status == 413);
            CHECK(told(c.post(path, dense, named)) == "413 the compression ratio of the body exceeds the limit");
            CHECK(told(c.post(path, large, named)) == "413 the decoded body exceeds the limit of this route");
        }
    }
    client trusting(receiver({.ratio = 1'000'000}));
    for (auto coding : sent)
        CHECK((trusting.post("/text", coded(coding, fitting), {{"content-encoding", apus::coding_name(coding)}}).body ==
               fitting));
}

TEST_CASE("a body is decoded once, even if the middleware is added twice") {
    app outer;
    outer.use(decompress_requests());
    outer.mount("/in", receiver());
    client c(std::move(outer));
    const std::string twice = coded(content_coding::gzip, coded(content_coding::gzip, "text"));
    for (const char* path : {"/in/text", "/in/read"})
        CHECK((c.post(path, twice, {{"content-encoding", "gzip"}}).body == coded(content_coding::gzip, "text")));
}

TEST_CASE("a ratio of zero is rejected") { CHECK_THROWS_AS(decompress_requests({.ratio = 0}), std::invalid_argument); }
