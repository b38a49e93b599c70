// SPDX-License-Identifier: Apache-2.0
#include "forms/disk_calls.hpp"

#include "runtime/file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

namespace apus::forms {
namespace {

std::unexpected<error> failed(int why, const char* what) {
    const bool no_room = why == ENOSPC || why == EDQUOT || why == EFBIG;
    return std::unexpected(error(no_room ? 507 : 500, no_room ? "no space left for the file" : what));
}

// Returns an unpredictable name in the folder of `path`.
std::string temporary_name(const std::string& path) {
    std::uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != sizeof random) random = static_cast<std::uint64_t>(getpid());
    char digits[32];
    std::snprintf(digits, sizeof digits, ".apus-%016llx", static_cast<unsigned long long>(random));
    const auto slash = path.rfind('/');
    return path.substr(0, slash == path.npos ? 0 : slash + 1) + digits;
}

std::string link_of(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// Returns 0 or an errno.
int link_to(int fd, const std::string& path) noexcept {
    return linkat(AT_FDCWD, link_of(fd).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int replace_by(const std::string& fresh, const std::string& path) noexcept {
    if (std::rename(fresh.c_str(), path.c_str()) == 0) return 0;
    const int why = errno;
    unlink(fresh.c_str());
    return why;
}

result<void> told(int why) {
    if (why == 0) return {};
    if (why == EEXIST) return fail(409, "a file of this name already exists");
    return failed(why, "the file cannot be saved");
}

// Creates a file and unlinks it at once, for file systems without O_TMPFILE.
int open_and_unlink(const std::string& folder) noexcept {
    const std::string path = temporary_name(folder + '/');
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) unlink(path.c_str());
    return fd;
}

result<void> copy_between(int from, int to) {
    for (std::uint64_t at = 0;;) {
        const auto piece = read_some(from, at, 256 * 1024);
        if (!piece) return std::unexpected(piece.error());
        if (piece->empty()) return {};
        if (auto written = write_all(to, *piece, at); !written) return written;
        at += piece->size();
    }
}

// Writes a temporary file with an unpredictable name and renames it, for file systems without unnamed files.
result<void> save_named(std::string_view bytes, int from, const std::string& path, existing_file then) {
    const std::string fresh = temporary_name(path);
    const int fd = open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) return told(errno);
    const runtime::file made(fd);
    auto written = from < 0 ? write_all(fd, bytes, 0) : copy_between(from, fd);
    if (written && then == existing_file::replace) return told(replace_by(fresh, path));
    if (written && link(fresh.c_str(), path.c_str()) != 0) written = told(errno);
    unlink(fresh.c_str());
    return written;
}

}  // namespace

result<int> open_temporary(const std::string& folder) {
    int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) fd = open_and_unlink(folder);
    if (fd < 0) return failed(errno, "cannot create a temporary file");
    return fd;
}

result<void> write_all(int fd, std::string_view bytes, std::uint64_t at) {
    while (!bytes.empty()) {
        const ssize_t n = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return failed(n < 0 ? errno : EIO, "the file cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(n));
        at += static_cast<std::uint64_t>(n);
    }
    return {};
}

result<std::string> read_some(int fd, std::uint64_t from, std::size_t most) {
    std::string bytes(most, '\0');
    const auto read = runtime::read_at(fd, from, bytes);
    if (read.error) return failed(read.error, "the file cannot be read");
    bytes.resize(read.size);
    return bytes;
}

void show_to_others(int fd) noexcept {
    // Reads /proc, since umask(2) returns the mask only by changing it for all threads.
    const int probe = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    unsigned mask = 0077;
    if (probe >= 0) {
        char text[512];
        const ssize_t size = read(probe, text, sizeof text);
        close(probe);
        constexpr std::string_view said = "Umask:\t";
        const std::string_view status(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        const auto at = status.find(said);
        if (at != status.npos)
            std::from_chars(status.data() + at + said.size(), status.data() + status.size(), mask, 8);
    }
    fchmod(fd, 0666 & ~mask);
}

result<bool> link_open(int fd, const std::string& path, existing_file then) {
    const std::string first = then == existing_file::replace ? temporary_name(path) : path;
    int why = link_to(fd, first);
    if (why == EXDEV || why == ENOENT) return false;  // ENOENT: the file once had a name, so it can no longer be linked
    if (why == 0 && then == existing_file::replace) why = replace_by(first, path);
    if (auto linked = told(why); !linked) return std::unexpected(linked.error());
    return true;
}

result<void> save_copy(std::string_view bytes, int from, const std::string& path, existing_file then) {
    const auto slash = path.rfind('/');
    const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
    const int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0) return errno == EOPNOTSUPP || errno == EISDIR ? save_named(bytes, from, path, then) : told(errno);
    const runtime::file made(fd);
    if (auto written = from < 0 ? write_all(fd, bytes, 0) : copy_between(from, fd); !written) return written;
    const auto linked = link_open(fd, path, then);
    if (!linked) return std::unexpected(linked.error());
    return *linked ? result<void>() : told(EIO);
}

}  // namespace apus::forms
