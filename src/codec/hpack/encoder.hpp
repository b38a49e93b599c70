// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/field_id.hpp"
#include "codec/hpack/dynamic_table.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus::codec::hpack {

/// HPACK encoder for one direction of a connection.
/// Write repeated fields by `write_indexed`, and all others by the functions of literal.hpp, in any order. The table
/// allocates no memory until the first `write_indexed`.
class encoder {
public:
    static constexpr std::uint32_t max_table = dynamic_table::max_size;

    /// `table_use`: maximum bytes of the peer's table that the encoder uses, up to `max_table`.
    explicit encoder(std::uint32_t table_use = max_table) noexcept : table_(table_use), use_(table_use) {}

    /// Sets the peer's SETTINGS_HEADER_TABLE_SIZE.
    /// Call it once for each value, in the order of arrival.
    void set_peer_limit(std::uint32_t bytes) noexcept;

    static constexpr std::size_t max_begin = 12;  ///< Maximum bytes that `begin_block` writes.

    /// Begins a header block: writes pending table size updates, usually none. Returns the end.
    char* begin_block(char* to) noexcept;

    /// Writes a field as an index if a table contains it, otherwise as a literal that is added to the
    /// table. Do not use it for secrets that others on this connection could guess (RFC 7541, 7.1). The name must be in
    /// lower case. `to` must have `max_literal(name.size(), value.size())` bytes. Returns the end. Throws
    /// `std::bad_alloc` if the table cannot grow.
    char* write_indexed(char* to, std::string_view name, std::string_view value);

    std::size_t memory() const noexcept { return table_.memory(); }  ///< Bytes that the table has allocated.
    void shrink() { table_.shrink(); }                               ///< Releases memory that entries do not use.

private:
    struct match {
        std::uint32_t field = 0, name = 0;  // indexes, or 0
    };
    match find(fields::field_id, std::string_view name, std::string_view value) const noexcept;

    dynamic_table table_;
    std::uint32_t use_;
    std::uint32_t peers_ = max_table;   // capacity of the peer's table
    std::uint32_t lowest_ = max_table;  // lowest capacity required since the last block
};

}  // namespace apus::codec::hpack
