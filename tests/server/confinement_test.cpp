// SPDX-License-Identifier: Apache-2.0
#include "server/confinement.hpp"

#include "base/temporary_folder.hpp"

#include <apus/tls.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace apus;
using server::plan_of_sandbox;

namespace {

// Returns the rights that the plan grants on a path: "read ", "read? " if the path is optional, "" without a right.
std::string use_of(const sandbox::plan& p, const std::string& path) {
    std::string all;
    for (const auto& one : p.paths) {
        if (one.name != path) continue;
        constexpr const char* names[] = {"read", "write", "execute", "temporary", "remove", "replace"};
        all += std::string(names[static_cast<int>(one.how)]) + (one.optional ? "? " : " ");
    }
    return all;
}

}  // namespace

TEST_CASE("sandbox: the plan has what the options name, and what the library needs") {
    serve_options o;
    o.listen = {"unix:/run/app/socket,http/1.1", "127.0.0.1:80"};
    o.admin = "unix:/run/app-admin/socket";
    o.pid_file = "/run/app-pid/file";
    o.crash_folder = "/var/crashes";
    o.sandbox = {.mode = sandbox_mode::required,
                 .read = {"/srv/public"},
                 .write = {"/var/lib/app"},
                 .allow_exec = {"/usr/bin/convert"},
                 .connect = {5432},
                 .connect_unix = true};
    const auto p = plan_of_sandbox(o);
    CHECK(use_of(p, "/srv/public") == "read ");
    CHECK(use_of(p, "/var/lib/app") == "write ");
    CHECK(use_of(p, "/usr/bin/convert") == "execute ");
    CHECK(use_of(p, "/lib64/ld-linux-x86-64.so.2") == "execute? ");
    CHECK(use_of(p, "/run/app") == "remove? ");
    CHECK(use_of(p, "/run/app-admin") == "remove? ");
    CHECK(use_of(p, "/run/app-pid") == "replace? ");
    CHECK(use_of(p, "/var/crashes") == "temporary ");
    CHECK(use_of(p, "/proc/self/exe") == "read? ");
    CHECK(use_of(p, "/etc/resolv.conf") == "read? ");
    CHECK(use_of(p, "/proc/self") == "read? ");
    CHECK(use_of(p, "/dev/null") == "temporary? ");
    for (const char* path : {"/", "/etc", "/etc/passwd", "/etc/shadow", "/proc", "/home", "/dev"})
        CHECK(use_of(p, path).empty());
    CHECK(p.ports == std::vector<std::uint16_t>{5432});
    CHECK((p.unix_streams && p.programs && p.complete && !p.other_processes));
    const auto few = plan_of_sandbox({});
    CHECK(!(few.unix_streams || few.programs || few.complete || few.other_processes));
    CHECK(use_of(few, "/lib64/ld-linux-x86-64.so.2").empty());
    CHECK(use_of(few, base::temporary_folder()).starts_with("temporary? "));
}

TEST_CASE("sandbox: the folders of certificates and reloaded files are readable, also those of link targets") {
    struct handler final : server::reload_handler {
        void reload() noexcept override {}
        std::vector<std::string> files_read() const override { return {"settings.toml"}; }
        std::string shown() const override { return {}; }
    } on_reload;
    namespace fs = std::filesystem;
    const fs::path root = fs::temp_directory_path() / ("apus-confinement-" + std::to_string(getpid()));
    fs::create_directories(root / "live");
    fs::create_directories(root / "archive");
    std::ofstream(root / "archive/cert1.pem") << "1";
    fs::create_symlink("../archive/cert1.pem", root / "live/cert.pem");
    serve_options o;
    o.tls = server_tls({.certificates = {{(root / "live/cert.pem").string(), "/etc/app/key.pem"}}});
    const auto p = plan_of_sandbox(o, &on_reload);
    CHECK(use_of(p, (root / "live").string()) == "read? ");
    CHECK(use_of(p, fs::canonical(root / "archive").string()) == "read? ");
    CHECK(use_of(p, "/etc/app") == "read? ");
    CHECK(use_of(p, ".") == "read? ");
    fs::remove_all(root);
}

TEST_CASE("sandbox: without the option, nothing is prepared and nothing is entered") {
    const serve_options o;
    server::confinement off(o, nullptr);
    CHECK(off.prepare());
    CHECK(off.enter());
    CHECK(access("/etc/passwd", R_OK) == 0);
}
