// SPDX-License-Identifier: Apache-2.0
#include "cli/system/files.hpp"

#include <atomic>
#include <thread>

#include <unistd.h>

#include <doctest/doctest.h>

#include "cli/errors/failure.hpp"

using namespace apus::cli;

TEST_CASE("files: a folder that is replaced is never absent, and one that is moved into is not replaced") {
    const auto target = std::filesystem::temp_directory_path() / ("apus-files-" + std::to_string(getpid()));
    const auto renew = [&](bool into) {
        system::folder_in_the_making made(target);
        system::write_file(made.path() / "a", "text");
        into ? made.commit_into() : made.commit();
    };
    renew(false);
    std::atomic<bool> ends = false;
    std::atomic<int> absent = 0;
    std::thread looks([&] {
        while (!ends) absent += access(target.c_str(), F_OK) != 0;
    });
    for (int i = 0; i < 300; ++i) renew(false);
    ends = true;
    looks.join();
    CHECK(absent == 0);
    CHECK_THROWS_AS(renew(true), errors::failure);
    CHECK(system::read_file(target / "a") == "text");
    system::remove_tree(target);
}

TEST_CASE("files: what a killed process left in the making is removed, and what a living one makes is not") {
    const auto target = std::filesystem::temp_directory_path() / ("apus-left-" + std::to_string(getpid()));
    const auto beside = [&](const char* name) { return target.parent_path() / ("." + target.filename().string() + name); };
    system::make_folder(beside(".apus-1") / "deep");
    system::make_folder(beside("-other.apus-1"));
    {
        const system::folder_in_the_making one(target), two(target);
        CHECK(one.path() != two.path());
        CHECK(system::fs::exists(one.path()));
        CHECK(system::fs::exists(two.path()));
    }
    CHECK(!system::fs::exists(beside(".apus-1")));
    CHECK(system::fs::exists(beside("-other.apus-1")));
    system::remove_tree(beside("-other.apus-1"));
}
