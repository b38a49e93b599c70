// SPDX-License-Identifier: Apache-2.0
#include "http/selection.hpp"

#include "support/direct.hpp"

#include <doctest/doctest.h>

using apus::codec::fields::verdict;

TEST_CASE("fields of a request that select a representation") {
    apus::app app;
    app.get("/", [] { return ""; });
    apus::support::direct to(std::move(app));
    to.send(
        "GET /\nIf-Match: \"a\"\nIF-MATCH: \"b\"\nif-match: \"c\"\nrange: bytes=0-1\nrange: bytes=5-6\nif-range: x\n"
        "accept-encoding: gzip\naccept-encoding: br\nif-modified-since: then\nif-unmodified-since: "
        "later\nif-none-match:\nif-matchx: 1");
    const apus::http::selection seen(to.exchange());
    CHECK(seen.conditions.if_match == R"("a", "b", "c")");
    CHECK(seen.conditions.if_none_match.empty());
    CHECK(seen.conditions.if_none_match.data() != nullptr);
    CHECK(seen.conditions.if_modified_since == "then");
    CHECK(seen.conditions.if_unmodified_since == "later");
    CHECK(seen.conditions.if_range == "x");
    CHECK(seen.range == "bytes=0-1");
    CHECK(seen.accept_encoding == "gzip, br");
}

TEST_CASE("absent fields have null data") {
    apus::app app;
    app.get("/", [] { return ""; });
    apus::support::direct to(std::move(app));
    to.send("GET /");
    const apus::http::selection seen(to.exchange());
    CHECK(seen.conditions.if_match.data() == nullptr);
    CHECK(seen.range.data() == nullptr);
    CHECK(seen.accept_encoding.data() == nullptr);
    CHECK(apus::http::unmet(verdict::not_modified).status() == 304);
    CHECK(apus::http::unmet(verdict::precondition_failed).status() == 412);
}
