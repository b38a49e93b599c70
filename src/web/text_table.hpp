// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus::web {

/// Maps text, together with its owner, to numbers.
/// Filled while the app is created and then read-only: `find` does not allocate. The hash needs no secret: clients
/// choose the texts to look up, but not the entries. A lookup visits at most the longest run of the table, which
/// depends on the program's own routes; each entry with an equal hash costs one text comparison.
class text_table {
public:
    static constexpr std::uint32_t absent = 0xffff'ffff;

    /// Stores `value`, unless the key already has a value. Returns the stored value.
    /// `value` must not be `absent`.
    std::uint32_t add(std::uint32_t owner, std::string_view text, std::uint32_t value);

    std::uint32_t find(std::uint32_t owner, std::string_view text) const noexcept;

    bool empty() const noexcept { return count_ == 0; }
    std::size_t longest_run() const noexcept;  ///< Maximum number of entries that a lookup visits.

private:
    // The size of an entry divides a cache line: with ten thousand routes, the cost of a lookup is mostly cache misses.
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

    std::vector<entry> entries_;  // the size is a power of two, and at most half of the entries are in use
    std::string texts_;           // each text follows its size, a number of four bytes
    std::size_t count_ = 0;
};

}  // namespace apus::web
