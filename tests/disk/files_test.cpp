// SPDX-License-Identifier: Apache-2.0
#include <apus/files.hpp>
#include <apus/test.hpp>

#include "disk/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <string>
#include <system_error>

#include <sys/stat.h>

using namespace std::string_view_literals;
using apus::test::client;
using apus::test::numbers;
using apus::test::temporary_folder;

namespace {

apus::app site(const temporary_folder& in, const apus::files_options& options = {}) {
    apus::app app;
    app.get("/api", [] { return "api"; });
    app.mount("/static", apus::files(in.path(), options));
    return app;
}

}  // namespace

TEST_CASE("a file is served with its metadata") {
    temporary_folder in;
    in.write("hello.txt", "hello");
    in.date("hello.txt", 784'111'777);
    client c(site(in));
    const auto seen = c.get("/static/hello.txt");
    CHECK(seen.status == 200);
    CHECK(seen.body == "hello");
    CHECK(seen.header("content-type") == "text/plain; charset=utf-8");
    CHECK(seen.header("content-length") == "5");
    CHECK(seen.header("last-modified") == "Sun, 06 Nov 1994 08:49:37 GMT");
    CHECK(seen.header("cache-control") == "no-cache");
    CHECK(seen.header("accept-ranges") == "bytes");
    CHECK(seen.header("etag").size() == 18);
    CHECK(seen.header("vary").empty());

    const auto head = c.head("/static/hello.txt");
    CHECK(head.status == 200);
    CHECK(head.body.empty());
    CHECK(head.header("content-length") == "5");
    CHECK(head.header("etag") == seen.header("etag"));
    CHECK(c.post("/static/hello.txt", "x").status == 405);
    CHECK(c.del("/static/hello.txt").header("allow") == "GET, HEAD, OPTIONS");
    CHECK(c.get("/api").body == "api");
}

TEST_CASE("folders redirect to a trailing slash, and have an index") {
    temporary_folder in;
    in.write("index.html", "top");
    in.write("sub/index.html", "sub");
    in.write("bare/x.txt", "x");
    in.write("odd/index.html/x", "x");
    client c(site(in));
    CHECK(c.get("/static/").body == "top");
    CHECK(c.get("/static").status == 308);
    CHECK(c.get("/static?a=b").header("location") == "/static/?a=b");
    CHECK(c.get("/static/sub/").body == "sub");
    CHECK(c.get("/static/sub").header("location") == "/static/sub/");
    CHECK(c.get("/static/sub?a=b").header("location") == "/static/sub/?a=b");
    CHECK(c.get("/static/bare/").status == 404);
    CHECK(c.get("/static/bare").status == 308);
    CHECK(c.get("/static/odd/").status == 404);
    CHECK(c.get("/static/sub/index.html/").status == 404);
    CHECK(c.get("/static/missing").status == 404);
    CHECK(c.get("/static/missing").header("content-type") == "application/problem+json");

    client none(site(in, {.index = ""}));
    CHECK(none.get("/static/").status == 404);
    CHECK(none.get("/static/index.html").status == 200);
}

TEST_CASE("files at the root, with a fallback page for single-page applications") {
    temporary_folder in;
    in.write("index.html", "app");
    in.write("app.js", "js");
    apus::app app;
    app.get("/api/x", [] { return "api"; });
    app.mount(apus::files(in.path(), {.fallback = "index.html"}));
    client c(std::move(app));
    struct row {
        std::string_view path;
        int status;
        std::string_view body;
    };
    for (const auto& [path, status, body] :
         {row{"/", 200, "app"}, row{"/app.js", 200, "js"}, row{"/users/7", 200, "app"}, row{"/users/", 200, "app"},
          row{"/api/x", 200, "api"}, row{"/api/y", 200, "app"}}) {
        CAPTURE(path);
        CHECK(c.get(path).status == status);
        CHECK(c.get(path).body == body);
    }
    CHECK(c.get("/missing.js").status == 404);
    CHECK(c.get("/.env").status == 404);
    CHECK(c.get("//example.org").status == 404);
}

TEST_CASE("no request reaches files outside of the folder, or hidden files") {
    temporary_folder in;
    in.write("secret", "outside");
    in.write("etc/passwd", "outside");
    in.write("public/a.txt", "inside");
    for (const std::string_view name : {".env", ".git/config", ".htpasswd", ".ssh/id_rsa", "a/.env", "a/.git/config",
                                        ".../secret", "..;/secret", "..a"})
        in.write("public/" + std::string(name), "hidden");
    struct attack {
        std::string_view path;
    };
    constexpr attack attacks[] = {
#include "codec/url/path_attacks.inc"
    };
    apus::app app;
    app.mount("/static", apus::files(in.path("public"), {.fallback = ""}));
    client c(std::move(app));
    CHECK(c.get("/static/a.txt").body == "inside");
    for (const auto& [path] : attacks) {
        CAPTURE(path);
        const auto seen = c.get("/static/" + std::string(path));
        CHECK((seen.status == 404 || seen.status == 400));
        CHECK(seen.body.find("outside") == std::string::npos);
        CHECK(seen.body != "hidden");
    }
}

