// SPDX-License-Identifier: Apache-2.0
#include "server/process_output.hpp"
#include "sql/each_engine.hpp"
#include "sql/plan.hpp"
#include "support/decoded_spans.hpp"

#include <apus/app.hpp>
#include <apus/log.hpp>
#include <apus/test.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace sql = apus::sql;
using apus::test::on_each_engine;
using apus::test::postgres;
using apus::test::result_of;
using apus::test::temporary_database;

namespace {

constexpr sql::migration_file files[] = {
    {"0001_a.up.sql", "create table author (id integer primary key, name text not null unique)"}};
// Takes more than a millisecond on any machine.
constexpr auto slow =
    "with recursive c (i) as (select $1 union all select i + 1 from c where i < 1000000) select count(*) from c";

constexpr auto slow_filter =
    "with recursive c (i) as (select cast($1 as bigint) union all select i + 1 from c where i < 1000000)"
    " select count(*) from c where cast(i as text) <> $2";

apus::error unprocessable(const sql::statement_failure&, apus::error) { return {422, "no"}; }

std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
    return count;
}

// Ends the process without running destructors of static objects, since one of them stops the server of other tests.
[[noreturn]] void end_child() {
    apus::log::flush(apus::seconds(60));
    std::_Exit(0);
}

}  // namespace

TEST_CASE("sql: a slow statement is logged with its request, and without values") {
    const std::string text = apus::test::said_by_process("logfmt,warn", [] {
        const sql::database db("sqlite::memory:", {.slow_statement = apus::milliseconds(1)});
        apus::app app;
        app.get("/count/{from}", [db](std::int64_t from) -> apus::task<std::string> {
            co_return std::to_string(co_await db.one<std::int64_t>(slow, from));
        });
        apus::test::client client(std::move(app));
        client.get("/count/-3041").expect(200);
        end_child();
    });
    CHECK(text.find("msg=\"slow statement\"") != text.npos);
    CHECK(text.find(" ms=") != text.npos);
    CHECK(text.find(" wait_ms=") != text.npos);
    CHECK(text.find(" rows=1 ") != text.npos);
    CHECK(text.find("with recursive c (i)") != text.npos);
    CHECK(text.find("method=GET route=/count/{from}") != text.npos);
    CHECK(text.find("3041") == text.npos);
}

TEST_CASE("sql: the plan of a slow statement is logged once, without values") {
    const auto plan_of = [](const std::string& url) {
        return apus::test::said_by_process("logfmt,warn", [&] {
            std::string why;
            apus::runtime::loop loop{apus::runtime::make_backend("", why)};
            const sql::database db(url, {.slow_statement = apus::milliseconds(1), .slow_statement_plan = true});
            for (int i = 0; i < 2; ++i) REQUIRE(result_of(db.one<std::int64_t>(slow_filter, 3041, "Tarantino")));
            while (sql::is_reading_plan()) loop.turn(10);
            end_child();
        });
    };
    const temporary_database file(files), server(postgres::shared(), files);
    for (const temporary_database* each : {&file, &server}) {
        CAPTURE(each->url());
        const std::string text = plan_of(each->url());
        CAPTURE(text);
        CHECK(count_of(text, "msg=\"slow statement\"") == 2);
        CHECK(count_of(text, "msg=\"plan of a slow statement\"") == 1);
        CHECK(text.find(each == &file ? "SCAN c" : "CTE Scan on c") != text.npos);
        CHECK(text.find("Tarantino") == text.npos);
        CHECK(text.find("3041") == text.npos);
    }
}

TEST_CASE("sql: on_statement gets each execution, without values") {
    static std::vector<std::string> seen;
    const auto note = [](const sql::executed_statement& s) noexcept {
        CHECK(s.took.nanoseconds() >= 0);
        CHECK(s.took.nanoseconds() < apus::seconds(60).nanoseconds());
        const auto* facts = s.why ? sql::failure_of(*s.why) : nullptr;
        seen.push_back(std::string(s.text.substr(0, 22)) + " " + std::to_string(s.rows) + " " +
                       (s.cancelled ? "cancelled"
                        : s.why     ? std::to_string(s.why->status()) + " " + (facts ? facts->state : "")
                                    : "ok"));
        CHECK((s.engine == "sqlite" || s.engine == "postgres"));
    };
    on_each_engine(files, [&](const std::string& url) {
        seen.clear();
        const sql::database db(url, {.on_statement = note, .map_error = unprocessable});
        REQUIRE(result_of(db.run("insert into author (id, name) values (1, 'Ada')")));
        CHECK_FALSE(result_of(db.run("insert into author (id, name) values (2, 'Ada')")));
        REQUIRE(result_of(db.all<std::int64_t>("select id from author")));
        CHECK_FALSE(result_of(db.transaction([](sql::transaction& t) -> apus::task<> {
            co_await t.run("update author set name = $1", "Bob");
            co_await apus::fail(409, "no");
        })));
        REQUIRE(result_of(db.transaction([](sql::transaction& t) { return t.notify("a", "b"); })));
        { const apus::test::running_task<std::int64_t> left(db.one<std::int64_t>(slow_filter, 1, "Ada")); }
        CHECK(seen == std::vector<std::string>{"insert into author (id 1 ok", "insert into author (id 0 422 23505",
                                               "select id from author 1 ok", "begin 0 ok",
                                               "update author set name 1 ok", "rollback 0 ok", "begin 0 ok",
                                               "notify 0 ok", "commit 0 ok", "with recursive c (i) a 0 cancelled"});
    });
}

TEST_CASE("sql: statements of a recorded request have spans, without values") {
    apus::tracing::recorder by({});
    const sql::database db("sqlite::memory:");
    apus::app app;
    app.get("/", [db]() -> apus::task<std::string> {
        co_await db.run("create table author (name text not null unique)");
        co_await db.run("insert into author (name) values ($1)", "Ada");
        (void)co_await db.run("insert into author (name) values ($1)", "Ada").outcome();
        (void)co_await db.transaction([](sql::transaction& t) { return t.run("select 1"); }).outcome();
        co_return "";
    });
    apus::test::client client(std::move(app));
    client.get("/").expect(200);
    auto spans = apus::test::ended_spans(by);
    std::string names;
    for (auto& one : spans) {
        names += one.name + " ";
        CHECK(one.parent == (&one == &spans.back() ? "" : spans.back().id));
        for (const auto& [key, text] : one.attributes) CHECK(text.find("Ada") == text.npos);
        CHECK(one.why.empty());
    }
    CHECK(names == "create insert insert begin select commit GET / ");
    REQUIRE(spans.size() == 7);
    CHECK(spans[1].kind == 3);
    CHECK(spans[1].attributes["db.system.name"] == "sqlite");
    CHECK(spans[1].attributes["db.query.text"] == "insert into author (name) values ($1)");
    CHECK(spans[1].attributes["db.response.returned_rows"] == "1");
    CHECK(!spans[1].failed);
    CHECK(spans[2].failed);
    CHECK(spans[2].attributes["error.type"] == "23505");
}

TEST_CASE("sql: statements are not logged by default") {
    CHECK(apus::test::said_by_process("logfmt,warn", [] {
              std::string why;
              apus::runtime::loop loop{apus::runtime::make_backend("", why)};
              const sql::database db("sqlite::memory:");
              REQUIRE(result_of(db.one<std::int64_t>(slow, 1)));
              end_child();
          }) == "");
}
