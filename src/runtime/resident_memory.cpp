// SPDX-License-Identifier: Apache-2.0
#include "runtime/resident_memory.hpp"

#include <charconv>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace apus::runtime {

resident_memory::resident_memory() noexcept : file_(open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {}

resident_memory::~resident_memory() {
    if (file_ >= 0) close(file_);
}

std::uint64_t resident_memory::bytes() const noexcept {
    char text[128];
    const ssize_t size = pread(file_, text, sizeof text, 0);
    if (size <= 0) return 0;
    const std::string_view read(text, static_cast<std::size_t>(size));
    const std::size_t second = read.find(' ') + 1;  // the first number is the size of the address space
    std::uint64_t pages = 0;
    std::from_chars(read.data() + second, read.data() + read.size(), pages);
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace apus::runtime