TEST_CASE("symbolic links must stay in the folder") {
    temporary_folder in;
    in.write("secret", "outside");
    in.write("public/real/a.txt", "inside");
    in.write("public/.env", "hidden");
    in.link("public/near.txt", "real/a.txt");
    in.link("public/near", "real");
    in.link("public/real/up.txt", "../real/a.txt");
    in.link("public/out.txt", "../secret");
    in.link("public/out", "..");
    in.link("public/absolute.txt", in.path("secret"));
    in.link("public/own.txt", in.path("public/real/a.txt"));
    in.link("public/loop", "loop");
    in.link("public/proc", "/proc/self/root");
    for (const bool follow : {true, false}) {
        CAPTURE(follow);
        apus::app app;
        app.mount(apus::files(in.path("public"), {.follow_links = follow}));
        client c(std::move(app));
        for (const std::string_view path : {"/near.txt", "/near/a.txt", "/real/up.txt"})
            CHECK_MESSAGE(c.get(path).status == (follow ? 200 : 404), path);
        for (const std::string_view path :
             {"/out.txt", "/out/secret", "/absolute.txt", "/own.txt", "/loop", "/proc/etc/passwd"})
            CHECK_MESSAGE(c.get(path).status == 404, path);
        CHECK(c.get("/real/a.txt").status == 200);
    }
}

TEST_CASE("special files are not served") {
    temporary_folder in;
    REQUIRE(mkfifo(in.path("pipe").c_str(), 0600) == 0);
    in.write(".hidden", "x");
    in.write(".well-known/x", "known");
    client c(site(in));
    CHECK(c.get("/static/pipe").status == 404);
    CHECK(c.get("/static/.hidden").status == 404);
    CHECK(c.get("/static/.well-known/x").body == "known");
    client shown(site(in, {.hidden = true}));
    CHECK(shown.get("/static/.hidden").body == "x");
    CHECK_THROWS_AS(apus::files(in.path("nowhere")), std::system_error);
    CHECK_THROWS_AS(apus::files(in.path(".hidden")), std::system_error);
}

TEST_CASE("the best available coding that the client accepts") {
    temporary_folder in;
    for (const std::string_view name : {"a.css", "a.css.br", "a.css.zst", "a.css.gz", "b.css", "b.css.gz", "c.css"})
        in.write(name, name);
    client c(site(in));
    struct row {
        std::string_view path, accepts, body, coding, vary;
    };
    constexpr row rows[] = {
        {"a.css", "br;q=1, gzip;q=0.8", "a.css.br", "br", "accept-encoding"},
        {"a.css", "gzip, br, zstd", "a.css.br", "br", "accept-encoding"},
        {"a.css", "gzip;q=0.9, br;q=0.8", "a.css.gz", "gzip", "accept-encoding"},
        {"a.css", "zstd", "a.css.zst", "zstd", "accept-encoding"},
        {"a.css", "*", "a.css.br", "br", "accept-encoding"},
        {"a.css", "*;q=0.5, br;q=0", "a.css.zst", "zstd", "accept-encoding"},
        {"a.css", "gzip;q=0", "a.css", "", "accept-encoding"},
        {"a.css", "identity, gzip;q=0.5", "a.css", "", "accept-encoding"},
        {"a.css", "identity;q=0, *;q=0", "a.css", "", "accept-encoding"},
        {"a.css", "deflate", "a.css", "", "accept-encoding"},
        {"a.css", "", "a.css", "", "accept-encoding"},
        {"b.css", "br, gzip;q=0.1", "b.css.gz", "gzip", "accept-encoding"},
        {"c.css", "br, gzip", "c.css", "", ""},
    };
    for (const auto& row : rows) {
        CAPTURE(row.path);
        CAPTURE(row.accepts);
        const auto seen = c.get("/static/" + std::string(row.path), {{"accept-encoding", row.accepts}});
        CHECK(seen.body == row.body);
        CHECK(seen.header("content-encoding") == row.coding);
        CHECK(seen.header("vary") == row.vary);
        CHECK(seen.header("content-type") == "text/css; charset=utf-8");
    }
    const std::string br(c.get("/static/a.css", {{"accept-encoding", "br"}}).header("etag"));
    const std::string gzip(c.get("/static/a.css", {{"accept-encoding", "gzip"}}).header("etag"));
    CHECK(br != gzip);
    const auto same = c.get("/static/a.css", {{"accept-encoding", "br"}, {"if-none-match", br}});
    CHECK(same.status == 304);
    CHECK(same.header("vary") == "accept-encoding");
    CHECK(same.header("content-encoding").empty());
    CHECK(c.get("/static/a.css", {{"accept-encoding", "gzip"}, {"if-none-match", br}}).status == 200);
    client plain(site(in, {.precompressed = false}));
    CHECK(plain.get("/static/a.css", {{"accept-encoding", "br"}}).body == "a.css");
    CHECK(plain.get("/static/a.css.br").body == "a.css.br");
}

