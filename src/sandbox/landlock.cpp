// SPDX-License-Identifier: Apache-2.0
#include "sandbox/landlock.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace apus::sandbox {
namespace {

// Definitions that the headers of Linux 6.1 do not have.
constexpr std::uint64_t truncate_files = 1U << 14;  // version 3
constexpr std::uint64_t bind_tcp = 1U << 0, connect_tcp = 1U << 1;
constexpr int rule_of_port = 2;
struct all_rights {
    std::uint64_t files;
    std::uint64_t ports;  // version 4
};
struct port_rights {
    std::uint64_t allowed;
    std::uint64_t port;
};

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t making_files = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_files |
                                       LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
// The creation of device files is never allowed.
constexpr std::uint64_t writing = reading | making_files | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                  LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                                  LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_REFER;
constexpr std::uint64_t of_single_files =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | truncate_files;

std::uint64_t rights_of(rights a) {
    switch (a) {
        case rights::read: return reading;
        case rights::write: return writing;
        case rights::execute: return reading | LANDLOCK_ACCESS_FS_EXECUTE;
        case rights::temporary: return making_files;
        case rights::remove: return LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE;
        case rights::replace:
            return LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG;
    }
    return 0;
}

std::uint64_t rights_known(int version) {
    constexpr std::uint64_t first = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
    if (version == 1) return first;
    return version == 2 ? first | LANDLOCK_ACCESS_FS_REFER : first | LANDLOCK_ACCESS_FS_REFER | truncate_files;
}

}  // namespace

int landlock::version() noexcept {
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? static_cast<int>(version) : 0;
}

landlock::landlock(int version) : version_(version) {
    const all_rights handled{rights_known(version), bind_tcp | connect_tcp};
    const std::size_t size = version < 4 ? sizeof handled.files : sizeof handled;
    rules_ = static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, size, 0));
    if (rules_ < 0) throw std::runtime_error(std::string("Landlock has no rules: ") + std::strerror(errno));
}

landlock::~landlock() { close(rules_); }

// Returns 0 or an errno.
int landlock::add(const std::string& path, rights wanted, bool keep_open) {
    const int fd = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (fd < 0) return errno;
    struct stat found{};
    fstat(fd, &found);
    const std::uint64_t possible =
        rights_known(version_) & (S_ISDIR(found.st_mode) ? ~std::uint64_t{0} : of_single_files);
    landlock_path_beneath_attr rule{};
    rule.allowed_access = rights_of(wanted) & possible;
    rule.parent_fd = fd;
    const bool added = syscall(SYS_landlock_add_rule, rules_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    const int error = added ? 0 : errno;
    if (!keep_open || error) close(fd);
    return error;
}

std::expected<void, std::string> landlock::allow(const std::string& path, rights wanted) {
    if (const int error = add(path, wanted, false))
        return std::unexpected("sandbox: cannot allow `" + path + "`: " + std::strerror(error));
    return {};
}

// A rule applies to an inode. The kernel may free the inode of a file in /proc and create another, unless a descriptor
// refers to it; so the descriptor stays open until the process ends.
bool landlock::allow_existing(const std::string& path, rights wanted) {
    return add(path, wanted, path.starts_with("/proc/")) == 0;
}

std::expected<void, std::string> landlock::allow_connect(std::uint16_t port) {
    if (version_ < 4) return {};
    const port_rights rule{connect_tcp, port};
    if (syscall(SYS_landlock_add_rule, rules_, rule_of_port, &rule, 0) == 0) return {};
    return std::unexpected("sandbox: cannot allow port " + std::to_string(port) + ": " + std::strerror(errno));
}

int landlock::restrict_thread() const noexcept {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return syscall(SYS_landlock_restrict_self, rules_, 0) == 0 ? 0 : errno;
}

}  // namespace apus::sandbox
