// SPDX-License-Identifier: Apache-2.0
#include "cli/system/files.hpp"

#include <atomic>
#include <thread>

#include <unistd.h>

#include <doctest/doctest.h>

#include "cli/errors/failure.hpp"
#include "cli/system/leftovers.hpp"

using namespace apus::cli;

TEST_CASE("files: replacing a folder is atomic, and moving into one keeps it") {
    const auto target = std::filesystem::temp_directory_path() / ("apus-files-" + std::to_string(getpid()));
    const auto renew = [&](bool into) {
        system::staged_folder made(target);
        system::write_file(made.path() / "a", "text");
        into ? made.commit_into("a") : made.commit();
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

TEST_CASE("files: leftovers of killed processes are removed, files in use are not") {
    const auto target = std::filesystem::temp_directory_path() / ("apus-left-" + std::to_string(getpid()));
    const auto beside = [&](const char* name) {
        return target.parent_path() / ("." + target.filename().string() + name);
    };
    system::make_folder(beside(".apus-1") / "deep");
    system::make_folder(beside("-other.apus-1"));
    {
        const system::staged_folder one(target), two(target);
        CHECK(one.path() != two.path());
        CHECK(system::fs::exists(one.path()));
        CHECK(system::fs::exists(two.path()));
    }
    CHECK(!system::fs::exists(beside(".apus-1")));
    CHECK(!system::fs::exists(beside("-other.apus-1")));
}

TEST_CASE("files: replacements are committed together or not at all") {
    const auto folder = std::filesystem::temp_directory_path() / ("apus-together-" + std::to_string(getpid()));
    system::replace_file(folder / "a", "before");
    {
        system::replacements never;
        never.add(folder / "a", "after");
        CHECK_FALSE(never.update(folder / "a", "before"));
        CHECK(never.update(folder / "deep/in/b", "new"));
        CHECK_THROWS_AS(never.add(folder / "a/c", "a file is not a folder"), errors::failure);
    }
    CHECK(system::read_file(folder / "a") == "before");
    CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
    system::replacements both;
    both.add(folder / "a", "after");
    both.add(folder / "deep/in/b", "new");
    both.commit();
    CHECK(system::read_file(folder / "a") == "after");
    CHECK(system::read_file(folder / "deep/in/b") == "new");
    CHECK_THROWS_AS(system::read_file(folder / "a", 4), errors::failure);
    system::remove_tree(folder);
}

TEST_CASE("files: leftovers are cleared unless locked") {
    const auto folder = std::filesystem::temp_directory_path() / ("apus-held-" + std::to_string(getpid()));
    for (const char* name : {".file.apus-1", ".file.apus-2-1", ".file.apus-x", "file.apus-1", ".apus-1"})
        system::write_file(folder / name, "");
    std::filesystem::create_symlink("nowhere", folder / (".link.apus-" + std::to_string(getppid())));
    const int held = system::hold(folder / ".file.apus-1");
    system::clear_leftovers(folder);
    CHECK(system::hold(folder / ".file.apus-1") < 0);
    CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 5);
    close(held);
    system::clear_leftovers(folder);
    CHECK_FALSE(std::filesystem::exists(folder / ".file.apus-1"));
    CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 4);
    system::remove_tree(folder);
}
