// SPDX-License-Identifier: Apache-2.0
#include "runtime/file.hpp"

#include <cerrno>

namespace apus::runtime {

std::size_t file::read(std::uint64_t at, std::span<char> to) const noexcept {
    std::size_t size = 0;
    while (size < to.size()) {
        const ssize_t n = pread(fd_, to.data() + size, to.size() - size, static_cast<off_t>(at + size));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        size += static_cast<std::size_t>(n);
    }
    return size;
}

}  // namespace apus::runtime
