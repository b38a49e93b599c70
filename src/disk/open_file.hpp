// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/file.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace apus::disk {

/// Whether a call may wait for the disk. Loop threads must use `none`.
enum class patience : std::uint8_t {
    none,
    enough
};

/// Identity of a version of a file.
struct file_state {
    std::uint64_t device, inode, size;
    std::int64_t modified, changed;  // nanoseconds since 1970-01-01
    friend bool operator==(const file_state&, const file_state&) = default;
};

/// A regular file, immutable once opened, so any thread may use it.
/// Small files are read into memory; for other files, the descriptor is kept.
struct open_file {
    /// Size in bytes. Files up to this size are sent with the head in one call.
    static constexpr std::uint64_t small = 16 * 1024;

    file_state state{};
    bool in_memory = false;
    std::string bytes;           ///< The whole content, if it is in memory.
    runtime::file_ref contents;  ///< The file, if its content is not in memory.
    /// Includes the quotes. Weak if the file changed less than two seconds before it was opened.
    std::string etag;
    std::int64_t modified = 0;  ///< In seconds since 1970; at most the time of opening.
    bool settled = false;       ///< The file had been unchanged for two seconds when it was opened.
    mutable std::atomic<unsigned> users{0};

    std::uint64_t size() const noexcept { return state.size; }
};

/// Shares an `open_file`. Not `std::shared_ptr`, since responses store a plain pointer.
class held_file {
public:
    held_file() noexcept = default;
    explicit held_file(const open_file* file) noexcept : file_(file) {
        if (file_) file_->users.fetch_add(1, std::memory_order_relaxed);
    }
    held_file(const held_file& other) noexcept : held_file(other.file_) {}
    held_file(held_file&& other) noexcept : file_(std::exchange(other.file_, nullptr)) {}
    held_file& operator=(held_file other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    ~held_file() { give_back(file_); }

    const open_file* get() const noexcept { return file_; }
    const open_file* operator->() const noexcept { return file_; }
    const open_file& operator*() const noexcept { return *file_; }
    explicit operator bool() const noexcept { return file_ != nullptr; }

    /// Releases a pointer returned by `held_file(p).leak()`.
    static void give_back(const open_file* file) noexcept {
        if (file && file->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete file;
    }
    const open_file* leak() noexcept { return std::exchange(file_, nullptr); }

private:
    const open_file* file_ = nullptr;
};

/// Result of opening a file.
struct opened {
    held_file file;
    int error = 0;           ///< An errno. EAGAIN: the call would have to wait for the disk.
    bool directory = false;  ///< The path is a folder.
};

/// Which symbolic links are followed.
enum class links : std::uint8_t {
    inside,  ///< Only relative links to targets below the folder.
    none
};

/// Opens a path below the folder `root`, with `flags` of open(2).
/// Neither names nor links can leave the folder (openat2 with RESOLVE_BENEATH). Returns a descriptor, or -1 and errno.
/// May wait for the disk.
int open_path_below(int root, const std::string& path, int flags, links) noexcept;

/// Opens a regular file below the folder `root`; other types of files fail with ENOENT.
/// Neither names nor links can leave the folder (openat2 with RESOLVE_BENEATH). `root` may be AT_FDCWD for a path of
/// the program; links are then unrestricted. Returns `known` if the file is unchanged.
opened open_below(int root, const std::string& path, links, patience, const held_file& known);

}  // namespace apus::disk
