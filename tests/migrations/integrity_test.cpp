// SPDX-License-Identifier: Apache-2.0
#include <apus/sql/migrations.hpp>
#include <apus/test/database.hpp>

#include <doctest/doctest.h>

#include <fstream>

TEST_CASE("check_sqlite reports damage, and rows that refer to missing rows") {
    apus::test::temporary_database made(std::span<const apus::sql::migration_file>{});
    made.run(
        "create table a (id integer primary key); create table b (a integer references a);"
        "create index of_b on b (a); "
        "insert into b with recursive n(v) as (select 1 union all select v + 1 from n where v < 2000) select v from n");
    const auto found = apus::sql::check_sqlite(made.url());
    REQUIRE(found.size() == 2000);
    CHECK(found.front() == "row 1 of `b` refers to a missing row of `a`");
    made.run("delete from b");
    CHECK(apus::sql::check_sqlite(made.url()).empty());
    made.run(
        "insert into a with recursive n(v) as (select 1 union all select v + 1 from n where v < 5000) select v from n");
    std::fstream file(made.url().substr(7), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(3 * 4096);
    file << std::string(8192, 'x');
    file.close();
    CHECK_FALSE(apus::sql::check_sqlite(made.url()).empty());
    CHECK_THROWS_AS((void)apus::sql::check_sqlite("sqlite:/none/none"), apus::sql::migration_error);
    CHECK_THROWS_AS((void)apus::sql::check_sqlite("postgres:///x"), apus::sql::migration_error);
}
