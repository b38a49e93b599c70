// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/decoder.hpp"

#include "base/ascii_scan.hpp"
#include "codec/hpack/errors.hpp"
#include "codec/hpack/integer.hpp"
#include "codec/hpack/static_table.hpp"

namespace apus::codec::hpack {
namespace {

using fields::field_id;

bool has_no_blank_ends(std::string_view value) noexcept {
    return value.empty() || (!base::is_blank(value.front()) && !base::is_blank(value.back()));
}

bool has_no_controls(std::string_view value) noexcept {
    const base::readable in{value.data(), value.data() + value.size()};
    return base::skip_value(in, in.begin) == in.end;
}

// Checks a name that has no `field_id`.
bool is_valid_name(std::string_view name) noexcept {
    for (const char c : name)
        if (!base::is(c, base::token_byte) || (c >= 'A' && c <= 'Z')) return false;
    return !name.empty();
}

}  // namespace

// An encoded string.
struct decoder::encoded_text {
    std::string_view bytes;
    bool huffman = false;

    std::size_t max_decoded() const noexcept { return huffman ? max_huffman(bytes.size()) : 0; }
};

// A literal field, before its strings are decoded (RFC 7541, 6.2).
struct decoder::literal_head {
    std::uint32_t name_index = 0;  // 0: the name is a literal
    encoded_text name, value;
    const char* end = nullptr;
    bool indexed = false, never_indexed = false;
};

void decoder::begin_block(std::uint32_t max_list) noexcept {
    list_size_ = 0;
    max_list_ = max_list;
    fields_read_ = false;
}

inline bool decoder::count(std::size_t name, std::size_t value) noexcept {
    const std::size_t size = name + value + dynamic_table::around_entry;
    if (size > max_list_ - list_size_) return false;
    list_size_ += static_cast<std::uint32_t>(size);
    return true;
}

inline step decoder::find_indexed(std::uint32_t index, field& out) noexcept {
    if (index <= static_entries) {
        if (index == 0) return refuse(errors::index_zero);
        const static_entry& e = static_entry_at(index);
        out = {e.name, e.value, 0, 0, e.id, static_cast<std::uint8_t>(index), false, false, false, false};
    } else {
        const std::uint32_t age = index - static_entries - 1;
        if (age >= table_.count()) return refuse(errors::index_unknown);
        const auto e = table_.at(age);
        out = {e.name, e.value, table_.inserted() - age, 0, e.id, 0, false, e.marks != 0, false, false};
    }
    return count(out.name.size(), out.value.size()) ? step::field : refuse(errors::list_too_large);
}

step decoder::read(std::string_view& in, char* room, std::size_t room_size, field& out) {
    if (in.empty()) return reduced_to_ == no_reduction ? step::end : step::partial;
    // Fast path for most fields: an index of one byte.
    if (reduced_to_ == no_reduction) [[likely]] {
        const auto first = static_cast<unsigned char>(in.front());
        if (first >= 0x80 && first != 0xff) {
            fields_read_ = true;
            in.remove_prefix(1);
            return find_indexed(first & 0x7f, out);
        }
    }
    return read_other(in, room, room_size, out);
}

step decoder::read_other(std::string_view& in, char* room, std::size_t room_size, field& out) {
    while (!in.empty()) {
        const auto first = static_cast<unsigned char>(in.front());
        if ((first & 0xe0) == 0x20) {
            if (const step got = read_size_update(in); got != step::field) return got;
            continue;
        }
        if (reduced_to_ != no_reduction) return refuse(errors::size_update_missing);
        fields_read_ = true;
        return first >= 0x80 ? read_indexed(in, out) : read_literal(in, room, room_size, out);
    }
    return reduced_to_ == no_reduction ? step::end : step::partial;
}

step decoder::read_size_update(std::string_view& in) noexcept {
    const char* at = in.data();
    std::uint32_t size;
    switch (read_integer(at, in.data() + in.size(), 5, size)) {
        case outcome::partial: return step::partial;
        case outcome::bad: return refuse(errors::integer_overflow);
        case outcome::done: break;
    }
    if (fields_read_) return refuse(errors::size_update_late);
    if (size > limit_ || size > reduced_to_) return refuse(errors::size_update_too_large);
    reduced_to_ = no_reduction;
    table_.set_capacity(size);
    in.remove_prefix(static_cast<std::size_t>(at - in.data()));
    return step::field;
}

step decoder::read_indexed(std::string_view& in, field& out) noexcept {
    const char* at = in.data();
    std::uint32_t index;
    switch (read_integer(at, in.data() + in.size(), 7, index)) {
        case outcome::partial: return step::partial;
        case outcome::bad: return refuse(errors::integer_overflow);
        case outcome::done: break;
    }
    in.remove_prefix(static_cast<std::size_t>(at - in.data()));
    return find_indexed(index, out);
}

// Reads an encoded string. If the length is known but not all bytes have arrived, returns `partial`, and sets the size
// of `text.bytes`.
outcome decoder::read_text(const char*& at, const char* end, encoded_text& text) noexcept {
    if (at == end) return outcome::partial;
    const bool huffman = (static_cast<unsigned char>(*at) & 0x80) != 0;
    std::uint32_t size;
    if (const outcome got = read_integer(at, end, 7, size); got != outcome::done) return got;
    // An empty string is not decoded, because the room may be null.
    text = {{at, size}, huffman && size != 0};
    if (static_cast<std::size_t>(end - at) < size) return outcome::partial;
    at += size;
    return outcome::done;
}

step decoder::parse_head(std::string_view in, literal_head& head) noexcept {
    const char* at = in.data();
    const char* end = at + in.size();
    const auto first = static_cast<unsigned char>(*at);
    head.indexed = first >= 0x40;
    head.never_indexed = (first & 0xf0) == 0x10;
    outcome got = read_integer(at, end, head.indexed ? 6 : 4, head.name_index);
    if (got == outcome::done && head.name_index == 0) got = read_text(at, end, head.name);
    if (got == outcome::done) got = read_text(at, end, head.value);
    if (got == outcome::bad) return refuse(errors::integer_overflow);
    // If a field is too large, rejects it before all its bytes have arrived.
    constexpr std::size_t densest = 4;  // a Huffman code has fewer than 32 bits
    const auto least = [](const encoded_text& t) { return t.huffman ? t.bytes.size() / densest : t.bytes.size(); };
    if (least(head.name) + least(head.value) > max_list_ - list_size_) return refuse(errors::list_too_large);
    head.end = at;
    return got == outcome::done ? step::field : step::partial;
}

// Sets name and id of a field whose name is an index.
step decoder::resolve_name(const literal_head& head, field& out) noexcept {
    if (head.name_index <= static_entries) {
        const static_entry& e = static_entry_at(head.name_index);
        out.name = e.name;
        out.id = e.id;
        return step::field;
    }
    const std::uint32_t age = head.name_index - static_entries - 1;
    if (age >= table_.count()) return refuse(errors::index_unknown);
    const auto e = table_.at(age);
    out.name = e.name;
    out.id = e.id;
    out.malformed = (e.marks & dynamic_table::malformed_name) != 0;
    return step::field;
}

// Decodes a literal name to the beginning of `room`.
step decoder::decode_name(const encoded_text& text, char*& room, text_reader reader, field& out) noexcept {
    out.name = text.bytes;
    if (text.huffman) {
        const huffman_text got = reader(text.bytes, room);
        if (got.why != nullptr) return refuse(*got.why);
        out.name = {room, static_cast<std::size_t>(got.end - room)};
        out.name_in_room = true;
        room = got.end;
    }
    out.id = fields::find_field_id(out.name);
    out.malformed = out.id == field_id::unknown && !is_valid_name(out.name);
    return step::field;
}

// Decodes the strings of a field. `room` has the size that `reader` needs.
step decoder::decode(const literal_head& head, char* room, text_reader reader, field& out) {
    out = {};
    out.never_indexed = head.never_indexed;
    const step named = head.name_index != 0 ? resolve_name(head, out) : decode_name(head.name, room, reader, out);
    if (named != step::field) return named;
    out.value = head.value.bytes;
    bool usual = false;
    if (head.value.huffman) {
        const huffman_text got = reader(head.value.bytes, room);
        if (got.why != nullptr) return refuse(*got.why);
        out.value = {room, static_cast<std::size_t>(got.end - room)};
        out.value_in_room = true;
        usual = got.usual;
    }
    if (!count(out.name.size(), out.value.size())) return refuse(errors::list_too_large);
    const bool valid_value = has_no_blank_ends(out.value) && (usual || has_no_controls(out.value));
    if (head.indexed) insert(out, valid_value);
    out.malformed = out.malformed || !valid_value;
    return step::field;
}

void decoder::insert(field& out, bool valid_value) {
    unsigned marks = 0;
    if (out.malformed) marks |= dynamic_table::malformed_name;
    if (!valid_value) marks |= dynamic_table::malformed_value;
    if (!table_.insert({out.name, out.value, out.id, static_cast<std::uint8_t>(marks)})) return;
    out.entry = table_.inserted();
    // The insertion may have moved the name in the table.
    if (out.id == field_id::unknown && !out.name_in_room) out.name = table_.at(0).name;
}

step decoder::read_literal(std::string_view& in, char* room, std::size_t room_size, field& out) {
    literal_head head;
    if (const step got = parse_head(in, head); got != step::field) return got;
    if (const std::size_t need = head.name.max_decoded() + head.value.max_decoded(); need > room_size) {
        out.need = static_cast<std::uint32_t>(need);
        return step::no_room;
    }
    const step got = decode(head, room, read_huffman, out);
    if (got == step::field) in.remove_prefix(static_cast<std::size_t>(head.end - in.data()));
    return got;
}

step decoder::skip(std::string_view& in, field& out) {
    char room[dynamic_table::max_size];
    step got = read(in, room, sizeof room, out);
    if (got == step::no_room) got = skip_long(in, room, out);
    out.name = out.value = {};
    out.name_in_room = out.value_in_room = false;
    return got;
}

// Skips a field. Decodes the field only if it is added to the dynamic table. `room` has the size of the table.
step decoder::skip_long(std::string_view& in, char* room, field& out) {
    literal_head head;
    if (const step got = parse_head(in, head); got != step::field) return got;
    const refusal* why = nullptr;
    const auto size_of = [&why](const encoded_text& text) {
        return text.huffman ? measure_huffman(text.bytes, why) : text.bytes.size();
    };
    std::size_t name_size = size_of(head.name);
    const std::size_t value_size = size_of(head.value);
    if (why != nullptr) return refuse(*why);
    out = {};
    if (head.name_index != 0) {
        if (const step got = resolve_name(head, out); got != step::field) return got;
        name_size = out.name.size();
    }
    const bool fits = name_size + value_size + dynamic_table::around_entry <= table_.capacity();
    if (head.indexed && fits) {
        if (const step got = decode(head, room, read_huffman_exactly, out); got != step::field) return got;
    } else {
        if (!count(name_size, value_size)) return refuse(errors::list_too_large);
        if (head.indexed) table_.evict_all();
    }
    in.remove_prefix(static_cast<std::size_t>(head.end - in.data()));
    return step::field;
}

}  // namespace apus::codec::hpack
