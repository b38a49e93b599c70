// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/encoder.hpp"

#include "codec/hpack/integer.hpp"
#include "codec/hpack/literal.hpp"
#include "codec/hpack/static_table.hpp"

#include <algorithm>

namespace apus::codec::hpack {

void encoder::set_peer_limit(std::uint32_t bytes) noexcept {
    const std::uint32_t capacity = std::min(bytes, use_);
    lowest_ = std::min(lowest_, bytes < peers_ ? capacity : lowest_);
    table_.set_capacity(capacity);
}

// Announces the lowest capacity since the last block, then the current capacity (RFC 7541, 4.2), if they differ from
// the capacity of the peer's table.
char* encoder::begin_block(char* to) noexcept {
    if (lowest_ < peers_) {
        to = write_integer(to, 0x20, 5, lowest_);
        peers_ = lowest_;
    }
    if (table_.capacity() > peers_) {
        to = write_integer(to, 0x20, 5, table_.capacity());
        peers_ = table_.capacity();
    }
    lowest_ = peers_;
    return to;
}

encoder::match encoder::find(fields::field_id id, std::string_view name, std::string_view value) const noexcept {
    match found{find_static_entry(id, value), static_index_of(id)};
    if (found.field != 0) return found;
    for (std::uint32_t age = 0; age < table_.count(); ++age) {
        const auto e = table_.at(age);
        if (e.id != id || (id == fields::field_id::unknown && e.name != name)) continue;
        if (e.value == value) return {static_entries + 1 + age, 0};
        if (found.name == 0) found.name = static_entries + 1 + age;
    }
    return found;
}

char* encoder::write_indexed(char* to, std::string_view name, std::string_view value) {
    const fields::field_id id = fields::find_field_id(name);
    const match found = find(id, name, value);
    if (found.field != 0) return write_integer(to, 0x80, 7, found.field);
    // Does not add an entry larger than half of the table, which would evict fields that repeat more often.
    const std::size_t size = name.size() + value.size() + dynamic_table::around_entry;
    const bool indexed = size <= table_.capacity() / 2;
    to = indexed ? write_integer(to, 0x40, 6, found.name) : write_integer(to, 0, 4, found.name);
    if (found.name == 0) to = write_text(to, name, coding::huffman);
    to = write_text(to, value, coding::huffman);
    if (indexed) table_.insert({name, value, id, 0});
    return to;
}

}  // namespace apus::codec::hpack
