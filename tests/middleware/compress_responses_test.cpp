// SPDX-License-Identifier: Apache-2.0
#include <apus/compression.hpp>

#include "compression/coded.hpp"
#include "compression/coding.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using apus::app;
using apus::compress_responses;
using apus::content_coding;
using apus::response;
using apus::test::client;

namespace {

const std::string page = [] {
    std::string text;
    for (int i = 0; text.size() < 20'000; ++i) text += "<p>paragraph " + std::to_string(i * 7919) + "</p>\n";
    return text;
}();

const std::string large = [] {
    std::string text;
    for (std::uint32_t i = 1; text.size() < 1'000'000; ++i) text += "item " + std::to_string(i * 2654435761) + "\n";
    return text;
}();

response with(std::string_view name, std::string_view value) {
    response res;
    res.body(page, "text/html; charset=utf-8").header(name, value);
    return res;
}

app site(const apus::compress_responses_options& how = {}) {
    app a;
    a.use(compress_responses(how));
    a.get("/page", [] { return page; });
    a.get("/literal", [] { return response::literal(page); });
    a.get("/later", []() -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(1));
        co_return page;
    });
    a.get("/large", [] { return large; });
    a.get("/large-literal", [] { return response::literal(large); });
    a.get("/small", [] { return page.substr(0, 1023); });
    a.get("/least", [] { return page.substr(0, 1024); });
    a.get("/none", [] {});
    a.get("/image", [] { return with("content-type", "image/png"); });
    a.get("/coded", [] { return with("content-encoding", "gzip"); });
    a.get("/range", [] { return with("content-range", "bytes 0-19999/30000"); });
    a.get("/partial", [] {
        response res = with("x", "y");
        res.status(206);
        return res;
    });
    a.get("/unchanged", [] {
        response res(304);
        res.header("etag", "\"1\"");
        return res;
    });
    a.get("/final", [] { return with("cache-control", "public, No-Transform"); });
    a.get("/strong", [] { return with("etag", "\"1\""); });
    a.get("/weak", [] { return with("etag", "W/\"1\""); });
    a.get("/ranges", [] { return with("accept-ranges", "bytes"); });
    a.get("/varies", [] { return with("vary", "accept, Accept-Encoding"); });
    a.get("/varies-by-more", [] { return with("vary", "accept"); });
    a.get("/stream", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> {
            for (std::size_t at = 0; at < page.size(); at += 1000)
                co_await out.write(std::string_view(page).substr(at, 1000));
            out.trailer("x-sum", "7");
        });
    });
    return a;
}

// Returns the decoded body with its content coding: "gzip: text".
std::string read(const apus::test::response& a) {
    const auto name = a.header("content-encoding");
    if (name.empty()) return a.body;
    return std::string(name) + ": " + apus::support::decoded(*apus::compression::coding_of(name), a.body);
}

}  // namespace

TEST_CASE("a body is sent in a coding that the client accepts") {
    client c(site());
    for (const char* path : {"/page", "/literal", "/later", "/stream"})
        for (const char* coding : {"gzip", "br", "zstd"}) {
            CAPTURE(path);
            CAPTURE(coding);
            const auto a = c.get(path, {{"accept-encoding", coding}});
            CHECK((read(a) == coding + (": " + page)));
            CHECK(a.body.size() * 3 < page.size());
            CHECK(a.header("vary") == "Accept-Encoding");
        }
}

TEST_CASE("other bodies are unchanged; compressible ones get Vary") {
    struct row {
        const char* path;
        const char* accept;
        const char* vary;
    };
    const row rows[] = {
        {"/page", "", "Accept-Encoding"},
        {"/page", "identity", "Accept-Encoding"},
        {"/page", "deflate, compress", "Accept-Encoding"},
        {"/page", "gzip;q=0", "Accept-Encoding"},
        {"/stream", "identity", "Accept-Encoding"},
        {"/small", "gzip", "Accept-Encoding"},
        {"/unchanged", "gzip", "Accept-Encoding"},
        {"/none", "gzip", ""},
        {"/image", "gzip", ""},
        {"/range", "gzip", ""},
        {"/partial", "gzip", ""},
        {"/final", "gzip", ""},
    };
    client c(site());
    for (const auto& row : rows) {
        CAPTURE(row.path);
        CAPTURE(row.accept);
        const auto a = c.get(row.path, {{"accept-encoding", row.accept}});
        CHECK(a.header("content-encoding") == "");
        CHECK(a.header("vary") == row.vary);
    }
}

TEST_CASE("an encoded body is not encoded again") {
    app outer;
    outer.use(compress_responses());
    outer.mount("/in", site());
    outer.get("/coded", [] { return with("content-encoding", "gzip"); });
    client c(std::move(outer));
    CHECK((read(c.get("/in/page", {{"accept-encoding", "br"}})) == "br: " + page));
    const auto coded = c.get("/coded", {{"accept-encoding", "br"}});
    CHECK(coded.header("content-encoding") == "gzip");
    CHECK(coded.body == page);
}

TEST_CASE("bodies from the minimum size on are compressed") {
    client c(site());
    CHECK((read(c.get("/least", {{"accept-encoding", "gzip"}})) == "gzip: " + page.substr(0, 1024)));
    CHECK((read(c.get("/small", {{"accept-encoding", "gzip"}})) == page.substr(0, 1023)));
}

TEST_CASE("a body that does not shrink is unchanged") {
    std::string noise;
    std::uint32_t state = 1;
    while (noise.size() < 2000) noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    app a;
    a.use(compress_responses());
    a.get("/", [&] { return noise; });
    client c(std::move(a));
    const auto got = c.get("/", {{"accept-encoding", "gzip, br, zstd"}});
    CHECK((read(got) == noise));
    CHECK(got.header("vary") == "Accept-Encoding");
}

