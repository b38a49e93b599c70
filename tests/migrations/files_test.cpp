// SPDX-License-Identifier: Apache-2.0
#include "migrations/files.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

using namespace apus::migrations;
using apus::sql::migration_error;
using apus::sql::migration_file;

namespace {

std::string refusal(std::vector<migration_file> files) {
    try {
        (void)arrange(files, "sqlite");
    } catch (const migration_error& why) {
        CHECK(why.why() == migration_error::reason::files);
        return why.what();
    }
    return "accepted";
}

struct scratch_folder {
    std::filesystem::path path;
    scratch_folder() : path(std::filesystem::temp_directory_path() / ("apus-files-" + std::to_string(getpid()))) {
        std::filesystem::create_directory(path);
    }
    ~scratch_folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("migrations: files by version, with overrides per engine") {
    const migration_file files[] = {{"0002_b.up.sql", "two"},
                                    {"0001_a.down.sql", "undo"},
                                    {"0001_a.up.sql", "\xef\xbb\xbfone\r\n"},
                                    {"0002_b.postgres.up.sql", "zwei"}};
    const auto lite = arrange(files, "sqlite"), server = arrange(files, "postgres");
    REQUIRE(lite.size() == 2);
    CHECK(lite[0].version == 1);
    CHECK(lite[0].name == "a");
    CHECK(lite[0].up.text == "one\n");
    CHECK(lite[0].down.text == "undo");
    CHECK(lite[1].up.text == "two");
    CHECK(lite[1].down.name.empty());
    CHECK(server[1].up.text == "zwei");
    CHECK(server[1].up.name == "0002_b.postgres.up.sql");
    // Editors may add or remove CRLF and byte order marks.
    const migration_file unix_file[] = {{"0001_a.up.sql", "one\n"}};
    CHECK(arrange(unix_file, "sqlite")[0].checksum == lite[0].checksum);
    CHECK(lite[0].checksum == "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806");
}

TEST_CASE("migrations: the first line says that a file does not run in a transaction") {
    const migration_file files[] = {{"1_a.up.sql", "-- apus: no transaction \nvacuum"}, {"2_b.up.sql", "--apus\nx"}};
    const auto made = arrange(files, "sqlite");
    CHECK(!made[0].up.in_transaction);
    CHECK(made[1].up.in_transaction);
    CHECK(refusal({{"1_a.up.sql", "-- apus: no transactions"}}) ==
          "migration file `1_a.up.sql:1`: unknown marker `-- apus: no transactions`");
}

TEST_CASE("migrations: invalid files are named") {
    CHECK(refusal({{"1_a.up.sql", ""}, {"3_c.up.sql", ""}}) ==
          "migration 2 is missing: `1_a.up.sql` is followed by `3_c.up.sql`");
    CHECK(refusal({{"1_a.up.sql", ""}, {"1_b.up.sql", ""}}) ==
          "two migrations have version 1: `1_a.up.sql` and `1_b.up.sql`");
    CHECK(refusal({{"1_a.up.sql", ""}, {"01_a.up.sql", ""}}) ==
          "two files are the same migration: `1_a.up.sql` and `01_a.up.sql`");
    CHECK(refusal({{"1_a.down.sql", ""}}) == "migration 1 (`1_a.down.sql`) has no .up.sql for sqlite");
    CHECK(refusal({{"1_a.postgres.up.sql", ""}}) == "migration 1 (`1_a.postgres.up.sql`) has no .up.sql for sqlite");
    CHECK(refusal({{"1_a.up.sql", std::string_view("a\nb\0c", 5)}}) == "migration file `1_a.up.sql:2` has a NUL byte");
    CHECK(refusal({{"1_a.up.sql", "a\n\nb\xff"}}) == "migration file `1_a.up.sql:3` is invalid UTF-8");
    const std::string large((std::size_t(16) << 20U) + 1, ' ');
    CHECK(refusal({{"1_a.up.sql", large}}) == "migration file `1_a.up.sql` is larger than 16 MiB");
    for (const std::string_view name :
         {"a.up.sql", "0_a.up.sql", "-1_a.up.sql", "99999999999999999999_a.up.sql", "1a.up.sql", "1_.up.sql", "1_a.sql",
          "1_a.up", "1_a b.up.sql", "1_a.oracle.up.sql", "1_a/b.up.sql", "1_\xff.up.sql", "1_\n.up.sql", ".up.sql", "",
          "1_a.sqlite.x.up.sql"})
        CHECK_MESSAGE(refusal({{name, ""}}).starts_with("migration file `"), name);
}

TEST_CASE("migrations: folders that also contain other files") {
    const scratch_folder scratch;
    const auto file = [&](const char* name) { return scratch.path / name; };
    const auto refused = [&] {
        try {
            (void)read_folder(scratch.path.string());
        } catch (const migration_error& why) {
            return std::string(why.what());
        }
        return std::string("accepted");
    };
    std::ofstream(file("1_a.up.sql")) << "one";
    std::ofstream(file("README.md")) << "no SQL";
    std::ofstream(file(".gitkeep")) << "";
    std::ofstream(file(".real.sql")) << "two";  // Kubernetes mounts files like this
    std::filesystem::create_symlink(".real.sql", file("2_b.up.sql"));
    REQUIRE(read_folder(scratch.path.string()).size() == 2);
    CHECK(read_folder(scratch.path.string())[1].text == "two");

    REQUIRE(mkfifo(file("3_c.up.sql").c_str(), 0600) == 0);
    CHECK(refused() == "`3_c.up.sql` in the migrations folder is not a regular file");
    std::filesystem::remove(file("3_c.up.sql"));
    std::filesystem::create_symlink("3_c.up.sql", file("3_c.up.sql"));
    CHECK(refused().starts_with("cannot read migration file `3_c.up.sql`: "));
    std::filesystem::remove(file("3_c.up.sql"));
    std::filesystem::create_symlink("/dev/zero", file("3_c.up.sql"));
    CHECK(refused() == "`3_c.up.sql` in the migrations folder is not a regular file");
    std::filesystem::remove(file("3_c.up.sql"));
    std::filesystem::create_directory(file("old"));
    CHECK(refused() == "migration file `old`: name does not end in .sql");
    std::filesystem::remove(file("old"));
    std::filesystem::resize_file(file("1_a.up.sql"), std::uintmax_t(1) << 40U);
    CHECK(refused() == "migration file `1_a.up.sql` is larger than 16 MiB");
}
