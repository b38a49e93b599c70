// SPDX-License-Identifier: Apache-2.0
#include "cli/system/leftovers.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/system/descriptor.hpp"

namespace apus::cli::system {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = ".apus-";

// Returns NUMBER in `.NAME.apus-NUMBER` or `.NAME.apus-NUMBER-1`, or 0.
pid_t maker_of(std::string_view name) {
    const std::size_t at = name.rfind(mark);
    if (!name.starts_with('.') || at == name.npos || at == 0) return 0;
    const std::string_view digits = name.substr(at + mark.size());
    pid_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && (end == digits.data() + digits.size() || *end == '-') ? number : 0;
}

// Removes a leftover while holding its lock. A process that creates a file with the same name at this time notices
// the removal.
void remove_if_left(const fs::path& path, pid_t maker) {
    struct stat about{};
    std::error_code none;
    if (lstat(path.c_str(), &about) != 0 || about.st_uid != geteuid()) return;
    if (S_ISLNK(about.st_mode)) {  // links have no lock
        if (maker != getpid() && kill(maker, 0) != 0 && errno == ESRCH) fs::remove(path, none);
        return;
    }
    const descriptor held{hold(path)};
    if (held.fd >= 0) fs::remove_all(path, none);
}

}  // namespace

fs::path temporary_name(const fs::path& path) {
    return path.parent_path() / ("." + path.filename().string().append(mark) + std::to_string(getpid()));
}

int hold(const fs::path& made) noexcept {
    struct stat now{}, opened{};
    const int fd = open(made.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &opened) == 0 && lstat(made.c_str(), &now) == 0 &&
        now.st_ino == opened.st_ino)
        return fd;
    close(fd);
    return -1;
}

void clear_leftovers(const fs::path& folder) {
    std::vector<std::pair<fs::path, pid_t>> found;
    std::error_code error;
    for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end; at.increment(error))
        if (const pid_t maker = maker_of(at->path().filename().native()); maker > 0)
            found.emplace_back(at->path(), maker);
    for (const auto& [path, maker] : found) remove_if_left(path, maker);
}

}  // namespace apus::cli::system
