// SPDX-License-Identifier: Apache-2.0
#include "cli/system/files.hpp"

#include <cerrno>
#include <cstdio>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::system {

namespace {

using errors::failure;
using errors::system_failure;

std::string act_on(std::string_view act, const fs::path& path) {
    return std::string("cannot ").append(act).append(" `").append(path.string()).append("`");
}

struct descriptor {
    int fd;
    ~descriptor() {
        if (fd >= 0) close(fd);
    }
};

// A name beside `path` that nobody else has, and that says whose it is.
fs::path beside(const fs::path& path) {
    return path.parent_path() / ("." + path.filename().string() + ".apus-" + std::to_string(getpid()));
}

struct removed_unless_renamed {
    fs::path path;
    bool renamed = false;
    ~removed_unless_renamed() {
        if (!renamed) unlink(path.c_str());
    }
};

void write_all(const fs::path& path, int fd, std::string_view content) {
    while (!content.empty()) {
        throw_if_interrupted();
        const ssize_t n = write(fd, content.data(), content.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw system_failure(act_on("write", path), errno);
        content.remove_prefix(static_cast<std::size_t>(n));
    }
}

// A terminal, a pipe or /dev/null is written to; another file in its place would be in the way of everybody.
void write_into(const fs::path& path, std::string_view content) {
    const descriptor file{open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC)};
    if (file.fd < 0) throw system_failure(act_on("write", path), errno);
    write_all(path, file.fd, content);
}

descriptor open_folder(const fs::path& path) { return {open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)}; }

// Removes folders in the making for `target` that nobody holds: who made them was killed.
void remove_left_behind(const fs::path& target) {
    const std::string begin = "." + target.filename().string() + ".apus-";
    std::error_code error;
    for (fs::directory_iterator at(target.has_parent_path() ? target.parent_path() : ".", error), end; !error && at != end; at.increment(error)) {
        if (!at->path().filename().string().starts_with(begin)) continue;
        std::error_code not_ours;
        const descriptor held = open_folder(at->path());
        if (held.fd >= 0 && flock(held.fd, LOCK_EX | LOCK_NB) == 0) fs::remove_all(at->path(), not_ours);
    }
}

// The file that a symbolic link leads to, so that the link stays one.
fs::path behind_links(const fs::path& path) {
    std::error_code none;
    return fs::is_symlink(path, none) ? fs::weakly_canonical(path) : path;
}

}  // namespace

std::string read_file(const fs::path& path) {
    const descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    std::string content;
    char piece[16384];
    ssize_t n = file.fd < 0 ? -1 : 1;
    while (n > 0) {
        n = read(file.fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR) n = 1;
        else if (n > 0) content.append(piece, static_cast<std::size_t>(n));
    }
    if (n < 0) throw failure("E0103", system_failure(act_on("read", path), errno).message());
    return content;
}

void replace_file(const fs::path& named, std::string_view content, mode_t mode) {
    struct stat now{};
    const bool exists = stat(named.c_str(), &now) == 0;
    if (exists && !S_ISREG(now.st_mode)) return write_into(named, content);
    const fs::path path = behind_links(named);
    if (path.has_parent_path()) make_folder(path.parent_path());
    removed_unless_renamed made{beside(path)};
    unlink(made.path.c_str());  // of a process that was killed and had our number
    const descriptor file{open(made.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)};
    if (file.fd < 0) throw system_failure(act_on("write", path), errno);
    write_all(path, file.fd, content);
    if (fsync(file.fd) != 0) throw system_failure(act_on("write", path), errno);
    if (exists && fchmod(file.fd, now.st_mode & 07777) != 0) throw system_failure(act_on("write", path), errno);
    if (rename(made.path.c_str(), path.c_str()) != 0) throw system_failure(act_on("write", path), errno);
    made.renamed = true;
}

void write_file(const fs::path& path, std::string_view content) {
    if (path.has_parent_path()) make_folder(path.parent_path());
    const descriptor file{open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (file.fd < 0) throw system_failure(act_on("write", path), errno);
    write_all(path, file.fd, content);
}

bool update_file(const fs::path& path, std::string_view content, mode_t mode) {
    std::error_code none;
    if (fs::is_regular_file(path, none) && read_file(path) == content) return false;
    replace_file(path, content, mode);
    return true;
}

void make_folder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw system_failure(act_on("make the folder", path), error.value());
}

