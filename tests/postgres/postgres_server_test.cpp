// SPDX-License-Identifier: Apache-2.0
#include "support/postgres_server.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>

using apus::support::postgres_server;

TEST_CASE("the tests' PostgreSQL runs statements, and keeps committed changes when it is killed") {
    std::string folder;
    {
        postgres_server server;
        folder = server.folder();
        CHECK(server.run("select 1 + 1, null, 'x'") == "2||x");
        CHECK_THROWS_WITH_AS(server.run("select none"), doctest::Contains("none"), std::runtime_error);
        server.run("create table kept (n int); insert into kept values (7)");
        const std::string url = server.make_database();
        CHECK(url.ends_with("/test1"));
        server.kill();
        server.start();
        CHECK(server.run("select n from kept") == "7");
        CHECK(server.run("select current_database()", "test1") == "test1");
    }
    CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("a database of the tests' PostgreSQL is a copy of another one") {
    auto& server = postgres_server::shared();
    const auto name_in = [](const std::string& url) { return url.substr(url.rfind('/') + 1); };
    const std::string first = name_in(server.make_database());
    server.run("create table t as select generate_series(1, 3) n", first);
    CHECK(server.run("select sum(n) from t", name_in(server.make_database(first))) == "6");
}
