// SPDX-License-Identifier: Apache-2.0
#include "runtime/file.hpp"

#include <cerrno>

#include <fcntl.h>

namespace apus::runtime {
namespace {

// Calls `once` with the number of bytes read so far, until `most` bytes are read, the input ends, or an error occurs.
template <class Once>
read_outcome read_by(Once once, std::size_t most) noexcept {
    read_outcome all;
    while (all.size < most) {
        const ssize_t n = once(all.size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) all.error = errno;
        if (n <= 0) break;
        all.size += static_cast<std::size_t>(n);
    }
    return all;
}

}  // namespace

read_outcome read_at(int fd, std::uint64_t at, std::span<char> to) noexcept {
    return read_by(
        [&](std::size_t size) { return pread(fd, to.data() + size, to.size() - size, static_cast<off_t>(at + size)); },
        to.size());
}

std::size_t file::read(std::uint64_t at, std::span<char> to) const noexcept { return read_at(fd_, at, to).size; }

std::expected<std::string, int> read_whole(const char* path, std::size_t most) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::unexpected(errno);
    const file own(fd);
    std::string text(most + 1, '\0');
    const auto all =
        read_by([&](std::size_t size) { return ::read(fd, text.data() + size, text.size() - size); }, text.size());
    if (all.error) return std::unexpected(all.error);
    if (all.size > most) return std::unexpected(EFBIG);
    text.resize(all.size);
    return text;
}

}  // namespace apus::runtime
