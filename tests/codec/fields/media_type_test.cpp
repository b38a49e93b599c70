// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/media_type.hpp"

#include <doctest/doctest.h>

TEST_CASE("media types by the last extension of a name") {
    struct row {
        std::string_view name;
        std::string_view type;
    };
    constexpr row rows[] = {
        {"index.html", "text/html; charset=utf-8"},
        {"INDEX.HTM", "text/html; charset=utf-8"},
        {"app.3f2a9c1b.js", "text/javascript; charset=utf-8"},
        {"a.mjs", "text/javascript; charset=utf-8"},
        {"logo.svg", "image/svg+xml; charset=utf-8"},
        {"data.json", "application/json"},
        {"site.webmanifest", "application/manifest+json"},
        {"regular.woff2", "font/woff2"},
        {"hero.webp", "image/webp"},
        {"x.tar.gz", "application/gzip"},
        {"a.aac", "audio/aac"},
        {"b.zst", "application/zstd"},
        {"README", "application/octet-stream"},
        {"", "application/octet-stream"},
        {".", "application/octet-stream"},
        {"name.", "application/octet-stream"},
        {"name.unknown", "application/octet-stream"},
        {"name.webmanifestx", "application/octet-stream"},
        {"name.htmlhtmlhtmlhtml", "application/octet-stream"},
        {"html", "application/octet-stream"},
        {"caf\xc3\xa9.txt", "text/plain; charset=utf-8"},
    };
    for (const auto& [name, type] : rows) {
        CAPTURE(name);
        CHECK(apus::codec::fields::media_type_of(name) == type);
    }
}
