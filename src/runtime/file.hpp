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

/// An open file. Ownership is shared; the last owner closes the file.
class file {
public:
    explicit file(int fd) noexcept : fd_(fd) {}
    file(const file&) = delete;
    file& operator=(const file&) = delete;
    ~file() { ::close(fd_); }
    int fd() const noexcept { return fd_; }

    /// Reads from offset `at` into `to` and returns the number of bytes.
    /// The number is less than the size of `to` only at the end of the file or after an error. Blocks on disk reads.
    std::size_t read(std::uint64_t at, std::span<char> to) const noexcept;

private:
    int fd_;
};

using file_ref = std::shared_ptr<const file>;

/// Result of a read: number of bytes, and 0 or an errno.
struct read_outcome {
    std::size_t size = 0;
    int error = 0;
};

/// Reads from offset `at` of a descriptor.
/// Reads fewer bytes than the size of `to` only at the end of the file or after an error.
read_outcome read_at(int fd, std::uint64_t at, std::span<char> to) noexcept;

/// Returns the content of a file or pipe, or an errno: EFBIG if it has more than `most` bytes.
std::expected<std::string, int> read_whole(const char* path, std::size_t most);

}  // namespace apus::runtime
