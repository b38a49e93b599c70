// SPDX-License-Identifier: Apache-2.0
#include "disk/listing.hpp"

#include "disk/temporary_folder.hpp"

#include <apus/files.hpp>
#include <apus/test.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <sys/stat.h>

using apus::test::client;
using apus::test::temporary_folder;

namespace {

apus::app site(const temporary_folder& in, apus::files_options options = {}) {
    options.list = true;
    apus::app app;
    app.mount("/static", apus::files(in.path(), options));
    return app;
}

std::string names(const apus::test::response& a) {
    std::string out;
    for (std::size_t at = a.body.find("\"name\":\""); at != a.body.npos; at = a.body.find("\"name\":\"", at)) {
        at += 8;
        out += (out.empty() ? "" : " ") + a.body.substr(at, a.body.find('"', at) - at);
    }
    return out;
}

std::string listed(const temporary_folder& in, const char* at = "/static/", const apus::files_options& options = {}) {
    client c(site(in, options));
    return names(c.get(at, {{"accept", "application/json"}}).expect(200));
}

}  // namespace

TEST_CASE("a folder without index is listed if enabled") {
    temporary_folder in;
    in.write("b.txt", "12345");
    in.write("a/x", "");
    in.date("b.txt", 784'111'777);
    in.date("a", 784'111'777);
    client c(site(in));
    const auto page = c.get("/static/").expect(200);
    CHECK(page.header("content-type") == "text/html; charset=utf-8");
    CHECK(page.header("cache-control") == "no-cache");
    CHECK(page.header("vary") == "Accept");
    CHECK(page.body ==
          "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content=\"width=device-width\">\n"
          "<title>/static/</title>\n<h1>/static/</h1>\n<table cellpadding=4>\n"
          "<tr><td><a href=\"./a/\">a/</a><td align=right><td>Sun, 06 Nov 1994 08:49:37 GMT\n"
          "<tr><td><a href=\"./b.txt\">b.txt</a><td align=right>5<td>Sun, 06 Nov 1994 08:49:37 GMT\n"
          "</table>\n");
    CHECK(c.get("/static/a/").body.contains("<a href=\"./../\">../</a>"));
    CHECK(c.get("/static/", {{"accept", "application/json"}}).body ==
          R"({"entries":[{"name":"a","type":"folder","size":null,"modified":"1994-11-06T08:49:37Z"},)"
          R"({"name":"b.txt","type":"file","size":5,"modified":"1994-11-06T08:49:37Z"}],"complete":true})");
    CHECK(c.get("/static/", {{"if-none-match", page.header("etag")}}).status == 304);
    CHECK(c.head("/static/").expect(200).header("etag") == page.header("etag"));
    CHECK(c.get("/static/", {{"accept", "text/html;q=0, application/json;q=0"}}).status == 406);
    CHECK(c.get("/static/a").status == 308);
    for (const char* none : {"/static/none/", "/static/b.txt/", "/static/../"}) CHECK(c.get(none).status == 404);

    in.write("index.html", "index");
    client with_index(site(in));
    CHECK(with_index.get("/static/").body == "index");
    client off([&] {
        apus::app app;
        app.mount("/static", apus::files(in.path()));
        return app;
    }());
    CHECK(off.get("/static/a/").status == 404);
    CHECK(listed(in, "/static/a/", {.index = ""}) == "x");
    client fallback(site(in, {.fallback = "index.html"}));
    CHECK(fallback.get("/static/a/").body == "index");
}

TEST_CASE("names in a listing are escaped") {
    temporary_folder in;
    for (const char* name : {"<script>alert(1)", "a\"b", "a b%20", "javascript:x", "\xc3\xa9", "?q#f", "&amp;"})
        in.write(name, "");
    client c(site(in));
    const std::string page = c.get("/static/").expect(200).body;
    CHECK_FALSE(page.contains("<script>"));
    for (const char* row :
         {"<a href=\"./%3Cscript%3Ealert%281%29\">", "<a href=\"./a%22b\">", "<a href=\"./a%20b%2520\">a b%20</a>",
          "<a href=\"./javascript%3Ax\">javascript:x</a>", "<a href=\"./%C3%A9\">\xc3\xa9</a>",
          "<a href=\"./%3Fq%23f\">", "<a href=\"./%26amp%3B\">&amp;amp;</a>"}) {
        CAPTURE(row);
        CHECK_MESSAGE(page.contains(row), page);
    }
    CHECK(c.get("/static/a%20b%2520").status == 200);
}

TEST_CASE("only accessible entries are listed") {
    temporary_folder in, outside;
    outside.write("secret", "");
    in.write("shown", "");
    in.write("sub/x", "");
    for (const char* name : {".hidden", ".well-known/y", "sub/.well-known/z", "back\\slash", "no\xffutf8", "new\nline"})
        in.write(name, "");
    in.link("out", outside.path());
    in.link("secret", outside.path("secret"));
    in.link("up", "../");
    in.link("broken", "nothing");
    in.link("to_shown", "shown");
    in.link("sub/to_shown", "../shown");
    in.link("to_sub", "sub");
    REQUIRE(mkfifo(in.path("pipe").c_str(), 0600) == 0);
    CHECK(listed(in) == ".well-known sub to_sub shown to_shown");
    CHECK(listed(in, "/static/sub/") == "to_shown x");
    CHECK(listed(in, "/static/to_sub/") == "to_shown x");
    CHECK(listed(in, "/static/", {.hidden = true}) == ".well-known sub to_sub .hidden shown to_shown");
    CHECK(listed(in, "/static/", {.follow_links = false}) == ".well-known sub shown");
    client c(site(in));
    for (const char* none : {"/static/out/", "/static/up/", "/static/sub/.well-known/"})
        CHECK(c.get(none).status == 404);
}

TEST_CASE("the length of a list is limited, and a shortened list is marked") {
    temporary_folder in;
    for (int i = 0; i < 10; ++i) in.write("file" + std::to_string(i), "");
    client c(site(in, {.listed = 9}));
    const auto cut = c.get("/static/", {{"accept", "application/json"}}).expect(200);
    CHECK(cut.body.ends_with("],\"complete\":false}"));
    CHECK(std::ranges::count(names(cut), ' ') == 8);
    CHECK(c.get("/static/").body.ends_with("<p>This list is incomplete: the folder has more entries.\n"));
    client enough(site(in, {.listed = 10}));
    CHECK(enough.get("/static/", {{"accept", "application/json"}}).body.ends_with("],\"complete\":true}"));
}
