// SPDX-License-Identifier: Apache-2.0
#include "disk/open_file.hpp"

#include <apus/conditional.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <memory>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

namespace apus::disk {
namespace {

constexpr std::int64_t second = 1'000'000'000;

std::int64_t nanoseconds(const timespec& t) noexcept { return t.tv_sec * second + t.tv_nsec; }

std::int64_t now() noexcept {
    timespec t{};
    clock_gettime(CLOCK_REALTIME, &t);
    return nanoseconds(t);
}

int open_path(int root, const char* path, int flags, links follow, patience wait) noexcept {
    open_how how{};
    how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
    if (root != AT_FDCWD) how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    if (follow == links::none) how.resolve |= RESOLVE_NO_SYMLINKS;
    if (wait == patience::none) how.resolve |= RESOLVE_CACHED;
    long fd;
    // EAGAIN without RESOLVE_CACHED: something was renamed on the way, and nobody can say what it was.
    int tries = 10;
    do fd = syscall(SYS_openat2, root, path, &how, sizeof how);
    while (fd < 0 && (errno == EINTR || (errno == EAGAIN && wait == patience::enough)) && --tries > 0);
    return static_cast<int>(fd);
}

int read_state(int fd, file_state& out, mode_t& mode) noexcept {
    struct stat s{};
    if (fstat(fd, &s) != 0) return errno;
    mode = s.st_mode;
    out = {s.st_dev, s.st_ino, static_cast<std::uint64_t>(std::max<off_t>(s.st_size, 0)), nanoseconds(s.st_mtim),
           nanoseconds(s.st_ctim)};
    return 0;
}

// Reads a small file. 0, or an errno: EAGAIN too where it changes while it is read.
int read_bytes(int fd, const file_state& state, patience wait, std::string& out) {
    out.resize(state.size + 1);  // one more, to see that it ends
    std::size_t got = 0;
    while (got < out.size()) {
        iovec into{out.data() + got, out.size() - got};
        const ssize_t n = preadv2(fd, &into, 1, static_cast<off_t>(got), wait == patience::none ? RWF_NOWAIT : 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EOPNOTSUPP ? EAGAIN : errno;
        if (n == 0) break;
        got += static_cast<std::size_t>(n);
    }
    if (got != state.size) return EAGAIN;
    out.resize(got);
    return 0;
}

std::string etag_of_state(const file_state& state, bool strong) {
    constexpr std::int64_t no_time_at_all = 315'619'200 * second;  // 1980-01-02
    std::string tag = strong ? "\"" : "W/\"";
    const auto add = [&tag](auto number, char behind) {
        std::array<char, 20> digits{};
        tag.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr)
            .push_back(behind);
    };
    // Tools for reproducible builds give every file the same time: it says nothing then.
    const bool timeless = state.modified < no_time_at_all;
    add(state.size, '-');
    add(state.modified, timeless ? '-' : '"');
    if (timeless) add(state.inode, '-'), add(state.changed, '"');
    return tag;
}

}  // namespace

int open_path_below(int root, const std::string& path, int flags, links follow) noexcept {
    return open_path(root, path.c_str(), flags, follow, patience::enough);
}

opened open_below(int root, const std::string& path, links follow, patience wait, const held_file& known) {
    // Not to be held up by a pipe that nobody writes to: it is refused when it is open.
    const int fd = open_path(root, path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY, follow, wait);
    if (fd < 0) return {{}, errno, false};
    auto made = std::make_unique<open_file>();
    auto contents = std::make_shared<const runtime::file>(fd);
    mode_t mode{};
    const std::int64_t time = now();
    if (const int error = read_state(fd, made->state, mode)) return {{}, error, false};
    if (S_ISDIR(mode)) return {{}, EISDIR, true};
    if (!S_ISREG(mode)) return {{}, ENOENT, false};
    // Times are kept in ticks: what changed just now may change again within the same one.
    made->settled = time - std::max(made->state.changed, made->state.modified) >= 2 * second;
    if (known && known->settled && known->state == made->state) return {known, 0, false};

    made->modified = std::min(made->state.modified, time) / second;
    // What the kernel makes when it is read (/proc) has no size beforehand, and is empty here.
    if (made->size() == 0) made->in_memory = true;
    else if (made->size() <= open_file::small) {
        const int error = read_bytes(fd, made->state, wait, made->bytes);
        if (error && (error != EAGAIN || wait == patience::none)) return {{}, error, false};
        made->in_memory = error == 0;
    }
    if (made->in_memory) made->etag = etag_of(made->bytes);
    else made->etag = etag_of_state(made->state, made->settled), made->contents = std::move(contents);
    return {held_file(made.release()), 0, false};
}

}  // namespace apus::disk
