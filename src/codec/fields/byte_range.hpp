// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace apus::codec::fields {

/// A part of a representation, in bytes; both ends belong to it, as in Content-Range.
struct byte_range {
    std::uint64_t first;
    std::uint64_t last;

    std::uint64_t size() const noexcept { return last - first + 1; }
    friend bool operator==(const byte_range&, const byte_range&) = default;
};

/// What a Range field asks of a representation (RFC 9110, 14.2).
struct ranges_asked {
    enum class what : unsigned char {
        whole,         ///< All of it: the field is to be ignored.
        parts,         ///< So many parts.
        unsatisfiable  ///< 416: nothing that is there.
    };
    what kind;
    std::size_t count = 0;
};

/// Reads a Range field for a representation of `size` bytes and puts the parts into `parts`, in the
/// order asked for. Parts that overlap, or lie closer than another part's head is long, become one.
///
/// The field is ignored, as RFC 9110 allows, if its unit is not bytes, if it breaks the grammar, if
/// it asks for more parts than there is room for (it then costs more than the whole), if more than
/// two overlap, or if the representation is empty.
ranges_asked read_ranges(std::string_view field, std::uint64_t size, std::span<byte_range> parts) noexcept;

}  // namespace apus::codec::fields