TEST_CASE("Cache-Control of files") {
    temporary_folder in;
    struct row {
        std::string_view name;
        bool immutable;
    };
    constexpr row rows[] = {
        {"app.3f2a9c1b.js", true},
        {"app-3f2a9c1b.js", true},
        {"main.3f2a9c1b4d5e6f70.chunk.css", true},
        {"a-3f2a9c1b.min.js", true},
        {"assets/index-BkH3sd9Z.js", true},
        {"assets/deep/x.js", true},
        {"assetsx/x.js", false},
        {"app.js", false},
        {"jquery-3.6.0.min.js", false},
        {"photo-20240101.jpg", false},
        {"app.3F2A9C1B.js", false},
        {"app.3f2a9c1.js", false},
        {"deadbeef.js", false},
        {"3f2a9c1b.js", false},
        {"x-abcdefab.js", false},
        {"x.3f2a9c1b", false},
        {"report-version2.pdf", false},
        {"a.b.c.d.e", false},
    };
    for (const auto& row : rows) in.write(row.name, "x");
    client c(site(in, {.cache_control = "max-age=60", .immutable_folder = "assets"}));
    for (const auto& row : rows) {
        CAPTURE(row.name);
        const auto seen = c.get("/static/" + std::string(row.name));
        CHECK(seen.status == 200);
        CHECK(seen.header("cache-control") == (row.immutable ? "public, max-age=31536000, immutable" : "max-age=60"));
    }
}

TEST_CASE("replaced, modified and deleted files") {
    temporary_folder in;
    in.write("x.txt", "first");
    client c(site(in, {.revalidate = apus::milliseconds(0)}));
    const auto first = c.get("/static/x.txt");
    CHECK(first.body == "first");
    in.write("x.txt", "other");  // with the same size and modification time as before
    const auto other = c.get("/static/x.txt", {{"if-none-match", first.header("etag")}});
    CHECK(other.status == 200);
    CHECK(other.body == "other");
    in.write("x.txt", numbers(50'000));
    CHECK(c.get("/static/x.txt").body == numbers(50'000));
    in.write("x.txt.gz", "packed");
    CHECK(c.get("/static/x.txt", {{"accept-encoding", "gzip"}}).body == "packed");
    std::filesystem::remove(in.path("x.txt"));
    CHECK(c.get("/static/x.txt").status == 404);
    in.write("x.txt", "");
    CHECK(c.get("/static/x.txt").body.empty());
    CHECK(c.get("/static/x.txt").header("content-length") == "0");
    CHECK(c.get("/static/x.txt", {{"range", "bytes=0-"}}).status == 200);
}

TEST_CASE("within the check interval, the cache is used") {
    temporary_folder in;
    in.write("x.txt", "first");
    client c(site(in, {.revalidate = apus::seconds(3600)}));
    CHECK(c.get("/static/x.txt").body == "first");
    in.write("x.txt", "second");
    CHECK(c.get("/static/x.txt").body == "first");
}

TEST_CASE("middleware sees files like other responses") {
    temporary_folder in;
    in.write("small.txt", "small");
    in.write("large.txt", numbers(100'000));
    apus::app app;
    app.use([](apus::request& req, apus::next_handler next) -> apus::task<apus::response> {
        auto res = co_await next(req);
        res.header("x-content-type-options", "nosniff");
        if (req.query() == "shout") res.body("SMALL", "text/plain");
        co_return res;
    });
    app.mount("/static", apus::files(in.path()));
    client c(std::move(app));
    const auto small = c.get("/static/small.txt");
    CHECK(small.body == "small");
    CHECK(small.header("x-content-type-options") == "nosniff");
    CHECK(c.get("/static/large.txt").body == numbers(100'000));
    CHECK(c.get("/static/large.txt?shout").body == "SMALL");
    CHECK(c.get("/static/small.txt?shout").body == "SMALL");
}
