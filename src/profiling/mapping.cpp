// SPDX-License-Identifier: Apache-2.0
#include "profiling/mapping.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace apus::profiling {
namespace {

// Removes the next word of the line, and the spaces after it.
std::string_view next_word(std::string_view& line) noexcept {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return word;
}

template <class Number>
bool read_number(std::string_view text, Number& to, int base) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to, base);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

// Opens the file if its inode is the mapped one. The program's own file is opened by /proc/self/exe, which also names a
// program that an upgrade has removed or replaced.
int open_mapped(const char* path, std::uint64_t inode, std::size_t& size) noexcept {
    for (const char* name : {path, "/proc/self/exe"}) {
        const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        struct stat found{};
        if (fd >= 0 && fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && found.st_ino == inode && found.st_size > 0) {
            size = static_cast<std::size_t>(found.st_size);
            return fd;
        }
        if (fd >= 0) close(fd);
    }
    return -1;
}

}  // namespace

std::optional<mapping> parse_mapping(std::string_view line) noexcept {
    const std::string_view range = next_word(line), rights = next_word(line), offset = next_word(line);
    next_word(line);  // the device
    const std::string_view inode = next_word(line);
    const std::size_t dash = range.find('-');
    mapping m;
    if (dash == range.npos || rights.size() < 3 || rights[2] != 'x' || !line.starts_with('/') ||
        !read_number(range.substr(0, dash), m.start, 16) || !read_number(range.substr(dash + 1), m.end, 16) ||
        !read_number(offset, m.offset, 16) || !read_number(inode, m.inode, 10) || m.end <= m.start)
        return {};
    m.path = line;
    return m;
}

mapped_file::mapped_file(const mapping& of) noexcept {
    char path[4096];
    if (of.path.size() >= sizeof path) return;
    std::memcpy(path, of.path.data(), of.path.size());
    path[of.path.size()] = '\0';
    const int fd = open_mapped(path, of.inode, size_);
    if (fd < 0) return;
    void* const bytes = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED) return;
    bytes_ = bytes;
    if (auto parsed = elf::image::parse({static_cast<const char*>(bytes), size_})) elf_ = *parsed;
}

mapped_file::~mapped_file() {
    if (bytes_) munmap(bytes_, size_);
}

}  // namespace apus::profiling
