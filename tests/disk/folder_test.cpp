// SPDX-License-Identifier: Apache-2.0
#include "disk/folder.hpp"

#include "disk/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cerrno>

using namespace apus::disk;

namespace {

// Loads a file as a folder's handler does, but on the same thread.
loaded found(folder& in, const std::string& path, std::uint64_t now) {
    loaded at_once = in.look(path, now);
    if (at_once.error != EAGAIN) return at_once;
    loaded read = in.loading(path)();
    in.keep(path, read, now);
    return read;
}

}  // namespace

TEST_CASE("a bounded number of recently used files stays open") {
    apus::test::temporary_folder in;
    for (const std::string_view name : {"a", "b", "c"}) in.write(name, name);
    folder f(in.path(), {.revalidate = apus::seconds(3600), .open_files = 2});
    const auto* a = found(f, "a", 1).file.get();
    (void)found(f, "b", 2);
    CHECK(found(f, "a", 3).file.get() == a);
    (void)found(f, "c", 4);
    CHECK(f.open_files() == 2);
    CHECK(found(f, "a", 5).file.get() == a);
    CHECK(found(f, "nothing", 6).error == ENOENT);
    CHECK(f.open_files() == 2);
}

TEST_CASE("unused and deleted files are closed") {
    apus::test::temporary_folder in;
    for (const std::string_view name : {"a", "b"}) in.write(name, name);
    folder f(in.path(), {});
    (void)found(f, "a", 1'000);
    (void)found(f, "b", 70'000);
    CHECK(f.open_files() == 1);
    std::filesystem::remove(in.path("b"));
    CHECK(found(f, "b", 70'500).file);
    CHECK(found(f, "b", 71'000).error == ENOENT);
    CHECK(f.open_files() == 0);
}

TEST_CASE("an unchanged file is not reopened") {
    apus::test::temporary_folder in;
    in.write("a", "a");
    in.write("large", std::string(50'000, 'x'));
    const held_file none;
    const opened first = open_below(AT_FDCWD, in.path("large"), links::inside, patience::enough, none);
    REQUIRE(first.file);
    CHECK(!first.file->settled);
    CHECK(first.file->etag.starts_with("W/\"c350-"));
    const opened small = open_below(AT_FDCWD, in.path("a"), links::inside, patience::enough, none);
    REQUIRE(small.file);
    CHECK(small.file->in_memory);
    CHECK(small.file->etag.starts_with('"'));
    // A recently modified file is read again, since another change might not alter its timestamp.
    CHECK(open_below(AT_FDCWD, in.path("a"), links::inside, patience::enough, small.file).file.get() !=
          small.file.get());
    CHECK(open_below(AT_FDCWD, "/proc/version", links::inside, patience::enough, none).file);
    CHECK(open_below(AT_FDCWD, in.path(), links::inside, patience::enough, none).directory);
    CHECK(open_below(AT_FDCWD, in.path("x"), links::inside, patience::enough, none).error == ENOENT);
}
