// SPDX-License-Identifier: Apache-2.0
#include "migrations/script.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::migrations;

namespace {

std::string split(std::string_view script, dialect of) {
    std::string made;
    for (const auto& [text, line] : split_script(script, of))
        made += std::to_string(line) + ":" + std::string(text) + "|";
    return made;
}

}  // namespace

TEST_CASE("migrations: scripts are split at the semicolons that end statements") {
    struct row {
        std::string_view script, both;
    };
    const row rows[] = {
        {"", ""},
        {" ;;\n; -- none", ""},
        {"select 1", "1:select 1|"},
        {"select 1; select 2;", "1:select 1|1:select 2|"},
        {"-- a;\n/* b;\n */ select ';' ; \n\nselect \";\"", "3:select ';' |5:select \";\"|"},
        {"select 'it''s;' -- c;\n;select 2", "1:select 'it''s;' -- c;\n|2:select 2|"},
        {"create rule r as on insert to t do (delete from a; delete from b); x",
         "1:create rule r as on insert to t do (delete from a; delete from b)|1:x|"},
        {"select 'open; select 2", "1:select 'open; select 2|"},
        {"/* open; select 2", ""},
        {"select case when 1 then 2 end; select 3", "1:select case when 1 then 2 end|1:select 3|"},
    };
    for (const auto& [script, both] : rows) {
        CAPTURE(script);
        CHECK(split(script, dialect::sqlite) == both);
        CHECK(split(script, dialect::postgres) == both);
    }
}

TEST_CASE("migrations: SQLite's names and triggers") {
    CHECK(split("select [a;b], `c;d`; x", dialect::sqlite) == "1:select [a;b], `c;d`|1:x|");
    CHECK(split("create temp trigger t after insert on n begin\n update n set a = case when 1 then 2 end; select 1; "
                "end;\nx",
                dialect::sqlite) ==
          "1:create temp trigger t after insert on n begin\n update n set a = case when 1 then 2 end; select 1; "
          "end|3:x|");
    CHECK(split("/* a /* b */ x; */ y", dialect::sqlite) == "1:x|1:*/ y|");
}

TEST_CASE("migrations: PostgreSQL's texts and functions") {
    CHECK(split("do $$ begin; end $$; x", dialect::postgres) == "1:do $$ begin; end $$|1:x|");
    CHECK(split("select $a$ ; $$ ; $a$, $1; x", dialect::postgres) == "1:select $a$ ; $$ ; $a$, $1|1:x|");
    CHECK(split("select E'a\\';'; x", dialect::postgres) == "1:select E'a\\';'|1:x|");
    CHECK(split("/* a /* b; */ c; */ y", dialect::postgres) == "1:y|");
    CHECK(split("create or replace function f() returns int begin atomic select 1; select 2; end; x",
                dialect::postgres) ==
          "1:create or replace function f() returns int begin atomic select 1; select 2; end|1:x|");
}

TEST_CASE("migrations: statements that begin or end a transaction") {
    for (const std::string_view each :
         {"begin", "BEGIN immediate", "commit", "End", "rollback", "abort", "start transaction"})
        CHECK_MESSAGE(controls_transaction(each), each);
    for (const std::string_view each : {"", "select 1", "beginning", "rollback to a", "savepoint a", "release a"})
        CHECK_MESSAGE(!controls_transaction(each), each);
}
