// SPDX-License-Identifier: Apache-2.0
#include "sql/statement_list.hpp"

#include <apus/secret.hpp>
#include <apus/sql/table.hpp>

#include <chrono>
#include <map>
#include <stdexcept>

#include <doctest/doctest.h>

namespace {

namespace sql = apus::sql;

enum class level {
    low,
    high
};

struct listed_row {
    std::int64_t id;
    std::optional<double> price;
    std::vector<unsigned char> picture;
    std::vector<std::optional<std::string>> tags;
    std::vector<std::map<std::string, int>> options;
    std::chrono::sys_seconds at;
    level rank;
    apus::secret<std::string> key;
    bool open;
};

struct two_values {
    std::string name;
    unsigned short count;
};

// Variables, since the tests are not compiled with -fmerge-all-constants.
[[gnu::used]] constexpr sql::detail::statement_of<listed_row, two_values, std::nullopt_t, char[2]> statement(
    "select '\"' as \"listed\", $1, $2, $3, $4", "dir/a.cpp", 7);
[[gnu::used]] constexpr sql::detail::statement_of<void> unread("delete from listed", "b.cpp", 8);
[[gnu::used]] constexpr sql::detail::statement_of<int> single("select count(*) from listed", "b.cpp", 9);
[[gnu::used]] constexpr sql::detail::table_name<two_values> table("listed", "b.cpp", 10);

std::string line_of(std::string_view place) {
    const std::string all = sql::list_statements();
    const std::size_t begin = all.find("{\"file\":" + std::string(place));
    std::string line = begin == all.npos ? "missing" : all.substr(begin, all.find('\n', begin) - begin);
    if (line.ends_with(',')) line.pop_back();
    return line;
}

}  // namespace

TEST_CASE("statement list: place, text, parameters and fields") {
    CHECK(line_of("\"dir/a.cpp\",\"line\":7,") ==
          R"({"file":"dir/a.cpp","line":7,"table":false,"text":"select '\"' as \"listed\", $1, $2, $3, $4",)"
          R"("parameters":[{"name":"name","type":"text","optional":false},)"
          R"({"name":"count","type":"integer","optional":false},{"name":"","type":"NULL","optional":true},)"
          R"({"name":"","type":"text","optional":false}],"reads":true,"row":"listed_row","fields":[)"
          R"({"name":"id","type":"integer","optional":false},{"name":"price","type":"number","optional":true},)"
          R"({"name":"picture","type":"bytes","optional":false},)"
          R"({"name":"tags","type":"list of text","optional":false},)"
          R"({"name":"options","type":"json","optional":false},{"name":"at","type":"time","optional":false},)"
          R"({"name":"rank","type":"enumeration","optional":false},{"name":"key","type":"text","optional":false},)"
          R"({"name":"open","type":"boolean","optional":false}]})");
}

TEST_CASE("statement list: statements without rows, single values, tables") {
    CHECK(line_of("\"b.cpp\",\"line\":8,") ==
          R"({"file":"b.cpp","line":8,"table":false,"text":"delete from listed","parameters":[],)"
          R"("reads":false,"row":"","fields":[]})");
    CHECK(line_of("\"b.cpp\",\"line\":9,") ==
          R"({"file":"b.cpp","line":9,"table":false,"text":"select count(*) from listed","parameters":[],)"
          R"("reads":true,"row":"","fields":[{"name":"","type":"integer","optional":false}]})");
    CHECK(line_of("\"b.cpp\",\"line\":10,") ==
          R"({"file":"b.cpp","line":10,"table":true,"text":"listed","parameters":[],"reads":true,)"
          R"("row":"two_values","fields":[{"name":"name","type":"text","optional":false},)"
          R"({"name":"count","type":"integer","optional":false}]})");
}

TEST_CASE("statement list: special columns of the tables that the app makes") {
    const auto make_app = [](const void* of) {
        const auto& db = *static_cast<const sql::database*>(of);
        const sql::table<two_values> plain(db, "plain");
        const sql::table<two_values> special(
            db, sql::detail::table_name<two_values>("special", "c.cpp", 11),
            {.key = "name", .version = "version", .deleted = "deleted_at", .updated = "updated_at"});
        const sql::table<two_values> other(db, sql::detail::table_name<two_values>("other", "c.cpp", 12),
                                           {.key = "name"});
    };
    const sql::database db("sqlite::memory:");
    const std::string all = sql::list_statements(make_app, &db);
    CHECK(all.find(R"({"file":"c.cpp","line":11,"table":false,)"
                   R"("text":"select \"name\", \"version\", \"deleted_at\", \"updated_at\" from \"special\"",)"
                   R"("parameters":[],"reads":true,"row":"table_options","fields":[)"
                   R"({"name":"version","type":"integer","optional":false},)"
                   R"({"name":"deleted_at","type":"time","optional":true},)"
                   R"({"name":"updated_at","type":"time","optional":true}]})") != all.npos);
    CHECK(all.find(R"("text":"select \"name\" from \"other\"","parameters":[],"reads":false,"row":"","fields":[]})") !=
          all.npos);
    CHECK(all.find("from \\\"plain") == all.npos);
    const auto fails = [](const void*) { throw std::runtime_error("no database"); };
    CHECK(sql::list_statements(fails, nullptr) == sql::list_statements());
}
