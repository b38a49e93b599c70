// SPDX-License-Identifier: Apache-2.0
#include "middleware/compressible.hpp"

#include <doctest/doctest.h>

using apus::middleware::compressible;

TEST_CASE("compressible media types") {
    for (auto type : {"text/plain; charset=utf-8", "text/html", "TEXT/CSS", "text/event-stream", "application/json",
                      "Application/JSON;charset=utf-8", "application/problem+json", "application/atom+xml",
                      "image/svg+xml", "application/javascript", "application/wasm", "application/xml", "font/ttf",
                      "image/bmp", "application/x-ndjson \t; a=b"})
        CHECK(compressible(type));
}

TEST_CASE("incompressible and invalid media types") {
    for (auto type : {"", "text/", "text", "image/png", "image/jpeg", "image/webp", "video/mp4", "application/zip",
                      "application/octet-stream", "font/woff2", "application/jsonx", "+json", "multipart/form-data",
                      "application/pdf"})
        CHECK_FALSE(compressible(type));
}
