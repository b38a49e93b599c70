// SPDX-License-Identifier: Apache-2.0
#include "cli/system/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/system/descriptor.hpp"
#include "cli/system/leftovers.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::system {

namespace {

using errors::failure;
using errors::system_failure;

std::string act_on(std::string_view act, const fs::path& path) {
    return std::string("cannot ").append(act).append(" `").append(path.string()).append("`");
}

void write_all(const fs::path& path, int fd, std::string_view content) {
    while (!content.empty()) {
        throw_if_interrupted();
        const ssize_t n = write(fd, content.data(), content.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw system_failure(act_on("write", path), errno);
        content.remove_prefix(static_cast<std::size_t>(n));
    }
}

// Writes directly to a terminal, pipe or device: replacing /dev/null by a file would break other programs.
void write_into(const fs::path& path, std::string_view content) {
    const descriptor file{open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC)};
    if (file.fd < 0) throw system_failure(act_on("write", path), errno);
    write_all(path, file.fd, content);
}

// Returns the target of a symbolic link, so that a rename replaces the target and keeps the link.
fs::path resolve_links(const fs::path& path) {
    std::error_code none;
    return fs::is_symlink(path, none) ? fs::weakly_canonical(path) : path;
}

// Creates a folder with its parents. Appends the created folders to `made`, the outermost first.
void make_folders(const fs::path& path, std::vector<fs::path>& made) {
    std::error_code none;
    if (path.empty() || fs::is_directory(path, none)) return;
    if (path.has_relative_path()) make_folders(path.parent_path(), made);
    if (mkdir(path.c_str(), 0777) == 0) return made.push_back(path);
    const int why = errno;
    if (why == EEXIST && fs::is_directory(path, none)) return;  // another process created it
    throw system_failure(act_on("create the folder", path), why == EEXIST ? ENOTDIR : why);
}

void remove_if_empty(const std::vector<fs::path>& folders) {
    for (auto each = folders.rbegin(); each != folders.rend(); ++each) rmdir(each->c_str());
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t most) {
    const descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    std::string content;
    char piece[16384];
    ssize_t n = file.fd < 0 ? -1 : 1;
    while (n > 0) {
        throw_if_interrupted();
        n = read(file.fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR) n = 1;
        else if (n > 0) content.append(piece, static_cast<std::size_t>(n));
        if (content.size() > most)
            throw failure("E0103",
                          act_on("read", path) + ": the file has more than " + std::to_string(most) + " bytes");
    }
    throw_if_interrupted();
    if (n < 0) throw failure("E0103", system_failure(act_on("read", path), errno).message());
    return content;
}

void replacements::add(const fs::path& named, std::string_view content, mode_t mode) {
    struct stat now{};
    const bool exists = stat(named.c_str(), &now) == 0;
    if (exists && !S_ISREG(now.st_mode))
        return void(all_.push_back({.made = {}, .to = named, .content = std::string(content)}));
    const fs::path path = resolve_links(named), folder = path.parent_path();
    make_folders(folder, folders_);
    clear_leftovers(folder);
    all_.push_back({.made = temporary_name(path), .to = path});
    one& made = all_.back();
    unlink(made.made.c_str());  // left by a killed process that had the same process id
    // Retries if another process removed the new file as a leftover before this process locked it.
    for (struct stat ours{}; ours.st_nlink == 0;) {
        if (made.file >= 0) close(made.file);
        made.file = open(made.made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (made.file < 0) throw system_failure(act_on("write", path), errno);
        while (flock(made.file, LOCK_EX) != 0 && errno == EINTR) throw_if_interrupted();
        if (fstat(made.file, &ours) != 0) throw system_failure(act_on("write", path), errno);
    }
    write_all(path, made.file, content);
    if (fsync(made.file) != 0) throw system_failure(act_on("write", path), errno);
    if (!exists) return;
    if (geteuid() == 0) [[maybe_unused]]
        const int given = fchown(made.file, now.st_uid, now.st_gid);  // keeps the owner when run by `sudo apus`
    if (fchmod(made.file, now.st_mode & 07777) != 0) throw system_failure(act_on("write", path), errno);
}

bool replacements::update(const fs::path& path, std::string_view content, mode_t mode) {
    std::error_code none;
    if (fs::is_regular_file(path, none) && read_file(path) == content) {
        clear_leftovers(resolve_links(path).parent_path());
        return false;
    }
    add(path, content, mode);
    return true;
}

void replacements::adopt(staged_folder& folder) {
    all_.push_back(
        {.made = std::exchange(folder.path_, {}), .to = folder.target_, .file = std::exchange(folder.held_, -1)});
    folders_.insert(folders_.end(), folder.folders_.begin(), folder.folders_.end());
    folder.folders_.clear();
}

void replacements::adopt(const fs::path& file, const fs::path& to) {
    all_.push_back({.made = file, .to = to, .file = open(file.c_str(), O_RDONLY | O_CLOEXEC)});
    if (all_.back().file < 0 || fsync(all_.back().file) != 0) throw system_failure(act_on("write", to), errno);
}

void replacements::commit() {
    throw_if_interrupted();
    for (one& each : all_) {
        if (each.made.empty()) {
            write_into(each.to, each.content);
            continue;
        }
        // Exchanges the names, so that the old file can be restored if a later step fails.
        if (renameat2(AT_FDCWD, each.made.c_str(), AT_FDCWD, each.to.c_str(), RENAME_EXCHANGE) == 0) {
            each.given = one::is::exchanged;
            continue;
        }
        const bool was_there = errno != ENOENT;  // if so, the file system does not support exchanging names
        if (rename(each.made.c_str(), each.to.c_str()) != 0) {
            const int why = errno;
            roll_back();
            throw system_failure(act_on("write", each.to), why);
        }
        if (was_there) each.made.clear();
        else each.given = one::is::placed;
    }
    for (one& each : all_)
        if (each.given == one::is::placed) each.made.clear();
    folders_.clear();
}

void replacements::roll_back() {
    for (auto each = all_.rbegin(); each != all_.rend(); ++each) {
        if (each->given == one::is::exchanged)
            renameat2(AT_FDCWD, each->made.c_str(), AT_FDCWD, each->to.c_str(), RENAME_EXCHANGE);
        else if (each->given == one::is::placed) rename(each->to.c_str(), each->made.c_str());
    }
}

replacements::~replacements() {
    std::error_code ignored;
    for (const one& each : all_) {
        if (!each.made.empty()) fs::remove_all(each.made, ignored);
        if (each.file >= 0) close(each.file);
    }
    remove_if_empty(folders_);
}

void replace_file(const fs::path& path, std::string_view content, mode_t mode) {
    replacements one;
    one.add(path, content, mode);
    one.commit();
}

void write_file(const fs::path& path, std::string_view content) {
    if (path.has_parent_path()) make_folder(path.parent_path());
    const descriptor file{open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (file.fd < 0) throw system_failure(act_on("write", path), errno);
    write_all(path, file.fd, content);
}

bool update_file(const fs::path& path, std::string_view content, mode_t mode) {
    replacements one;
    const bool differs = one.update(path, content, mode);
    one.commit();
    return differs;
}

void sync_disk_of(const fs::path& folder) {
    const descriptor there{open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (there.fd < 0 || syncfs(there.fd) != 0) throw system_failure(act_on("write", folder), errno);
}

void make_folder(const fs::path& path) {
    std::vector<fs::path> made;
    make_folders(path, made);
}

std::uintmax_t disk_usage(const fs::path& path) {
    std::error_code error;
    if (fs::is_regular_file(fs::symlink_status(path, error))) return fs::file_size(path, error);
    std::uintmax_t bytes = 0;
    for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, error), end;
         !error && at != end; at.increment(error)) {
        std::error_code gone;
        if (fs::is_regular_file(at->symlink_status(gone))) bytes += fs::file_size(at->path(), gone);
    }
    return bytes;
}

std::uintmax_t remove_tree(const fs::path& path) {
    const std::uintmax_t bytes = disk_usage(path);
    std::error_code error;
    struct stat about{};
    const bool folder = lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
    const fs::path away = temporary_name(path.has_filename() ? path : path.parent_path());
    const descriptor held{folder ? hold(path) : -1};  // so that no other process removes it as a leftover
    const bool moved = folder && rename(path.c_str(), away.c_str()) == 0;
    // Another process may remove the same files at the same time.
    for (int tries = 0; tries == 0 || (tries < 100 && error == std::errc::no_such_file_or_directory); ++tries)
        fs::remove_all(moved ? away : path, error);
    if (error) throw system_failure(act_on("remove", moved ? away : path), error.value());
    return bytes;
}

staged_folder::staged_folder(fs::path target) : target_(std::move(target)) {
    clear_leftovers(target_.parent_path());
    make_folders(target_.parent_path(), folders_);
    for (int number = 0; !make(number); ++number) throw_if_interrupted();
}

// Returns false if the name is taken, or if another process removed the new folder before this process locked it.
bool staged_folder::make(int number) {
    path_ = temporary_name(target_);
    if (number) path_ += "-" + std::to_string(number);
    // mkdir fails if the folder exists, so a folder that another user created in /tmp is never used.
    if (mkdir(path_.c_str(), 0777) != 0) {
        const int why = errno;
        if (why == EEXIST && number < 100) return false;
        path_.clear();
        remove_if_empty(folders_);
        throw system_failure(act_on("create the folder", target_), why);
    }
    held_ = hold(path_);
    return held_ >= 0 || number == 100;
}

staged_folder::~staged_folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    if (held_ >= 0) close(held_);
    remove_if_empty(folders_);  // folders that are not empty are kept
}

void staged_folder::commit() {
    throw_if_interrupted();
    // rename replaces an absent target and an empty folder. A folder with files is exchanged with the new folder.
    while (rename(path_.c_str(), target_.c_str()) != 0) {
        if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR)
            throw system_failure(act_on("create the folder", target_), errno);
        // the destructor removes the old folder
        if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) return;
        if (errno != ENOENT) throw system_failure(act_on("replace", target_), errno);
    }
    path_.clear();
}

