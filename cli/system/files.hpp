// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace apus::cli::system {

namespace fs = std::filesystem;

/// The whole of a file. Throws E0103, also if it has more than `most` bytes.
std::string read_file(const fs::path& path, std::size_t most = static_cast<std::size_t>(-1));

/// Makes `path` hold `content`, or leaves it as it was: writes beside it, syncs, and renames. Makes the
/// folders above. Keeps the mode of what is replaced; a new file gets `mode`, less the umask. A symbolic
/// link stays, and the file that it leads to is replaced; what is no file, such as /dev/stdout, is written to.
void replace_file(const fs::path& path, std::string_view content, mode_t mode = 0666);

class folder_in_the_making;

/// Files that are replaced together, each as by `replace_file`: all are written beside their places before the first
/// takes its place, so that a full disk or an interruption changes none of them. What was made is removed, with the
/// folders that were made for it, if `commit` was not called.
class replacements {
public:
    replacements() = default;
    ~replacements();
    replacements(const replacements&) = delete;
    replacements& operator=(const replacements&) = delete;

    void add(const fs::path& path, std::string_view content, mode_t mode = 0666);

    /// As `add`, if the content differs. Returns whether it did.
    bool update(const fs::path& path, std::string_view content, mode_t mode = 0666);

    /// Takes a folder over, which gets its name with the files.
    void adopt(folder_in_the_making& folder);

    /// Takes a whole file over that is on the disk of `to`, which is the name that it gets.
    void adopt(const fs::path& file, const fs::path& to);

    /// Gives each its name, in the order in which they were added. What cannot get it leaves the others as they were.
    void commit();

private:
    struct one {
        enum class is {
            made,
            new_there,
            exchanged  // what was there has the name `made`
        };
        fs::path made, to;  // no `made`: what is no file is written to
        std::string content{};
        int file = -1;  // open, and locked
        is given = is::made;
    };
    void take_back();

    std::vector<fs::path> folders_{};
    std::vector<one> all_{};
};

/// As `replace_file`, if the content differs. Returns whether it did.
bool update_file(const fs::path& path, std::string_view content, mode_t mode = 0666);

/// Writes a file that nobody reads yet, such as one of a `folder_in_the_making`, without a wait for the disk.
void write_file(const fs::path& path, std::string_view content);

/// Waits until all that was written to the disk that a folder is on is there to stay.
void sync_disk_of(const fs::path& folder);

/// Makes a folder and those above. Throws E0104 to E0106.
void make_folder(const fs::path& path);

/// Bytes in a file, or in all regular files below a folder; what vanishes meanwhile or cannot be read counts as none.
std::uintmax_t bytes_in(const fs::path& path);

/// Removes a file, or a folder and all in it; nothing there is no error. Returns the bytes that were freed. A folder
/// loses its name first, so that there is never a part of it under that name.
std::uintmax_t remove_tree(const fs::path& path);

/// A folder beside `target` in which what belongs there is made, and which then takes its name at once.
/// Removed with what is in it if `commit` was not called, so that what is interrupted leaves nothing; what a
/// process left that was killed, the next one for this target removes.
class folder_in_the_making {
public:
    explicit folder_in_the_making(fs::path target);
    ~folder_in_the_making();
    folder_in_the_making(const folder_in_the_making&) = delete;
    folder_in_the_making& operator=(const folder_in_the_making&) = delete;

    const fs::path& path() const noexcept { return path_; }

    /// Gives the folder its name. A folder that has it is replaced, at once: there is always one of that name.
    void commit();

    /// Gives the folder its name if there is none of it. Else moves what is in it into that folder, which stays what it
    /// is: somebody may work in it; `last` is moved behind the others. A folder that has something in it throws E0207.
    void commit_into(std::string_view last);

private:
    friend class replacements;
    bool make(int number);
    void move_entries(std::string_view last);

    fs::path target_;
    fs::path path_;
    std::vector<fs::path> folders_{};  // that were made above it
    int held_ = -1;                    // a lock on it, which ends with the process
};

/// Held while a folder is worked on, so that two of us do not write the same: flock(2) on a file in it. Who has it
/// may remove the folder.
class folder_lock {
public:
    /// Waits until no other has it; calls `waits`, once, if it has to.
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
    bool is_of_the_folder() const;
    bool try_lock();
    void lock();

    int fd_ = -1;
    fs::path path_;
};

}  // namespace apus::cli::system
