// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace apus::cli::system {

namespace fs = std::filesystem;

/// Returns the content of a file. Throws E0103 if it cannot be read or has more than `most` bytes.
std::string read_file(const fs::path& path, std::size_t most = static_cast<std::size_t>(-1));

/// Replaces the content of `path` atomically: writes a temporary file, syncs and renames.
/// Creates parent folders. Keeps the mode of an existing file; a new file gets `mode`, less the umask. If `path` is a
/// symbolic link, replaces its target. Writes directly to devices and pipes, such as /dev/stdout.
void replace_file(const fs::path& path, std::string_view content, mode_t mode = 0666);

class staged_folder;

/// Replaces several files together, each as `replace_file` does.
/// Content is first written to temporary files, so that a full disk or an interruption does not change existing files.
/// Without `commit`, the destructor removes created files and folders.
class replacements {
public:
    replacements() = default;
    ~replacements();
    replacements(const replacements&) = delete;
    replacements& operator=(const replacements&) = delete;

    void add(const fs::path& path, std::string_view content, mode_t mode = 0666);

    /// Adds a replacement if `content` differs from the file. Returns true if it differs.
    bool update(const fs::path& path, std::string_view content, mode_t mode = 0666);

    /// Takes ownership of a folder, which `commit` renames together with the files.
    void adopt(staged_folder& folder);

    /// Takes ownership of a file in the same file system as `to`; `commit` renames it to `to`.
    void adopt(const fs::path& file, const fs::path& to);

    /// Renames all files, in the order in which they were added. On failure, restores the old files.
    void commit();

private:
    struct one {
        enum class is {
            made,
            placed,
            exchanged  // the old file now has the name `made`
        };
        fs::path made, to;  // `made` is empty for a device or pipe, to which `commit` writes directly
        std::string content{};
        int file = -1;  // the descriptor of `made`, open and locked
        is given = is::made;
    };
    void roll_back();

    std::vector<fs::path> folders_{};
    std::vector<one> all_{};
};

/// Calls `replace_file` if `content` differs from the file. Returns true if it differs.
bool update_file(const fs::path& path, std::string_view content, mode_t mode = 0666);

/// Writes a file without syncing or renaming it.
/// For files that no other process reads yet, such as files in a `staged_folder`.
void write_file(const fs::path& path, std::string_view content);

/// Flushes all writes to the file system that contains a folder (syncfs(2)).
void sync_disk_of(const fs::path& folder);

/// Creates a folder with its parents. Throws E0104 to E0106.
void make_folder(const fs::path& path);

/// Returns the size of a file, or of all regular files below a folder.
/// Ignores files that vanish or cannot be read.
std::uintmax_t disk_usage(const fs::path& path);

/// Removes a file, or a folder recursively.
/// Ignores an absent path. Returns the number of bytes freed. Renames a folder before removing it, so that no process
/// sees a partly removed folder under its name.
std::uintmax_t remove_tree(const fs::path& path);

/// A temporary folder next to `target` that gets the name of `target` on `commit`.
/// Without `commit`, the destructor removes the temporary folder. The constructor removes temporary folders that killed
/// processes left next to the target.
class staged_folder {
public:
    explicit staged_folder(fs::path target);
    ~staged_folder();
    staged_folder(const staged_folder&) = delete;
    staged_folder& operator=(const staged_folder&) = delete;

    const fs::path& path() const noexcept { return path_; }

    /// Renames the folder to its target.
    /// Exchanges an existing folder with the new one atomically, so that the name always exists.
    void commit();

    /// Renames the folder to its target, or moves its contents into an existing empty folder.
    /// An existing folder keeps its inode, since it may be a working directory. The entry `last` is moved last. Throws
    /// E0207 if the existing folder is not empty.
    void commit_into(std::string_view last);

private:
    friend class replacements;
    bool make(int number);
    void move_entries(std::string_view last);

    fs::path target_;
    fs::path path_;
    std::vector<fs::path> folders_{};  // created parent folders
    int held_ = -1;                    // descriptor with a lock on the folder, until it is closed
};

/// Exclusive access to a folder between processes, by flock(2) on a file in it.
/// The holder may remove the folder.
class folder_lock {
public:
    /// Waits until no other process holds the lock; calls `waits` once before waiting.
    template <class Waits>
    folder_lock(const fs::path& folder, Waits&& waits) : folder_lock(folder) {
        if (try_lock()) return;
        waits();
        lock();
    }
    ~folder_lock();
    folder_lock(const folder_lock&) = delete;
    folder_lock& operator=(const folder_lock&) = delete;

private:
    explicit folder_lock(const fs::path& folder);
    void open_file();
    bool is_same_file() const;
    bool try_lock();
    void lock();

    int fd_ = -1;
    fs::path path_;
};

}  // namespace apus::cli::system
