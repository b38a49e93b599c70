// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/elf/image.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::profiling {

/// A part of a file that is mapped into this process as code: a line of /proc/self/maps.
struct mapping {
    std::uintptr_t start = 0, end = 0;
    std::uint64_t offset = 0;  ///< Of `start` in the file.
    std::uint64_t inode = 0;
    std::string_view path{};  ///< A view into the line. May end in ` (deleted)`.

    bool contains(std::uintptr_t address) const noexcept { return address >= start && address < end; }
};

/// Parses a line of /proc/self/maps, without its line feed.
/// Empty for a mapping that is not code of a file.
std::optional<mapping> parse_mapping(std::string_view line) noexcept;

/// Calls `f(mapping)` for each mapping with code of a file in the text of /proc/self/maps.
template <class F>
void for_each_mapping(std::string_view maps, F f) {
    while (!maps.empty()) {
        const std::string_view line = maps.substr(0, maps.find('\n'));
        maps.remove_prefix(line.size() < maps.size() ? line.size() + 1 : line.size());
        if (const auto m = parse_mapping(line)) f(*m);
    }
}

/// The ELF file of a mapping, in memory. Neither allocates nor locks: signal handlers may use it.
class mapped_file {
public:
    /// Opens the file of the mapping.
    /// Without access to the file, or if another file has replaced it, `image()` is null.
    explicit mapped_file(const mapping&) noexcept;
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file();

    const elf::image* image() const noexcept { return elf_ ? &*elf_ : nullptr; }

private:
    void* bytes_ = nullptr;
    std::size_t size_ = 0;
    std::optional<elf::image> elf_;
};

}  // namespace apus::profiling
