// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/field_id.hpp"
#include "codec/hpack/dynamic_table.hpp"
#include "codec/hpack/huffman.hpp"
#include "codec/parsed.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace apus::codec::hpack {

/// A field of a header block.
/// The views refer to the input (plain literals), the caller's room (Huffman strings) or a table. They are valid until
/// the next call of the decoder.
struct field {
    std::string_view name, value;
    /// Number of the field's entry in the dynamic table, from 1; 0 without an entry.
    /// The number of an entry does not change, so that the caller can cache results for repeated fields.
    std::uint32_t entry;
    std::uint32_t need;         ///< Bytes of room that the field may need. Set only for `step::no_room`.
    fields::field_id id;        ///< Also set for literal names.
    std::uint8_t static_index;  ///< Static table entry with this name and value (2: GET, 4: "/", 7: https); else 0.
    bool never_indexed;         ///< An intermediary must not index the field (RFC 7541, 6.2.3).
    bool malformed;             ///< Name or value is invalid in HTTP/2 (RFC 9113, 8.2.1); see `decoder`.
    bool name_in_room;          ///< The name is at the beginning of the room.
    bool value_in_room;         ///< The value is in the room: after the name if `name_in_room`, else at the beginning.
};

enum class step : std::uint8_t {
    field,  ///< A field was read.
    end,    ///< The whole input was read. The block may end here.
    /// The input ends within a field.
    /// Call again with more bytes. At the end of a block, this is an error: `errors::block_cut`.
    partial,
    no_room,  ///< The room may be too small. Nothing was read: call again with more room, or call `skip`.
    bad,      ///< Invalid input: close the connection; see `why`. Do not call the decoder again.
};

/// Decodes the header blocks of one direction of a connection (RFC 7541).
/// Allocates memory only to insert into the dynamic table.
///
/// These fields are malformed: empty names; names that are not lower-case tokens; unknown pseudo-header fields; values
/// with control characters other than tab; values that begin or end with a space or a tab. An entry of the dynamic
/// table stores whether its field is malformed.
class decoder {
public:
    static constexpr std::uint32_t max_table = dynamic_table::max_size;

    /// Sets the limit of the table size. Call it when the peer acknowledges SETTINGS_HEADER_TABLE_SIZE.
    /// `bytes`: at most `max_table`, which is the initial limit. If the table is larger, the next block must begin with
    /// a size update (RFC 9113, 4.3.1), even if the limit is raised again before that block (RFC 7541, 4.2).
    void set_table_limit(std::uint32_t bytes) noexcept {
        limit_ = bytes;
        if (bytes < table_.capacity() && bytes < reduced_to_) reduced_to_ = bytes;
    }

    /// Begins a header block.
    /// If the header list is larger than `max_list` (RFC 9113, 6.5.2), the error is `errors::list_too_large`, and the
    /// connection must end. So `max_list` should be far above the size for which the caller sends an error response.
    void begin_block(std::uint32_t max_list) noexcept;

    /// Reads the next field and removes its bytes from `in`.
    /// `in` is the part of the block that has arrived and is not read yet. Takes constant time if the result is
    /// `partial`. Throws `std::bad_alloc` if the table cannot grow.
    step next(std::string_view& in, std::span<char> room, field& out) {
        return read(in, room.data(), room.size(), out);
    }

    /// Like `next`, for a field that is ignored: `name` and `value` are empty. Needs no room.
    step skip(std::string_view& in, field& out);

    std::uint32_t list_size() const noexcept { return list_size_; }  ///< Size of this block's header list so far.
    const refusal* why() const noexcept { return why_; }             ///< The reason after `step::bad`; otherwise null.

    std::uint32_t table_size() const noexcept { return table_.size(); }  ///< Size of the dynamic table (RFC 7541, 4.1).
    std::size_t memory() const noexcept { return table_.memory(); }      ///< Bytes that the table has allocated.
    /// Releases memory that entries do not use.
    void shrink() { table_.shrink(); }

private:
    static constexpr std::uint32_t no_reduction = ~std::uint32_t{0};
    struct encoded_text;
    struct literal_head;
    using text_reader = huffman_text (*)(std::string_view, char*) noexcept;
    step read(std::string_view& in, char* room, std::size_t room_size, field& out);
    [[gnu::noinline]] step read_other(std::string_view& in, char* room, std::size_t room_size, field& out);
    step read_indexed(std::string_view& in, field& out) noexcept;
    step find_indexed(std::uint32_t index, field& out) noexcept;
    step read_size_update(std::string_view& in) noexcept;
    step read_literal(std::string_view& in, char* room, std::size_t room_size, field& out);
    step parse_head(std::string_view in, literal_head&) noexcept;
    step resolve_name(const literal_head&, field& out) noexcept;
    static outcome read_text(const char*& at, const char* end, encoded_text&) noexcept;
    step decode_name(const encoded_text&, char*& room, text_reader, field& out) noexcept;
    step decode(const literal_head&, char* room, text_reader, field& out);
    step skip_long(std::string_view& in, char* room, field& out);
    void insert(field& out, bool valid_value);
    bool count(std::size_t name, std::size_t value) noexcept;
    step refuse(const refusal& reason) noexcept {
        why_ = &reason;
        return step::bad;
    }

    dynamic_table table_{max_table};
    std::uint32_t limit_ = max_table;          // acknowledged limit
    std::uint32_t reduced_to_ = no_reduction;  // lowest acknowledged limit below the table's capacity
    std::uint32_t list_size_ = 0;
    std::uint32_t max_list_ = 0;
    bool fields_read_ = false;  // a field of this block was read
    const refusal* why_ = nullptr;
};

}  // namespace apus::codec::hpack
