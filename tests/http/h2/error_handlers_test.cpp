// SPDX-License-Identifier: Apache-2.0
#include "http/h2/app.hpp"
#include "http/shaped_app.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::test;

TEST_CASE("on_error creates the error responses of HTTP/2, also for requests that no app has received") {
    h2::client c(shaped_app());
    c.greet();
    const auto seen = [&](std::uint32_t stream) {
        const auto& s = c.of(stream);
        return std::string(s.field(":status")) + ' ' + s.body;
    };
    c.send(h2::get(1, "/nowhere?q") + h2::get(3, "/in/nowhere") + h2::head(5, "HEAD", "/in/nowhere") +
           h2::get(7, "/in/late") + h2::get(9, "/in/never") + h2::get(11, "/in/invalid") + h2::get(13, "/in/upgrade") +
           h2::get(15, "/in/pieces"));
    CHECK(seen(1) == "404 outer 404 /nowhereqa0\n");
    CHECK(seen(3) == "404 inner 404 /in/nowherea0\n");
    CHECK(seen(5) == "404 ");
    CHECK(seen(7) == "409 inner 409 /in/latea0\n");
    CHECK(seen(9) == "503 inner 503 /in/nevera0\n");
    CHECK(seen(11) == "500 inner 500 /in/invalida0\n");
    CHECK(seen(13) == "426 inner 426 /in/upgradea0\n");
    CHECK(seen(15) == "200 one two\n");
    c.send(h2::head(17, "POST", "/in/echo", h2::end_headers, {{"content-length", "11"}}));
    CHECK(seen(17) == "413 inner 413 /in/echoa0\n");
    c.send(h2::head(19, "POST", "/in/echo", h2::end_headers) + h2::data(19, "12345678901"));
    CHECK(seen(19) == "413 inner 413 /in/echoa0\n");
    c.send(h2::get(21, "/in/a#b"));
    CHECK(seen(21) == "400 outer 400 0\n");
}
