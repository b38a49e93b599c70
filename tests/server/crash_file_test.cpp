// SPDX-License-Identifier: Apache-2.0
#include "server/crash_file.hpp"

#include "codec/crash/report.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

using namespace apus;
namespace fs = std::filesystem;

namespace {

struct folder {
    folder() {
        char name[] = "/tmp/apus-crash-XXXXXX";
        path = mkdtemp(name);
        fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    ~folder() {
        close(fd);
        fs::remove_all(path);
    }

    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
    }

    fs::path path;
    int fd;
};

}  // namespace

TEST_CASE("a crash file has complete lines, for its owner only") {
    const folder in;
    {
        server::crash_file file(in.fd, "shop", 1795788000);
        file.add("signal", {"SIGSEGV", server::number_text(255, 16)});
        file.add("exception", {"a\nb", std::string(10'000, 'x')});
        CHECK(server::crash_file(in.fd, "shop", 1795788000).open() == false);  // an existing file is kept
    }
    const fs::path path = in.path / ("shop-1795788000-" + std::to_string(getpid()) + ".crash");
    CHECK((fs::status(path).permissions() & fs::perms::all) == (fs::perms::owner_read | fs::perms::owner_write));
    std::ifstream from(path);
    std::string line;
    std::getline(from, line);
    CHECK(line == codec::crash::first_line);
    std::getline(from, line);
    CHECK(line == "signal\tSIGSEGV\tff");
    std::getline(from, line);
    CHECK(line.starts_with("exception\ta%0ab\txxx"));
    CHECK(line.size() <= codec::crash::max_line);
    CHECK(codec::crash::parse(line));
    std::getline(from, line);
    CHECK(line == "end");
}

TEST_CASE("without a folder, nothing is written") {
    server::crash_file file(-1, "shop", 1);
    file.add("signal", {"SIGSEGV"});
    CHECK_FALSE(file.open());
}

TEST_CASE("the oldest reports of a program are removed") {
    const folder in;
    for (int i = 0; i < 60; ++i) std::ofstream(in.path / ("shop-17957880" + std::to_string(10 + i) + "-7.crash"));
    for (const char* other : {"shop-admin-1795788000-7.crash", "shop-notes.txt", "other-1-7.crash"})
        std::ofstream(in.path / other);
    server::remove_old_reports(in.fd, "shop");
    CHECK(in.files() == 53);
    CHECK_FALSE(fs::exists(in.path / "shop-1795788019-7.crash"));
    CHECK(fs::exists(in.path / "shop-1795788020-7.crash"));
    CHECK(fs::exists(in.path / "shop-admin-1795788000-7.crash"));
}