std::uintmax_t bytes_in(const fs::path& path) {
    std::error_code error;
    if (fs::is_regular_file(fs::symlink_status(path, error))) return fs::file_size(path, error);
    std::uintmax_t bytes = 0;
    for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, error), end; !error && at != end; at.increment(error)) {
        std::error_code gone;
        if (fs::is_regular_file(at->symlink_status(gone))) bytes += fs::file_size(at->path(), gone);
    }
    return bytes;
}

std::uintmax_t remove_tree(const fs::path& path) {
    const std::uintmax_t bytes = bytes_in(path);
    std::error_code error;
    fs::remove_all(path, error);
    if (error) throw system_failure(act_on("remove", path), error.value());
    return bytes;
}

folder_in_the_making::folder_in_the_making(fs::path target) : target_(std::move(target)) {
    if (target_.has_parent_path()) make_folder(target_.parent_path());
    remove_left_behind(target_);
    for (int number = 0; !make(number); ++number) throw_if_interrupted();
}

// False: somebody has the name, or took the folder for one that was left behind before it was held.
bool folder_in_the_making::make(int number) {
    path_ = beside(target_);
    if (number) path_ += "-" + std::to_string(number);
    // New, and so ours: in a folder as /tmp another could have made it.
    if (mkdir(path_.c_str(), 0777) != 0) {
        if (errno == EEXIST && number < 100) return false;
        throw system_failure(act_on("make the folder", path_), errno);
    }
    descriptor made = open_folder(path_);
    struct stat now{}, opened{};
    if (made.fd < 0 && errno != ENOENT) throw system_failure(act_on("make the folder", path_), errno);
    if (made.fd < 0 || (flock(made.fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)) return false;
    if (stat(path_.c_str(), &now) != 0 || fstat(made.fd, &opened) != 0 || now.st_ino != opened.st_ino) return false;
    held_ = std::exchange(made.fd, -1);
    return true;
}

folder_in_the_making::~folder_in_the_making() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    close(held_);
}

void folder_in_the_making::commit() {
    throw_if_interrupted();
    // Where there is an empty folder or none, one rename does it; else the two change places.
    while (rename(path_.c_str(), target_.c_str()) != 0) {
        if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) throw system_failure(act_on("make the folder", target_), errno);
        if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) return;  // the old one is removed with this
        if (errno != ENOENT) throw system_failure(act_on("replace", target_), errno);
    }
    path_.clear();
}

void folder_in_the_making::commit_into() {
    throw_if_interrupted();
    make_folder(target_);
    std::vector<fs::path> moved;
    for (const auto& entry : fs::directory_iterator(path_)) {
        const fs::path to = target_ / entry.path().filename();
        if (renameat2(AT_FDCWD, entry.path().c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
            moved.push_back(to);
            continue;
        }
        const int why = errno;
        for (const fs::path& each : moved) remove_tree(each);
        throw system_failure(act_on("make", to), why);
    }
}

folder_lock::folder_lock(const fs::path& folder) : path_(folder / ".apus-lock") { open_file(); }

void folder_lock::open_file() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
    for (int tries = 0; fd_ < 0; ++tries) {
        make_folder(path_.parent_path());
        fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd_ < 0 && (errno != ENOENT || tries == 9)) throw system_failure(act_on("lock", path_), errno);
    }
}

// Who had it before may have removed the folder, and what we have locked is then no file that another finds.
bool folder_lock::is_of_the_folder() const {
    struct stat held{}, named{};
    return fstat(fd_, &held) == 0 && stat(path_.c_str(), &named) == 0 && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

folder_lock::~folder_lock() { close(fd_); }

bool folder_lock::try_lock() {
    while (flock(fd_, LOCK_EX | LOCK_NB) == 0) {
        if (is_of_the_folder()) return true;
        open_file();
    }
    if (errno != EWOULDBLOCK) throw system_failure(act_on("lock", path_), errno);
    return false;
}

void folder_lock::lock() {
    for (;;) {
        if (flock(fd_, LOCK_EX) == 0) {
            if (is_of_the_folder()) return;
            open_file();
        } else if (errno != EINTR) throw system_failure(act_on("lock", path_), errno);
        throw_if_interrupted();
    }
}

}  // namespace apus::cli::system
