// SPDX-License-Identifier: Apache-2.0
#include "openapi/page_files.hpp"

#include <apus/openapi.hpp>
#include <apus/test.hpp>
#include <doctest/doctest.h>

#include <string>
#include <utility>

TEST_CASE("the page loads nothing from other servers") {
    apus::app part, app;
    part.mount(apus::openapi_document({.title = "t", .version = "1"}));
    part.mount(apus::openapi_page());
    app.mount("/api", std::move(part));
    apus::test::client client(std::move(app));

    const auto page = client.get("/api/docs").expect(200);
    CHECK(page.header("content-type") == "text/html; charset=utf-8");
    CHECK(
        page.header("content-security-policy").starts_with("default-src 'none'; script-src 'self'; style-src 'self';"));
    CHECK(page.body.find("http") == page.body.npos);
    client.get("/api/docs", {{"if-none-match", page.header("etag")}}).expect(304);
    CHECK(client.get("/api/openapi.json").body.find("\"/api/docs") == std::string::npos);

    const auto renderer = apus::openapi::renderer();
    if (renderer.script.empty()) {
        CHECK(page.body.find("Install npm") != page.body.npos);
        client.get("/api/docs/renderer.js").expect(404);
    } else {
        CHECK(client.get("/api/docs/renderer.js").expect(200).body == renderer.script);
        CHECK(client.get("/api/docs/renderer.css").expect(200).body == renderer.style);
        CHECK(client.get("/api/docs/page.js").expect(200).header("content-type") == "text/javascript; charset=utf-8");
    }
}
