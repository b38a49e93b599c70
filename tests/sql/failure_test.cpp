// SPDX-License-Identifier: Apache-2.0
#include "sql/failure.hpp"

#include "sql/engine.hpp"

#include <doctest/doctest.h>

using apus::sql::make_error;

TEST_CASE("sql: a SQLSTATE decides the status of the error") {
    const struct {
        const char* state;
        int status;
    } cases[] = {{"23505", 409}, {"23503", 409}, {"23P01", 409}, {"23514", 422}, {"22001", 422},
                 {"40001", 503}, {"40P01", 503}, {"57014", 504}, {"57P01", 503}, {"08006", 503},
                 {"53100", 503}, {"42601", 500}, {"23502", 500}, {"", 500}};
    for (const auto& c : cases) {
        CAPTURE(c.state);
        const auto why = make_error({.state = c.state, .message = "no", .constraint = "k", .statement = "select 1"});
        CHECK(why.status() == c.status);
        CHECK(apus::sql::state_of(why).substr(0, 5).starts_with(c.state));
        CHECK(why.detail().find("select") == std::string::npos);
        CHECK(why.cause().find("constraint k: no; statement: select 1") != std::string_view::npos);
    }
    CHECK(apus::sql::is_serialization_failure(make_error({.state = "40001", .message = ""})));
    CHECK(!apus::sql::is_serialization_failure(apus::error(503, "else")));
}

TEST_CASE("sql: a mapped error has the facts and the cause of the database's error") {
    const auto to_422 = [](const apus::sql::statement_failure&, apus::error) { return apus::error(422, "no"); };
    const auto conflict = apus::sql::mapped(make_error({.state = "40001", .message = "busy"}), to_422);
    CHECK(conflict.status() == 422);
    CHECK(apus::sql::is_serialization_failure(conflict));
    CHECK(conflict.cause() == "SQLSTATE 40001: busy");
    const auto own = apus::sql::mapped(make_error({.state = "40001", .message = "busy"}),
                                       [](const apus::sql::statement_failure& what, apus::error) {
                                           return apus::error(409, "no").cause("own " + what.state);
                                       });
    CHECK(own.cause() == "own 40001");
    CHECK(apus::sql::mapped(apus::error(404, "none"), to_422).status() == 404);
    CHECK(apus::sql::mapped(make_error({.state = "23505", .message = ""}), nullptr).status() == 409);
    CHECK(apus::sql::failure_of(apus::sql::unreachable("no"))->is_unavailable());
    CHECK(apus::sql::failure_of(apus::sql::too_busy("no"))->is_unavailable());
}
