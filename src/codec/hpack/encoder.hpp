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
    static constexpr std::uint32_t table_most = dynamic_table::size_most;

    /// `table_use`: maximum bytes to use of the peer's table, up to `table_most`.
    explicit encoder(std::uint32_t table_use = table_most) noexcept : table_(table_use), use_(table_use) {}

    /// Sets the peer's SETTINGS_HEADER_TABLE_SIZE. Call in the order of arrival.
    void set_peer_limit(std::uint32_t bytes) noexcept;

    static constexpr std::size_t begin_most = 12;  ///< Maximum bytes that `begin_block` writes.

    /// Begins a header block: writes pending table size updates, usually none. Returns the end.
    char* begin_block(char* to) noexcept;

    /// Writes a field as an index if a table contains it, else as a literal that is added to the table.
    /// Do not use it for secrets that others on this connection could guess (RFC 7541, 7.1). The name is in lower case.
    /// `to` has `literal_most(name.size(), value.size())` bytes. Returns the end. Throws `std::bad_alloc` if the table
    /// cannot grow.
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
    std::uint32_t peers_ = table_most;   // capacity of the peer's table
    std::uint32_t lowest_ = table_most;  // lowest capacity required since the last block
};

}  // namespace apus::codec::hpack
