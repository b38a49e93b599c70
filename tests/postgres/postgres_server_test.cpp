// SPDX-License-Identifier: Apache-2.0
#include "support/postgres_server.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <sys/shm.h>

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

namespace {

/// Returns the identifier of the server's shared memory, which its file postmaster.pid names in line 7, after the key.
int shared_memory_of(const postgres_server& server) {
    std::ifstream in(server.folder() + "/data/postmaster.pid");
    for (int line = 1; line < 7; ++line) in.ignore(4096, '\n');
    unsigned long key = 0;
    int identifier = -1;
    in >> key >> identifier;
    return identifier;
}

bool exists(int shared_memory) {
    shmid_ds state{};
    return ::shmctl(shared_memory, IPC_STAT, &state) == 0;
}

}  // namespace

TEST_CASE("the tests' PostgreSQL leaves no shared memory, of which the system has a limited number") {
    int killed = -1, destroyed = -1;
    {
        postgres_server server;
        killed = shared_memory_of(server);
        REQUIRE(exists(killed));
        server.kill();
        CHECK_FALSE(exists(killed));
        server.start();
        destroyed = shared_memory_of(server);
        REQUIRE(exists(destroyed));
    }
    CHECK_FALSE(exists(destroyed));
}

TEST_CASE("a database of the tests' PostgreSQL is a copy of another one") {
    auto& server = postgres_server::shared();
    const auto name_in = [](const std::string& url) { return url.substr(url.rfind('/') + 1); };
    const std::string first = name_in(server.make_database());
    server.run("create table t as select generate_series(1, 3) n", first);
    CHECK(server.run("select sum(n) from t", name_in(server.make_database(first))) == "6");
}
