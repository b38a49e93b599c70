// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <doctest/doctest.h>

#include <apus/test.hpp>

TEST_CASE("entries are listed and escaped") {
    guestbook book;
    apus::test::client client(make_app(book));
    CHECK(client.get("/").expect(200).body.contains("Nobody has signed yet."));
    CHECK(client.form("/entries", {{"name", "<Ada>"}, {"message", "hello"}}).expect(303).header("location") == "/");
    CHECK(client.get("/").body.contains("<b>&lt;Ada&gt;</b>: hello"));
}

TEST_CASE("invalid and forged entries are refused") {
    guestbook book;
    apus::test::client client(make_app(book));
    CHECK(client.form("/entries", {{"name", ""}, {"message", "hello"}}).status == 422);
    CHECK(client.form("/entries", {{"name", "a"}, {"message", "b"}}, {{"sec-fetch-site", "cross-site"}}).status == 403);
    CHECK(client.get("/static/style.css").header("content-type").starts_with("text/css"));
}
