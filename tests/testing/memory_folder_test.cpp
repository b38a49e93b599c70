// SPDX-License-Identifier: Apache-2.0
#include "testing/memory_folder.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>

namespace fs = std::filesystem;

TEST_CASE("folders for tests are in memory if it has room, and closed to others") {
    for (const std::uint64_t room : {std::uint64_t(0), UINT64_MAX}) {
        const fs::path made = apus::testing::make_memory_folder("apus-x", room);
        CHECK(fs::status(made).permissions() == fs::perms::owner_all);
        CHECK(made.filename().string().starts_with("apus-x-"));
        if (room == UINT64_MAX) CHECK(made.parent_path() == fs::temp_directory_path());
        fs::remove(made);
    }
}