void staged_folder::commit_into(std::string_view last) {
    throw_if_interrupted();
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) == 0) return path_.clear();
    if (errno != EEXIST) throw system_failure(act_on("create the folder", target_), errno);
    // The lock ensures that only one process at a time checks that the folder is empty and fills the folder.
    const descriptor folder{open(target_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (folder.fd < 0) throw system_failure(act_on("create the folder", target_), errno);
    while (flock(folder.fd, LOCK_EX) != 0 && errno == EINTR) throw_if_interrupted();
    std::error_code error;
    const bool empty = fs::is_empty(target_, error);
    if (error) throw system_failure(act_on("read the folder", target_), error.value());
    if (!empty)
        throw failure("E0207", "`" + target_.string() + "` is no longer empty: another process is writing to it");
    move_entries(last);
}

void staged_folder::move_entries(std::string_view last) {
    std::vector<fs::path> entries, moved;
    for (const auto& entry : fs::directory_iterator(path_)) entries.push_back(entry.path().filename());
    std::ranges::partition(entries, [&](const fs::path& each) { return each != last; });
    for (const fs::path& each : entries) {
        const fs::path from = path_ / each, to = target_ / each;
        if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
            moved.push_back(to);
            continue;
        }
        const int why = errno;
        for (const fs::path& back : moved) remove_tree(back);
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

// Returns false if the locked file was removed: a previous holder of the lock may have removed the folder.
bool folder_lock::is_same_file() const {
    struct stat held{}, named{};
    return fstat(fd_, &held) == 0 && stat(path_.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

folder_lock::~folder_lock() { close(fd_); }

bool folder_lock::try_lock() {
    while (flock(fd_, LOCK_EX | LOCK_NB) == 0) {
        if (is_same_file()) return true;
        open_file();
    }
    if (errno != EWOULDBLOCK) throw system_failure(act_on("lock", path_), errno);
    return false;
}

void folder_lock::lock() {
    for (;;) {
        if (flock(fd_, LOCK_EX) == 0) {
            if (is_same_file()) return;
            open_file();
        } else if (errno != EINTR) throw system_failure(act_on("lock", path_), errno);
        throw_if_interrupted();
    }
}

}  // namespace apus::cli::system
