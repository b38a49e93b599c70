// SPDX-License-Identifier: Apache-2.0
#include <apus/conditional.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using apus::test::client;

namespace {

constexpr const char* date = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr const char* before = "Sun, 06 Nov 1994 08:49:36 GMT";

struct note {
    std::string text = "first";
    int version = 1;
    int reads = 0;
};

apus::response read(note& n, apus::request& req) {
    const std::string etag = '"' + std::to_string(n.version) + '"';
    const apus::response_validators now{.etag = etag, .modified = 784'111'777};
    if (auto done = apus::check_preconditions(req, now)) return *std::move(done);
    ++n.reads;
    auto res = apus::response::text(n.text);
    apus::set_validators(res, now);
    return res;
}

apus::response write(note& n, apus::request& req, std::string_view text) {
    const std::string etag = '"' + std::to_string(n.version) + '"';
    if (auto done = apus::check_preconditions(req, {.etag = etag})) return *std::move(done);
    n.text = text;
    ++n.version;
    return apus::response(204);
}

apus::app notes(note& n) {
    apus::app app;
    app.get("/", [&n](apus::request& req) { return read(n, req); });
    app.put("/", [&n](apus::request& req, apus::body_text body) { return write(n, req, body); });
    app.put("/fresh", [](apus::request& req) {
        auto done = apus::check_preconditions(req, {.exists = false});
        return done ? *std::move(done) : apus::response(201);
    });
    return app;
}

}  // namespace

TEST_CASE("a client with the current version gets 304 before the handler runs") {
    note n;
    client c(notes(n));
    const auto first = c.get("/");
    CHECK(first.status == 200);
    CHECK(first.header("etag") == R"("1")");
    CHECK(first.header("last-modified") == date);
    const auto again = c.get("/", {{"if-none-match", R"("0", W/"1")"}});
    CHECK(again.status == 304);
    CHECK(again.body.empty());
    CHECK(again.header("etag") == R"("1")");
    CHECK(again.header("last-modified") == date);
    CHECK(again.header("content-length").empty());
    CHECK(c.head("/", {{"if-modified-since", date}}).status == 304);
    CHECK(n.reads == 1);
    CHECK(c.get("/", {{"if-modified-since", before}}).status == 200);
    CHECK(c.get("/", {{"if-none-match", R"("2")"}, {"if-modified-since", date}}).status == 200);
    CHECK(n.reads == 3);
}

TEST_CASE("lists of tags may span several lines") {
    note n;
    client c(notes(n));
    CHECK(c.get("/", {{"if-none-match", R"("7")"},
                      {"accept-encoding", "a"},
                      {"if-none-match", R"("8")"},
                      {"accept-encoding", "b"},
                      {"if-none-match", R"("1")"}})
              .status == 304);
    CHECK(c.get("/", {{"if-none-match", R"("7")"}, {"if-none-match", R"("8")"}}).status == 200);
    CHECK(c.get("/", {{"if-match", R"("7")"}, {"if-match", R"("1")"}}).status == 200);
}

TEST_CASE("the second of two concurrent changes gets 412") {
    note n;
    client c(notes(n));
    CHECK(c.send("PUT", "/", "mine", {{"if-match", R"("1")"}}).status == 204);
    const auto late = c.send("PUT", "/", "theirs", {{"if-match", R"("1")"}});
    CHECK(late.status == 412);
    CHECK(late.header("content-type") == "application/problem+json");
    CHECK(n.text == "mine");
    CHECK(c.send("PUT", "/", "x", {{"if-match", R"(W/"2")"}}).status == 412);
    CHECK(c.send("PUT", "/", "x", {{"if-none-match", "*"}}).status == 412);
    CHECK(c.send("PUT", "/fresh", "x", {{"if-none-match", "*"}}).status == 201);
    CHECK(c.send("PUT", "/fresh", "x", {{"if-match", "*"}}).status == 412);
}

TEST_CASE("invalid tags are a program error") {
    apus::response res;
    for (const std::string_view bad : {"v7", "\"v7", "\"a\"\r\nx: y\"", "w/\"a\""}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(apus::set_validators(res, {.etag = bad}), std::invalid_argument);
    }
    apus::set_validators(res, {.etag = "\"a\"", .modified = 0});
    apus::set_validators(res, {.etag = "W/\"b\""});
    CHECK(res.field_lines() == "last-modified: Thu, 01 Jan 1970 00:00:00 GMT\r\netag: W/\"b\"\r\n");
}

TEST_CASE("a tag for bytes") {
    const std::string tag = apus::etag_of("hello");
    CHECK(tag.size() == 18);
    CHECK(tag == apus::etag_of("hello"));
    CHECK(tag != apus::etag_of("hellp"));
    CHECK(tag != apus::etag_of(""));
}
