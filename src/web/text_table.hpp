// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus::web {

/// Numbers by text, and by the owner of the text. Filled while the app is made, read from then on:
/// `find` allocates nothing.
///
/// The hash has no secret, and needs none: clients choose what is looked up, never what is stored.
/// A lookup looks at no more entries than the longest run of the table, which the program's own
/// routes have made; texts that were chosen to collide cost one comparison each.
class text_table {
public:
    static constexpr std::uint32_t absent = 0xffff'ffff;

    /// Stores `value`, which must not be `absent`, unless there is one already. Gives what is stored.
    std::uint32_t add(std::uint32_t owner, std::string_view text, std::uint32_t value);

    std::uint32_t find(std::uint32_t owner, std::string_view text) const noexcept;

    bool empty() const noexcept { return count_ == 0; }
    std::size_t longest_run() const noexcept;  ///< Entries that a lookup may look at.

private:
    // Of a size that divides a cache line: with ten thousand routes, most of what a lookup costs is
    // the lines that it touches first.
    struct entry {
        std::uint32_t hash;
        std::uint32_t owner;
        std::uint32_t value = absent;
        std::uint32_t at;
    };
    static_assert(sizeof(entry) == 16);
    std::size_t place_of(std::uint64_t hash, std::uint32_t owner, std::string_view text) const noexcept;
    std::string_view text_at(std::uint32_t at) const noexcept;
    void grow();

    std::vector<entry> entries_;  // a power of two of them, at most half of them taken
    std::string texts_;           // each behind its size, of four bytes
    std::size_t count_ = 0;
};

}  // namespace apus::web
