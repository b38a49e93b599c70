// SPDX-License-Identifier: Apache-2.0
#include "disk/file_body.hpp"

#include "disk/temporary_folder.hpp"

#include <apus/files.hpp>
#include <apus/test.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace {

apus::app site(const apus::test::temporary_folder& in) {
    apus::app app;
    app.mount(apus::files(in.path(), {.revalidate = apus::seconds(3600)}));
    return app;
}

}  // namespace

TEST_CASE("a truncated file aborts its response") {
    apus::test::temporary_folder in;
    in.write("x.bin", std::string(3'000'000, 'x'));
    apus::test::client c(site(in));
    REQUIRE(c.get("/x.bin").body.size() == 3'000'000);
    std::filesystem::resize_file(in.path("x.bin"), 2'000'000);
    // The body is shorter than Content-Length, which the client detects when the connection is closed.
    std::string body;
    try {
        const auto seen = c.get("/x.bin");
        CHECK(seen.closed);
        body = seen.body;
    } catch (const std::runtime_error&) {
        body = "";
    }
    CHECK(body.size() < 3'000'000);
    CHECK(c.get("/x.bin", {{"range", "bytes=0-9"}}).body == "xxxxxxxxxx");
}

TEST_CASE("a download completes after the file is replaced or deleted") {
    apus::test::temporary_folder in;
    in.write("x.bin", std::string(1'000'000, 'x'));
    apus::test::client c(site(in));
    REQUIRE(c.get("/x.bin").status == 200);
    std::filesystem::remove(in.path("x.bin"));
    CHECK(c.get("/x.bin").body == std::string(1'000'000, 'x'));
    in.write("x.bin", "new");
    CHECK(c.get("/x.bin").body == std::string(1'000'000, 'x'));
}

TEST_CASE("HTTP/1.0 connections are kept alive, as the length is known") {
    apus::test::temporary_folder in;
    in.write("x.bin", std::string(100'000, 'x'));
    apus::test::client c(site(in));
    const auto seen = c.send_raw("GET /x.bin HTTP/1.0\r\nconnection: keep-alive\r\n\r\n");
    CHECK(seen.status == 200);
    CHECK(seen.header("content-length") == "100000");
    CHECK(seen.header("transfer-encoding").empty());
    CHECK(seen.header("connection") == "keep-alive");
    CHECK(!seen.closed);
}
