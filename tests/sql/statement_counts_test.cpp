// SPDX-License-Identifier: Apache-2.0
#include "sql/statement_counts.hpp"

#include "sql/failure.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <utility>

using namespace apus;
using sql::detail::end_of;
using sql::detail::statement_end;

TEST_CASE("the name of a database contains no secret, host or folder") {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {"postgres://user:secret@db.internal:5432/shop?sslmode=require", "shop"},
        {"postgresql:///shop?host=/run/postgresql", "shop"},
        {"postgres://user:secret@db.internal", "default"},
        {"postgres://user:secret@db.internal/", "default"},
        {"postgres:", "default"},
        {"sqlite:/var/lib/private/app.db", "app.db"},
        {"sqlite:app.db", "app.db"},
        {"sqlite::memory:", ":memory:"},
    };
    for (const auto& [url, name] : cases) CHECK(sql::name_in_metrics(url) == name);
}

TEST_CASE("failures of statements are distinguished") {
    CHECK(end_of(sql::make_error({.state = "57014", .message = "m"})) == statement_end::timeout);
    CHECK(end_of(sql::make_error({.state = "40001", .message = "m"})) == statement_end::conflict);
    CHECK(end_of(sql::make_error({.state = "40P01", .message = "m"})) == statement_end::conflict);
    CHECK(end_of(sql::make_error({.state = "23505", .message = "m"})) == statement_end::failed);
    CHECK(end_of(sql::too_busy("m")) == statement_end::unavailable);
    CHECK(end_of(sql::unreachable("m")) == statement_end::unavailable);
}
