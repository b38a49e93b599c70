// SPDX-License-Identifier: Apache-2.0
#include "server/pid_file.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include <unistd.h>

using apus::server::pid_file;

namespace {

std::string content(const std::string& path) {
    std::string text;
    std::getline(std::ifstream(path), text);
    return text;
}

}  // namespace

TEST_CASE("PID files are replaced, and removed by the process that wrote them") {
    const std::string path = "/tmp/apus-pid-" + std::to_string(getpid()), mine = std::to_string(getpid());
    {
        pid_file file(path);
        std::ofstream(path) << "7\n";
        REQUIRE(file.write());
        CHECK(content(path) == mine);
    }
    CHECK(access(path.c_str(), F_OK) != 0);
    {
        pid_file file(path);
        REQUIRE(file.write());
        std::ofstream(path) << "7\n";
    }
    CHECK(content(path) == "7");
    unlink(path.c_str());
    CHECK(pid_file("/nowhere/pid").write().error() ==
          "cannot write the PID file /nowhere/pid: No such file or directory");
    CHECK(pid_file("").write());
    CHECK(pid_file("").publish());
    const std::string prepared = path + "." + mine;
    {
        pid_file file(path);
        REQUIRE(file.prepare());
        CHECK(content(prepared) == mine);
        CHECK(access(path.c_str(), F_OK) != 0);
    }
    CHECK(access(prepared.c_str(), F_OK) != 0);
    std::ofstream(prepared) << mine;
    pid_file(path).discard_prepared_by(getpid());
    CHECK(access(prepared.c_str(), F_OK) != 0);
}
