// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/mapping.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::profiling {

/// The code that is mapped into this process, for signal handlers: neither allocates nor locks.
/// 280 KB, so it must not be on the stack.
class code_map {
public:
    void read() noexcept;                                            ///< Reads /proc/self/maps.
    const mapping* find(std::uintptr_t address) const noexcept;      ///< Null outside of all code.
    const mapping* find_file(std::string_view path) const noexcept;  ///< The first code of this file, or null.

private:
    template <class F>
    const mapping* find_if(F matches) const noexcept {
        for (std::size_t i = 0; i < count_; ++i)
            if (matches(mappings_[i])) return &mappings_[i];
        return nullptr;
    }

    static constexpr std::size_t max_text = 256 * 1024, max_mappings = 512;

    char text_[max_text] = {};
    mapping mappings_[max_mappings] = {};
    std::size_t count_ = 0;
};

/// A function on a stack. The names are mangled.
struct named_frame {
    std::string_view file{};         ///< Path of the program or library.
    std::string_view build_id{};     ///< Bytes.
    std::uint64_t file_address = 0;  ///< Virtual address in the file, for addr2line.
    std::string_view function{};     ///< Empty without a symbol.
    std::uint64_t offset = 0;        ///< From the begin of the function.
};

/// Names functions in a signal handler.
class frame_namer {
public:
    explicit frame_namer(const code_map& code) noexcept : code_(code) {}
    /// Returns the names of an address, valid until the next call. All are empty outside of all code.
    named_frame name(std::uintptr_t address) noexcept;

private:
    const code_map& code_;
    const mapping* of_ = nullptr;
    std::optional<mapped_file> file_;  // of `of_`; the frames of a file usually follow each other
};

}  // namespace apus::profiling
