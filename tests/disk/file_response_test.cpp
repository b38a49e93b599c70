// SPDX-License-Identifier: Apache-2.0
#include <apus/files.hpp>
#include <apus/test.hpp>

#include "disk/disposition.hpp"
#include "disk/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::test::client;

TEST_CASE("a single file as a response") {
    apus::test::temporary_folder in;
    in.write("report.pdf", "%PDF");
    in.write("large.bin", std::string(200'000, 'x'));
    const std::string report = in.path("report.pdf"), large = in.path("large.bin");
    apus::app app;
    app.get("/report", [&](apus::request& req) {
        return apus::file_response(req, report,
                                   {.download_name = "Bericht f\xc3\xbcr \"alle\".pdf", .cache_control = "no-store"});
    });
    app.get("/plain",
            [&](apus::request& req) { return apus::file_response(req, report, {.media_type = "text/plain"}); });
    app.get("/large", [&](apus::request& req) -> apus::task<apus::response> {
        co_return co_await apus::file_response(req, large);
    });
    app.get("/made", [&](apus::request& req) { return apus::file_response(req, "/proc/self/status"); });
    app.get("/missing", [&](apus::request& req) { return apus::file_response(req, in.path("nothing")); });
    app.get("/folder", [&](apus::request& req) { return apus::file_response(req, in.path()); });
    app.get("/bad", [&](apus::request& req) { return apus::file_response(req, report, {.media_type = "a\r\nb: c"}); });
    client c(std::move(app));

    const auto seen = c.get("/report");
    CHECK(seen.status == 200);
    CHECK(seen.body == "%PDF");
    CHECK(seen.header("content-type") == "application/pdf");
    CHECK(seen.header("cache-control") == "no-store");
    CHECK(seen.header("content-disposition") ==
          "attachment; filename=\"Bericht f_r _alle_.pdf\"; filename*=UTF-8''Bericht%20f%C3%BCr%20%22alle%22.pdf");
    CHECK(c.get("/report", {{"if-none-match", seen.header("etag")}}).status == 304);
    CHECK(c.get("/report", {{"range", "bytes=1-2"}}).body == "PD");
    CHECK(c.get("/plain").header("content-type") == "text/plain");
    CHECK(c.get("/plain").header("content-disposition").empty());
    CHECK(c.get("/large").body == std::string(200'000, 'x'));
    CHECK(c.head("/large").header("content-length") == "200000");
    const auto made = c.get("/made");  // a file in /proc, whose reported size is 0 although it has content
    CHECK(made.status == 200);
    CHECK(made.body.empty());
    CHECK(c.get("/missing").status == 404);
    CHECK(c.get("/folder").status == 404);
    CHECK(c.get("/bad").status == 500);
}

TEST_CASE("file names for saving") {
    struct row {
        std::string_view name, value;
    };
    constexpr row rows[] = {
        {"a.txt", R"(attachment; filename="a.txt")"},
        {"a b.txt", R"(attachment; filename="a b.txt")"},
        {"../../etc/passwd", R"(attachment; filename="passwd")"},
        {"..\\x.txt", R"(attachment; filename="x.txt")"},
        {"100%.txt", R"(attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt)"},
        {"a\r\nb\"c", R"(attachment; filename="a__b_c"; filename*=UTF-8''a__b%22c)"},
        {"\xff.txt", R"(attachment; filename="_.txt")"},
        {"\xe2\x82\xac's.txt", R"(attachment; filename="_'s.txt"; filename*=UTF-8''%E2%82%AC%27s.txt)"},
    };
    for (const auto& [name, value] : rows) {
        CAPTURE(name);
        CHECK(apus::disk::attachment(name) == value);
    }
}
