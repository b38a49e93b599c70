// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace apus::codec::fields {

/// A range of bytes of a representation. `first` and `last` are inclusive, as in Content-Range.
struct byte_range {
    std::uint64_t first;
    std::uint64_t last;

    std::uint64_t size() const noexcept { return last - first + 1; }
    friend bool operator==(const byte_range&, const byte_range&) = default;
};

/// Result of evaluating a Range field (RFC 9110, 14.2).
struct ranges_asked {
    enum class what : unsigned char {
        whole,         ///< The field is ignored: send the whole representation.
        parts,         ///< Send `count` parts.
        unsatisfiable  ///< None of the requested bytes exist: 416.
    };
    what kind;
    std::size_t count = 0;
};

/// Parses a Range field for a representation of `size` bytes into `parts`, in the order requested.
/// Joins parts that overlap, or whose distance is less than the size of a part's head. Ignores the field, as RFC 9110
/// allows, in these cases: a unit other than bytes, invalid syntax, more parts than fit into `parts` (which would take
/// more work than the whole), more than two overlaps, or an empty representation.
ranges_asked read_ranges(std::string_view field, std::uint64_t size, std::span<byte_range> parts) noexcept;

}  // namespace apus::codec::fields
