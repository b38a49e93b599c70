// SPDX-License-Identifier: Apache-2.0
#include "postgres/database.hpp"
#include "postgres/result.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <libpq-fe.h>

// Executes the same statements by libpq and by Apus on one server, and compares the results.

using namespace apus;
using test::database;

namespace {

using connection_ptr = std::unique_ptr<PGconn, decltype(&PQfinish)>;

connection_ptr connect(const std::string& url) {
    connection_ptr c(PQconnectdb(url.c_str()), PQfinish);
    REQUIRE(PQstatus(c.get()) == CONNECTION_OK);
    PQsetNoticeProcessor(c.get(), [](void*, const char*) {}, nullptr);
    return c;
}

std::string named(std::string_view name, std::string_view type) {
    return std::string(name) + ' ' + std::string(type) + ',';
}

std::string by_libpq(PGconn* c, const std::string& sql) {
    const std::unique_ptr<PGresult, decltype(&PQclear)> r(
        PQexecParams(c, sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1), PQclear);
    const auto status = PQresultStatus(r.get());
    const auto fact = [&](int code) {
        const char* text = PQresultErrorField(r.get(), code);
        return std::string(text ? text : "");
    };
    if (status == PGRES_FATAL_ERROR) return "! " + fact(PG_DIAG_SQLSTATE) + " " + fact(PG_DIAG_CONSTRAINT_NAME);
    const std::string changed = PQcmdTuples(r.get());
    if (status != PGRES_TUPLES_OK) return (changed.empty() ? "0" : changed) + " changed";
    std::string all;
    const int columns = PQnfields(r.get());
    for (int n = 0; n < columns; ++n)
        all += named(PQfname(r.get(), n), postgres::name_of(static_cast<postgres::oid>(PQftype(r.get(), n))));
    postgres::decode_room room;
    for (int row = 0; row < PQntuples(r.get()); ++row)
        for (int n = 0; n < columns; ++n) {
            const std::string_view bytes(PQgetvalue(r.get(), row, n),
                                         static_cast<std::size_t>(PQgetlength(r.get(), row, n)));
            const auto type = static_cast<postgres::oid>(PQftype(r.get(), n));
            const auto found = postgres::decode(type, bytes, room);
            if (PQgetisnull(r.get(), row, n)) all += "null";
            else all += found ? database::shown(*found) : "invalid";
            all += n + 1 == columns ? ';' : '|';
        }
    return all;
}

std::string by_apus(database& db, const std::string& sql) {
    const auto got = db.run(db.engine->execute(db.statement(sql)));
    if (!got) {
        const sql::statement_failure* const why = sql::failure_of(got.error());
        return "! " + (why ? why->state + " " + why->constraint : std::string(got.error().cause()));
    }
    if (!got->found) return std::to_string(got->changed) + " changed";
    sql::rows& rows = *got->found;
    std::string all;
    for (unsigned n = 0; n < rows.columns(); ++n) all += named(rows.column_name(n), rows.column_type(n));
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (unsigned n = 0; n < rows.columns(); ++n) {
            try {
                all += database::shown(rows.cell(row, n));
            } catch (const std::runtime_error&) {
                all += "invalid";
            }
            all += n + 1 == rows.columns() ? ';' : '|';
        }
    return all;
}

std::string text_of(PGconn* c, const std::string& sql) {
    const std::unique_ptr<PGresult, decltype(&PQclear)> r(PQexec(c, sql.c_str()), PQclear);
    std::string all;
    for (int row = 0; row < PQntuples(r.get()); ++row) (all += PQgetvalue(r.get(), row, 0)) += '\n';
    return all;
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        all.push_back(text.substr(at, text.find('\n', at) - at));
    return all;
}

}  // namespace

TEST_CASE("results are equal to those of libpq, for all types of the server") {
    test::on_each_backend([](database& db) {
        const connection_ptr c = connect(db.url);
        const auto compare = [&](const std::string& sql) {
            CAPTURE(sql);
            CHECK(by_apus(db, sql) == by_libpq(c.get(), sql));
        };
        // Types whose values can be sent in binary format: null, then values that many of these types accept.
        const auto types = lines(text_of(c.get(),
                                         "select format_type(oid, null) from pg_type where typtype in ('b', 'r', 'm') "
                                         "and typsend <> 0 order by oid"));
        CHECK(types.size() > 150);
        for (const std::string& type : types) compare("select null::" + type + " as v");
        for (const std::string& type : types)
            for (const char* text : {"",
                                     "0",
                                     "1",
                                     "-7",
                                     "1.25",
                                     "t",
                                     "{}",
                                     "{1,NULL,2}",
                                     "{\"a\",\"b c\"}",
                                     "[1,2)",
                                     "2026-11-23 10:11:12.5+02",
                                     "10:11:12",
                                     "1 day 2 hours",
                                     "NaN",
                                     "infinity",
                                     "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                                     "{\"a\": [1, null]}",
                                     "(1,2)",
                                     "10.1.2.3/32",
                                     "08:00:2b:01:02:03",
                                     "<a>1</a>",
                                     "101",
                                     "\\x00ff",
                                     "'a' 'b'",
                                     "0/1"})
                compare("select '" + std::string(text[0] == '\'' ? "a b" : text) + "'::" + type + " as v");
    });
}

TEST_CASE("commands, errors and sizes are equal to those of libpq") {
    test::on_each_backend([](database& db) {
        const connection_ptr c = connect(db.url);
        std::string wide = "select 1 as c0", errors;
        for (int i = 1; i < 1600; ++i) wide += "," + std::to_string(i) + " as c" + std::to_string(i);
        for (const std::string& sql :
             {std::string("select 1 where false"),
              std::string("select"),
              std::string(),
              std::string("/* */"),
              wide,
              std::string("select from generate_series(1, 3)"),
              std::string("show server_version"),
              std::string("explain select 1"),
              std::string("values (1, 'a'), (2, null)"),
              std::string("(select 1) union all (select 2)"),
              std::string("table pg_am"),
              std::string("select n, repeat('x', n) from generate_series(0, 1000) n"),
              std::string("select repeat('x', 3000000)"),
              std::string("selec"),
              std::string("select 1/0"),
              std::string("select 1 / (n - 500) from generate_series(1, 1000) n"),
              std::string("select null::int4[]"),
              std::string("select 1; select 2"),
              std::string("do $$ begin raise notice 'n'; end $$"),
              std::string("do $$ begin raise exception 'e' using errcode = 'AP001', constraint = 'k'; end $$")})
            for (int i = 0; i < 2; ++i) {
                CAPTURE(sql);
                CHECK(by_apus(db, sql) == by_libpq(c.get(), sql));
            }
        // Executes each command twice, on two tables with the same contents.
        db.query("create table a (n int primary key, m int)");
        db.query("create table b (n int primary key, m int)");
        for (const char* sql :
             {"insert into @ select n, n from generate_series(1, 100) n", "update @ set m = 0 where n > 10",
              "delete from @ where n > 50", "insert into @ values (1, 1)", "insert into @ values (0, 0) returning n, m",
              "update @ set m = 1 returning m", "truncate @", "drop table @", "select * from @"}) {
            const auto with = [&](const char* name) {
                std::string text(sql);
                return text.replace(text.find('@'), 1, name);
            };
            CAPTURE(sql);
            const std::string one = by_apus(db, with("a"));
            std::string other = by_libpq(c.get(), with("b"));
            if (const auto at = other.find("b_pkey"); at != other.npos) other[at] = 'a';
            CHECK(one == other);
        }
    });
}
