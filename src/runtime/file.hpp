// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>

#include <unistd.h>

namespace apus::runtime {

/// An open file, shared by those who send it: closed when the last of them is done.
class file {
public:
    explicit file(int fd) noexcept : fd_(fd) {}
    file(const file&) = delete;
    file& operator=(const file&) = delete;
    ~file() { ::close(fd_); }
    int fd() const noexcept { return fd_; }

    /// Fills `to` with what stands from `at` on, and gives how much that is: less where the file ends
    /// or cannot be read. Waits for the disk if the kernel does not have it in memory.
    std::size_t read(std::uint64_t at, std::span<char> to) const noexcept;

private:
    int fd_;
};

using file_ref = std::shared_ptr<const file>;

/// What came of reading: how much, and 0 or an errno.
struct read_outcome {
    std::size_t size = 0;
    int error = 0;
};

/// Fills `to` with what stands in an open file from `at` on; less where it ends or an error comes.
read_outcome read_at(int fd, std::uint64_t at, std::span<char> to) noexcept;

/// All of a file, which may be a pipe; or an errno, EFBIG where it has more than `most` bytes.
std::expected<std::string, int> read_whole(const char* path, std::size_t most);

}  // namespace apus::runtime
