// SPDX-License-Identifier: Apache-2.0
#include "http/origin.hpp"

#include <doctest/doctest.h>

using apus::http::is_origin;

TEST_CASE("origins as browsers send them") {
    for (auto good : {"https://a", "https://app.example", "http://localhost:5173", "http://127.0.0.1",
                      "http://[::1]:8080", "http://[::1]", "https://a-b.example:8443", "chrome-extension://abcdef",
                      "https://xn--bcher-kva.example", "http://a:443"}) {
        CAPTURE(good);
        CHECK(is_origin(good));
    }
    for (auto bad : {"",
                     "null",
                     "*",
                     "app.example",
                     "https://",
                     "https:///",
                     "https://app.example/",
                     "https://app.example/x",
                     "https://App.example",
                     "HTTPS://app.example",
                     "https://app.example:443",
                     "http://a:80",
                     "http://a:",
                     "http://a:08",
                     "http://a:123456",
                     "http://a:x",
                     "https://*.example",
                     "https://u@a",
                     "http://[",
                     "http://[]",
                     "http://[::1",
                     "http://[::1]x",
                     "https://a b",
                     "://a",
                     "https://b\xc3\xbc.example"}) {
        CAPTURE(bad);
        CHECK_FALSE(is_origin(bad));
    }
}
