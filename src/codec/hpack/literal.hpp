// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/field_id.hpp"
#include "codec/hpack/huffman_code.hpp"
#include "codec/hpack/integer.hpp"
#include "codec/hpack/static_table.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

// Fields that do not depend on a dynamic table: entries of the static table, and literals without indexing (RFC 7541,
// 6.2.2). The server writes only such fields. With a dynamic table, a head of status, date, type and length would have
// 7 bytes instead of 52. But its encoding would take 439 instructions instead of 70 (bench/micro/codec/hpack.cpp), and
// each connection would need a table.

namespace apus::codec::hpack {

enum class coding : std::uint8_t {
    plain,
    huffman,  ///< Used only if it is shorter than `plain`.
};
enum class indexing : std::uint8_t {
    without = 0,   ///< An intermediary may index the field.
    never = 0x10,  ///< For secrets: an intermediary must not index the field (RFC 7541, 6.2.3).
};

/// Returns the maximum size of a literal field in bytes.
constexpr std::size_t max_literal(std::size_t name_size, std::size_t value_size) noexcept {
    return name_size + value_size + 2 * max_integer + 1;
}

/// Writes a string (RFC 7541, 5.2) and returns the end.
/// Needs at most `text.size() + max_integer` bytes.
char* write_text(char* to, std::string_view text, coding) noexcept;

constexpr std::size_t max_status = 5;
/// Writes `:status`, 100 to 999, and returns the end.
char* write_status(char* to, unsigned status) noexcept;

constexpr std::size_t max_content_length = 23;
/// Writes `content-length` and returns the end.
char* write_content_length(char* to, std::uint64_t) noexcept;

/// Writes a field and returns the end. `to` must have `max_literal` bytes.
char* write_literal(char* to, fields::field_id, std::string_view value, coding = coding::plain,
                    indexing = indexing::without) noexcept;

/// Writes a field and returns the end. Converts the name to lower case.
/// Writes the name's index in the static table, if any, otherwise the name without Huffman code.
char* write_literal(char* to, std::string_view name, std::string_view value, coding = coding::plain,
                    indexing = indexing::without) noexcept;

/// A field that is encoded at compile time.
/// All such fields have the same capacity, so that copying a field takes a few instructions and no call.
struct fixed_field {
    static constexpr std::size_t room = 64;

    /// The name must have an index in the static table.
    consteval fixed_field(fields::field_id id, std::string_view value) {
        char* at = write_integer(bytes, 0, 4, static_index_of(id));
        const auto short_size = static_cast<std::uint32_t>(huffman_size(value));
        if (short_size < value.size()) {
            at = write_integer(at, 0x80, 7, short_size);
            at = write_huffman(at, value);
        } else {
            at = write_integer(at, 0, 7, static_cast<std::uint32_t>(value.size()));
            for (const char c : value) *at++ = c;
        }
        size = static_cast<std::uint8_t>(at - bytes);
    }

    /// Writes the field and returns its end. `to` must have `room` bytes, which are all overwritten.
    char* append(char* to) const noexcept {
        std::memcpy(to, bytes, room);
        return to + size;
    }

    char bytes[room] = {};
    std::uint8_t size = 0;
};

}  // namespace apus::codec::hpack
