// SPDX-License-Identifier: Apache-2.0
#include "testing/child_process.hpp"
#include "testing/memory_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

TEST_CASE("child processes give their output and status, and are killed when they take too long") {
    const std::string folder = apus::testing::make_memory_folder("apus-child", 0), log = folder + "/log";
    const apus::testing::identity self{geteuid(), getegid()};
    {
        apus::testing::child_process child({"/bin/sh", "-c", "echo said; exit 7"}, self, log);
        CHECK(child.wait(std::chrono::seconds(30)));
        CHECK(child.status() == 7);
        std::string line;
        std::getline(std::ifstream(log), line);
        CHECK(line == "said");
        apus::testing::child_process waits({"/bin/sleep", "600"}, self, log);
        CHECK_FALSE(waits.wait(std::chrono::milliseconds(1)));
    }
    std::filesystem::remove_all(folder);
}