TEST_CASE("fields match the sent bytes") {
    client c(site());
    const auto tagged = [&](const char* path, const char* accept) {
        return std::string(c.get(path, {{"accept-encoding", accept}}).header("etag"));
    };
    CHECK(tagged("/strong", "br") == "W/\"1\"");
    CHECK(tagged("/strong", "") == "\"1\"");
    CHECK(tagged("/weak", "br") == "W/\"1\"");
    const auto unchanged = [&](const char* has, const char* accept) {
        return std::string(
            c.get("/unchanged", {{"accept-encoding", accept}, {"if-none-match", has}}).expect(304).header("etag"));
    };
    CHECK(unchanged("W/\"1\"", "br") == "W/\"1\"");
    CHECK(unchanged("\"0\", W/\"1\"", "br") == "W/\"1\"");
    CHECK(unchanged("\"1\"", "br") == "\"1\"");  // the response may have been too small to compress
    CHECK(unchanged("W/\"1\"", "") == "\"1\"");
    CHECK(unchanged("W/\"11\"", "br") == "\"1\"");
    CHECK(c.get("/ranges", {{"accept-encoding", "br"}}).header("accept-ranges") == "");
    CHECK(c.get("/ranges").header("accept-ranges") == "bytes");
    CHECK(c.get("/varies", {{"accept-encoding", "br"}}).head.find("Vary: Accept-Encoding") == std::string::npos);
    CHECK(c.get("/varies-by-more").head.contains("Vary: Accept-Encoding\r\n"));
    CHECK(c.get("/page", {{"accept-encoding", "br"}}).header("content-type") == "text/plain; charset=utf-8");
    CHECK(c.get("/strong", {{"accept-encoding", "br"}}).header("content-type") == "text/html; charset=utf-8");
}

TEST_CASE("HEAD has the fields of GET") {
    client c(site());
    for (const char* path : {"/page", "/small", "/image", "/stream", "/large", "/strong"}) {
        CAPTURE(path);
        const auto get = c.get(path, {{"accept-encoding", "gzip"}}), head = c.head(path, {{"accept-encoding", "gzip"}});
        CHECK(head.body.empty());
        for (const char* name :
             {"content-encoding", "content-length", "transfer-encoding", "vary", "etag", "content-type"}) {
            CAPTURE(name);
            CHECK(head.header(name) == get.header(name));
        }
    }
}

TEST_CASE("a large body is compressed in steps, between other requests") {
    client c(site());
    for (const char* path : {"/large", "/large-literal"})
        for (const char* coding : {"gzip", "br", "zstd"}) {
            const auto a = c.get(path, {{"accept-encoding", coding}});
            CHECK(a.header("transfer-encoding") == "chunked");
            CHECK((read(a) == coding + (": " + large)));
        }
    CHECK((read(c.get("/large")) == large));
}

TEST_CASE("a stream keeps its trailers, and written data can be read before it continues") {
    bool go_on = false;
    app a;
    a.use(compress_responses());
    a.get("/events", [&go_on] {
        return apus::stream("text/event-stream", [&go_on](apus::writer& out) -> apus::task<> {
            co_await out.write("data: 1\n\n");
            co_await out.write("data: 2\n\n");
            while (!go_on) co_await apus::sleep_for(apus::milliseconds(1));
            co_await out.write("data: 3\n\n");
        });
    });
    // While `go_on` is false, the response does not end, so only its first part is checked.
    client c(std::move(a), {.timeout = apus::milliseconds(200)});
    CHECK_THROWS_AS(c.get("/events", {{"accept-encoding", "gzip"}}), std::runtime_error);
    go_on = true;
    const auto all = c.receive();
    CHECK((read(all) == "gzip: data: 1\n\ndata: 2\n\ndata: 3\n\n"));
    CHECK(all.head.contains("Transfer-Encoding: chunked"));
    client s(site());
    CHECK(s.get("/stream", {{"accept-encoding", "br"}}).trailer_field("x-sum") == "7");
}

TEST_CASE("streams over the limit are sent uncompressed") {
    client c(site({.streams = 0}));
    CHECK((read(c.get("/stream", {{"accept-encoding", "gzip"}})) == page));
    CHECK((read(c.get("/large", {{"accept-encoding", "gzip"}})) == large));
    CHECK((read(c.get("/page", {{"accept-encoding", "gzip"}})) == "gzip: " + page));
    client one(site({.streams = 1}));
    for (int i = 0; i < 3; ++i) CHECK((read(one.get("/stream", {{"accept-encoding", "gzip"}})) == "gzip: " + page));
}

TEST_CASE("a failed stream is aborted and frees its encoder") {
    app a;
    a.use(compress_responses({.streams = 1}));
    a.get("/fails", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> {
            co_await out.write("begun");
            throw std::runtime_error("secret");
        });
    });
    a.get("/stream", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> { co_await out.write("whole"); });
    });
    client c(std::move(a));
    CHECK(c.get("/fails", {{"accept-encoding", "gzip"}}).closed);
    CHECK((read(c.get("/stream", {{"accept-encoding", "gzip"}})) == "gzip: whole"));
}

TEST_CASE("invalid levels and unsupported codings are rejected") {
    CHECK_THROWS_AS(compress_responses({.gzip_level = 0}), std::invalid_argument);
    CHECK_THROWS_AS(compress_responses({.gzip_level = 10}), std::invalid_argument);
    CHECK_THROWS_AS(compress_responses({.br_level = 12}), std::invalid_argument);
    CHECK_THROWS_AS(compress_responses({.zstd_level = 20}), std::invalid_argument);
    CHECK_THROWS_AS(compress_responses({.prefer = {content_coding::deflate}}), std::invalid_argument);
}
