// SPDX-License-Identifier: Apache-2.0
// Parts of `apus dev` that can be tested without a running program: accepted hosts, watched files, and suppressed
// reloads.
#include <doctest/doctest.h>

#include <chrono>
#include <set>
#include <string>
#include <string_view>

#include "codec/http1/host.hpp"
#include "cli/dev/head.hpp"
#include "cli/dev/reload_guard.hpp"
#include "cli/dev/watched_files.hpp"

using namespace apus::cli::dev;
using namespace std::chrono_literals;

namespace {

std::string host_in(std::string_view target, std::string_view field) {
    return host_of("GET " + std::string(target) + " HTTP/1.1\r\nAccept: */*\r\nHost: " + std::string(field) +
                   "\r\n\r\n");
}

}  // namespace

TEST_CASE("apus dev: hosts of requests, and local hosts") {
    struct {
        std::string_view target, field, host;
        bool local;
    } const rows[] = {
        {"/", "localhost:8080", "localhost", true},
        {"/", "LOCALHOST.", "localhost", true},
        {"/", "shop.localhost:1", "shop.localhost", true},
        {"/", "127.0.0.1:8080", "127.0.0.1", true},
        {"/", "192.168.1.20", "192.168.1.20", true},
        {"/", "[::1]:8080", "[::1]", true},
        {"/", "[fe80::1]", "[fe80::1]", true},
        {"/", "evil.example", "evil.example", false},
        {"/", "evil.example:8080", "evil.example", false},
        {"/", "localhost.evil.example", "localhost.evil.example", false},
        {"/", "notlocalhost", "notlocalhost", false},
        {"/", "127.0.0.1.evil.example", "127.0.0.1.evil.example", false},
        {"/", "127.0.0.1.", "127.0.0.1", true},
        {"/", "0x7f.1", "0x7f.1", false},
        {"/", "[evil.example]", "[evil.example]", false},
        {"/", "[::1", "[::1", false},
        {"/", "", "", false},
        {"/a://b", "localhost", "localhost", true},
        {"http://evil.example/__apus/events", "localhost", "evil.example", false},
        {"http://EVIL.example:80?x", "localhost", "evil.example", false},
        {"http://localhost/", "evil.example", "localhost", true},
    };
    for (const auto& row : rows) {
        CAPTURE(row.target);
        CAPTURE(row.field);
        CHECK(host_in(row.target, row.field) == row.host);
        CHECK(apus::codec::http1::is_local_host(row.host) == row.local);
    }
    CHECK(host_of("GET / HTTP/1.0\r\n\r\n") == "");
}

TEST_CASE("apus dev: watched files") {
    const watched_files serving(watch_purpose::serving, {"."}, {"notes.css", "public/*.map", "*.gen.hpp"});
    for (std::string_view file :
         {"src/app.cpp", "src/query.txt", "src/data.json", "main.cpp", "style.css", "pages/index.html",
          "pages/about.txt", "public/logo.svg", "public/robots.txt", "apus.toml", "apus.lock", "CMakeLists.txt",
          "src/CMakeLists.txt", "cmake/x", "modules/shop/src/core.cpp", "core.cpp", "schema.sql", "docs/a.html"}) {
        CAPTURE(file);
        CHECK(serving.counts(file));
    }
    // clang-format off
    for (std::string_view file : {
        "visits.txt", "shop.db", "shop.db-wal", "shop.db-journal", "data/shop.sqlite3", "src/shop.sqlite3-shm",
        "server.log", "public/access.log", "run.pid", "state.json", "uploads/1.bin", "README.md", "core",
        ".hidden.cpp", "src/.app.cpp.swp", "a.cpp~", "compile_commands.json", "notes.css", "src/notes.css",
        "public/app.map", "src/x.gen.hpp"
    }) {
        CAPTURE(file);
        CHECK(!serving.counts(file));
    }
    // clang-format on
    for (std::string_view folder : {"src", "public", "data", "modules/shop", "src/dist"})
        CHECK_MESSAGE(serving.watches_folder(folder), folder);
    for (std::string_view folder : {"build", "dist", "tests", "modules/shop/tests", ".apus", ".git"})
        CHECK_MESSAGE(!serving.watches_folder(folder), folder);

    const watched_files testing(watch_purpose::testing, {"."}, {});
    CHECK((testing.watches_folder("tests") && testing.counts("tests/app_test.cpp") &&
           testing.counts("tests/data/answer.txt") && !testing.watches_folder("dist")));
    const watched_files named(watch_purpose::serving, {"src", "locales/", "./texts", "tests"},
                              {"cache", "texts/generated"});
    CHECK((named.counts("locales/en.json") && named.counts("texts/a/b.txt") && named.watches_folder("tests") &&
           !named.counts("locales/x.db")));
    CHECK((!named.watches_folder("locales/cache") && !named.watches_folder("texts/generated")));
}

TEST_CASE("apus dev: files written on each request are detected, edited ones are not") {
    reload_guard guard;
    auto now = reload_guard::clock::time_point() + 1h;
    const auto edit = [&](std::set<std::string> paths, auto asked_ago) {
        return guard.changed(paths, now - asked_ago, now);
    };
    // After each reload, the page sends a request 20 ms later, which writes the file after another 10 ms.
    for (int i = 1; i < reload_guard::most; ++i, now += 30ms) {
        const auto seen = edit({"public/visits.txt"}, 10ms);
        CHECK((seen.reloads && seen.written.empty()));
    }
    const auto last = edit({"public/visits.txt"}, 10ms);
    CHECK((!last.reloads && last.written == std::set<std::string>{"public/visits.txt"}));
    now += 30ms;
    const auto both = edit({"public/visits.txt", "public/style.css"}, 10ms);
    CHECK((both.reloads && both.written == std::set<std::string>{"public/visits.txt"}));

    guard = {};
    for (int i = 0; i < 20; ++i, now += 2s) {  // a file that the user saves every two seconds while the page is open
        const auto seen = edit({"public/style.css"}, 1900ms);
        CHECK((seen.reloads && seen.written.empty()));
    }
    for (int i = 0; i < 20; ++i, now += 20ms) {  // checking out a branch while no page is open
        const auto seen = edit({"public/style.css"}, 1h);
        CHECK((seen.reloads && seen.written.empty()));
    }
}
