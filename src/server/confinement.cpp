// SPDX-License-Identifier: Apache-2.0
#include "server/confinement.hpp"

#include "base/temporary_folder.hpp"
#include "runtime/security.hpp"
#include "server/restart_parent.hpp"

#include <apus/log.hpp>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace apus::server {
namespace {

namespace fs = std::filesystem;
using sandbox::rights;

// In this order: dynamic linker and libraries (the C library, OpenSSL and libpq load plugins on first use); CA
// certificates; configuration of name resolution; time zones; statistics of the process and of the machine; the
// program, whose symbols profiles and crash reports need; random numbers. Opening /dev/tty shows whether the terminal
// was closed.
constexpr const char* readable[] = {"/etc/ld.so.cache",
                                    "/lib",
                                    "/lib64",
                                    "/usr/lib",
                                    "/usr/lib64",
                                    "/usr/local/lib",
                                    "/etc/ssl/openssl.cnf",
                                    "/etc/ssl/certs",
                                    "/usr/share/ca-certificates",
                                    "/usr/local/share/ca-certificates",
                                    "/etc/resolv.conf",
                                    "/etc/hosts",
                                    "/etc/nsswitch.conf",
                                    "/etc/host.conf",
                                    "/etc/gai.conf",
                                    "/etc/services",
                                    "/etc/localtime",
                                    "/usr/share/zoneinfo",
                                    "/proc/self",
                                    "/proc/self/exe",
                                    "/proc/stat",
                                    "/proc/meminfo",
                                    "/proc/sys/kernel/random",
                                    "/sys/devices/system/cpu",
                                    "/dev/urandom",
                                    "/dev/random",
                                    "/dev/tty"};
constexpr const char* writable[] = {"/dev/null", "/dev/zero", "/dev/full"};
constexpr const char* loaders[] = {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"};

std::string folder_of(const fs::path& file) {
    const fs::path folder = file.parent_path();
    return folder.empty() ? "." : folder.string();
}

// Grants the right on the file's folder, and on the folder of the symbolic link's current target. A right on the file
// itself would be lost when the file is replaced by rename(2) or when the link is changed.
void allow_folder(sandbox::plan& to, const std::string& file, rights how) {
    std::error_code ignored;
    to.paths.push_back({folder_of(file), how, true});
    const fs::path target = fs::canonical(file, ignored);
    if (!target.empty()) to.paths.push_back({folder_of(target), how, true});
}

void allow_environment(sandbox::plan& to, const char* variable) {
    if (const char* const value = std::getenv(variable)) to.paths.push_back({value, rights::read, true});
}

void allow_listeners(sandbox::plan& to, const serve_options& o) {
    constexpr std::string_view prefix = "unix:";
    const auto allow = [&](const std::string& where) {
        const std::size_t at = where.find(prefix);
        if (at != where.npos) allow_folder(to, where.substr(at + prefix.size()), rights::remove);
    };
    for (const auto& where : o.listen) allow(where.substr(0, where.find(',')));
    for (const auto& where : o.listen_proxied) allow(where.substr(0, where.find(',')));
    allow(o.admin);
}

void allow_names(sandbox::plan& to) {
    // systemd-resolved, resolvconf and NetworkManager link /etc/resolv.conf to a file in their own folder, and replace
    // that file by rename(2).
    std::error_code ignored;
    const fs::path resolver = fs::canonical("/etc/resolv.conf", ignored);
    if (!resolver.empty() && resolver.parent_path() != "/etc")
        to.paths.push_back({folder_of(resolver), rights::read, true});
}

}  // namespace

sandbox::plan plan_of_sandbox(const serve_options& o, const reload_handler* on_reload) {
    sandbox::plan p;
    for (const auto& path : o.sandbox.read) p.paths.push_back({path, rights::read});
    for (const auto& path : o.sandbox.write) p.paths.push_back({path, rights::write});
    for (const auto& path : o.sandbox.allow_exec) p.paths.push_back({path, rights::execute});
    for (const char* path : readable) p.paths.push_back({path, rights::read, true});
    for (const char* path : writable) p.paths.push_back({path, rights::temporary, true});
    if (!o.sandbox.allow_exec.empty())
        for (const char* path : loaders) p.paths.push_back({path, rights::execute, true});
    for (const char* variable : {"SSL_CERT_FILE", "SSL_CERT_DIR", "CREDENTIALS_DIRECTORY"})
        allow_environment(p, variable);
    allow_names(p);
    std::error_code ignored;
    // The second folder is that of libraries. Both are TMPDIR if it is set.
    for (const auto& folder : {base::temporary_folder(), fs::temp_directory_path(ignored).string()})
        p.paths.push_back({folder, rights::temporary, true});
    if (o.tls)
        for (const auto& file : o.tls->files_read()) allow_folder(p, file, rights::read);
    if (on_reload)
        for (const auto& file : on_reload->files_read()) allow_folder(p, file, rights::read);
    if (!o.pid_file.empty()) allow_folder(p, o.pid_file, rights::replace);
    if (!o.crash_folder.empty()) p.paths.push_back({o.crash_folder, rights::temporary});
    allow_listeners(p, o);
    p.ports = o.sandbox.connect;
    p.unix_streams = o.sandbox.connect_unix;
    p.programs = !o.sandbox.allow_exec.empty();
    p.other_processes = restart_parent::needed();
    p.complete = o.sandbox.mode == sandbox_mode::required;
    return p;
}

std::expected<void, std::string> confinement::prepare() try {
    if (options_.sandbox.mode != sandbox_mode::off)
        sandbox_ = std::make_unique<sandbox::prepared_sandbox>(plan_of_sandbox(options_, on_reload_));
    return {};
} catch (const std::runtime_error& e) {
    return std::unexpected(e.what());
}

std::expected<void, std::string> confinement::enter() const {
    if (!sandbox_) return {};
    const auto entered = sandbox_->enter();
    if (!entered) return std::unexpected(entered.error());
    for (const auto& part : entered->missing) log::warn("the sandbox is incomplete", {"missing", part});
    log::info("sandbox", {"landlock", entered->landlock}, {"seccomp", entered->filter});
    return {};
}

}  // namespace apus::server
