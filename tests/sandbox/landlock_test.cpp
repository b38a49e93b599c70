// SPDX-License-Identifier: Apache-2.0
#include "sandbox/landlock.hpp"

#include "sandbox/inside.hpp"
#include "support/skipped.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace apus::sandbox;
using apus::test::result_inside;
namespace fs = std::filesystem;

namespace {

// A folder with a file `file` in each of the folders `in` and `out`.
struct two_folders {
    std::string root;

    two_folders() {
        char name[] = "/var/tmp/apus-landlock-XXXXXX";
        root = mkdtemp(name);
        for (const char* one : {"/in", "/out"}) {
            fs::create_directory(root + one);
            close(open((root + one + "/file").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
        }
    }
    two_folders(const two_folders&) = delete;
    two_folders& operator=(const two_folders&) = delete;
    ~two_folders() { fs::remove_all(root); }
};

int opened(const std::string& path, int flags) {
    const int fd = open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (fd < 0) return errno;
    close(fd);
    return 0;
}

int error_of(int result) { return result < 0 ? errno : 0; }

struct use {
    const char* name;
    int (*run)(const std::string& folder);
};

const use uses[] = {
    {"read", [](const std::string& at) { return opened(at + "/file", O_RDONLY); }},
    {"list", [](const std::string& at) { return opened(at, O_RDONLY | O_DIRECTORY); }},
    {"write", [](const std::string& at) { return opened(at + "/file", O_WRONLY); }},
    {"truncate", [](const std::string& at) { return error_of(truncate((at + "/file").c_str(), 0)); }},
    {"create", [](const std::string& at) { return opened(at + "/new", O_WRONLY | O_CREAT | O_EXCL); }},
    {"temporary", [](const std::string& at) { return opened(at, O_TMPFILE | O_RDWR); }},
    {"folder", [](const std::string& at) { return error_of(mkdir((at + "/folder").c_str(), 0700)); }},
    {"link", [](const std::string& at) { return error_of(symlink("file", (at + "/link").c_str())); }},
    {"rename", [](const std::string& at) { return error_of(rename((at + "/file").c_str(), (at + "/2").c_str())); }},
    {"remove", [](const std::string& at) { return error_of(unlink((at + "/file").c_str())); }},
};

struct right_case {
    rights allowed;
    std::string possible;  // names of uses
};

const right_case right_cases[] = {
    {rights::read, " read list "},
    {rights::write, " read list write truncate create temporary folder link rename remove "},
    {rights::execute, " read list "},
    {rights::temporary, " read write truncate create temporary rename remove "},
    {rights::remove, " read remove "},
    {rights::replace, " read rename remove "},
};

int connect_to(std::uint16_t port) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return error_of(connect(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at));
}

bool is_missing() {
    if (landlock::version() > 0) return false;
    apus::support::skip("the kernel has no Landlock");
    return true;
}

}  // namespace

TEST_CASE("sandbox: a rule grants its rights on its folder, and none on other folders") {
    if (is_missing()) return;
    for (const auto& c : right_cases) {
        for (const use& u : uses) {
            INFO(c.possible, u.name);
            const two_folders at;
            for (const char* folder : {"/in", "/out"}) {
                const bool expected =
                    folder == std::string("/in") && c.possible.contains(" " + std::string(u.name) + " ");
                CHECK(result_inside([&] {
                          landlock rules(landlock::version());
                          if (!rules.allow(at.root + "/in", c.allowed)) return 101;
                          if (rules.restrict_thread() != 0) return 102;
                          return u.run(at.root + folder);
                      }) == (expected ? 0 : EACCES));
            }
        }
    }
}

TEST_CASE("sandbox: a rule about a single file has only rights that apply to files") {
    if (is_missing()) return;
    const two_folders at;
    CHECK(result_inside([&] {
              landlock rules(landlock::version());
              if (!rules.allow(at.root + "/in/file", rights::write)) return 101;
              if (rules.restrict_thread() != 0) return 102;
              return uses[2].run(at.root + "/in") == 0 && uses[4].run(at.root + "/in") == EACCES ? 0 : 1;
          }) == 0);
}

TEST_CASE("sandbox: rules are made for older versions too") {
    for (int version = 1; version <= landlock::version(); ++version) {
        INFO(version);
        const two_folders at;
        CHECK(result_inside([&] {
                  landlock rules(version);
                  if (!rules.allow(at.root + "/in", rights::write) || !rules.allow_connect(1)) return 101;
                  if (rules.restrict_thread() != 0) return 102;
                  if (uses[0].run(at.root + "/in") != 0 || uses[0].run(at.root + "/out") != EACCES) return 103;
                  if (uses[3].run(at.root + "/out") != (version < 3 ? 0 : EACCES)) return 104;
                  // No process listens at these ports.
                  if (connect_to(1) != ECONNREFUSED) return 105;
                  return connect_to(2) == (version < 4 ? ECONNREFUSED : EACCES) ? 0 : 106;
              }) == 0);
    }
}

TEST_CASE("sandbox: a path that does not exist is an error with its name, unless it is optional") {
    if (is_missing()) return;
    landlock rules(landlock::version());
    const auto added = rules.allow("/no/such/file", rights::read);
    REQUIRE(!added);
    CHECK(added.error() == "sandbox: cannot allow `/no/such/file`: No such file or directory");
    CHECK(!rules.allow_existing("/no/such/file", rights::read));
    CHECK(rules.allow_existing("/proc/self", rights::read));
}
