// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/file.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace apus::disk {

/// Whether a call may wait for the disk. One that may not is for the threads of loops.
enum class patience : std::uint8_t {
    none,
    enough
};

/// What tells one state of a file from another.
struct file_state {
    std::uint64_t device, inode, size;
    std::int64_t modified, changed;  // nanoseconds since 1970-01-01
    friend bool operator==(const file_state&, const file_state&) = default;
};

/// A regular file as it was when it was opened: it does not change any more, so any thread may use
/// it. A small one is there as bytes; of another the descriptor is kept.
struct open_file {
    static constexpr std::uint64_t small = 16 * 1024;  ///< Bytes. What is sent with its head in one call.

    file_state state{};
    bool in_memory = false;
    std::string bytes;           ///< All of it, if it is in memory.
    runtime::file_ref contents;  ///< If it is not.
    std::string etag;            ///< With its quotes. Strong, unless the file changed within two seconds before.
    std::int64_t modified = 0;   ///< In seconds, and not later than it was opened.
    bool settled = false;        ///< It had not changed for two seconds when it was opened.
    mutable std::atomic<unsigned> users{0};

    std::uint64_t size() const noexcept { return state.size; }
};

/// Shares an `open_file`. Not `std::shared_ptr`, since a response keeps one in a bare pointer.
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

    /// What a bare pointer took with `held_file(p).leak()`.
    static void give_back(const open_file* file) noexcept {
        if (file && file->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete file;
    }
    const open_file* leak() noexcept { return std::exchange(file_, nullptr); }

private:
    const open_file* file_ = nullptr;
};

/// What became of opening.
struct opened {
    held_file file;
    int error = 0;           ///< An errno. EAGAIN: the disk would have to be waited for.
    bool directory = false;  ///< It is one, and not a file.
};

/// Which symbolic links are followed.
enum class links : std::uint8_t {
    inside,  ///< Those that lead to a place below the folder. Absolute ones never do.
    none
};

/// Opens what is below the folder `root`, with `flags` of open(2), by a path that no name and no link
/// leads out of it (openat2 with RESOLVE_BENEATH). A descriptor, or -1 and errno. May wait for the disk.
int open_path_below(int root, const std::string& path, int flags, links) noexcept;

/// Opens a file below the folder `root`, and by no name or link another one (openat2 with
/// RESOLVE_BENEATH). `root` may be AT_FDCWD, for a path of the program's own: then links lead anywhere.
/// If it is still what `known` holds, that is given. Anything but a regular file is ENOENT.
opened open_below(int root, const std::string& path, links, patience, const held_file& known);

}  // namespace apus::disk
