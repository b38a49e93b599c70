// SPDX-License-Identifier: Apache-2.0
#include "configuration/file_text.hpp"

#include "configuration/subject.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

using namespace apus::configuration;

TEST_CASE("files are read up to a limit") {
    const test::temporary_file file("12345");
    CHECK(**read_file(file.path(), 5) == "12345");
    CHECK(read_file(file.path(), 4).error() == file.path() + ": is larger than 4 bytes");
    file.replace("");
    CHECK((**read_file(file.path(), 5)).empty());
    CHECK(!*read_file(file.path() + "x", 5));
    CHECK(!(**read_file("/proc/self/status", 1 << 16)).empty());  // has the size 0
}

TEST_CASE("files that are not regular are rejected without blocking") {
    const test::temporary_file file("x");
    const std::string fifo = file.path() + ".fifo";
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    CHECK(read_file(fifo, 5).error() == fifo + ": is not a regular file");
    unlink(fifo.c_str());
    CHECK(read_file("/tmp", 5).error() == "/tmp: is a directory, not a file");
    CHECK(read_file("/dev/zero", 5).error() == "/dev/zero: is not a regular file");
    CHECK(read_file(file.path() + "/x", 5).error() == file.path() + "/x: Not a directory");
    CHECK(!read_file(std::string("a\0b", 3), 5));
}

TEST_CASE("secrets end before a newline, and messages show only paths") {
    const struct {
        std::string_view text, secret;
    } cases[] = {{"a b", "a b"}, {"a\n", "a"}, {"a\r\n", "a"}, {"a\n\n", "a\n"}, {"", ""}, {"\n", ""}};
    for (const auto& [text, secret] : cases) {
        const test::temporary_file file(text);
        CHECK(*read_secret_file(file.path()) == secret);
    }
    CHECK(read_secret_file("/nonexistent").error() == "/nonexistent: No such file or directory");
    CHECK(read_secret_file("hunter2").error() == "the file: No such file or directory");
    CHECK(read_secret_file("/tmp").error() == "/tmp: is a directory, not a file");
    const test::temporary_file large(std::string(max_secret_size + 1, 'x'));
    CHECK(read_secret_file(large.path()).error() == large.path() + ": is larger than 65536 bytes");
}
