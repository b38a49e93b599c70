// SPDX-License-Identifier: Apache-2.0
#include "postgres/decode.hpp"

#include "base/hex.hpp"

#include <bit>

namespace apus::postgres {
namespace {

using sql::value;
using sql::value_kind;
using decoded = std::optional<value>;

value integer(std::int64_t n, value_kind kind = value_kind::integer) { return {.kind = kind, .integer = n}; }
value number(double n) { return {.kind = value_kind::number, .number = n}; }
value text(std::string_view t, value_kind kind = value_kind::text) { return {.kind = kind, .integer = 0, .text = t}; }

template <class T>
decoded read_integer(std::string_view bytes) {
    if (bytes.size() != sizeof(T)) return std::nullopt;
    return integer(load<T>(bytes.data()));
}

decoded read_uuid(std::string_view bytes, std::string& to) {
    if (bytes.size() != 16) return std::nullopt;
    for (std::size_t i = 0; i < 16; i += 2) {
        if (i >= 4 && i <= 10) to += '-';
        base::append_hex(to, bytes.substr(i, 2));
    }
    return text(to);
}

decoded read_date(std::string_view bytes, std::string& to) {
    if (bytes.size() != 4) return std::nullopt;
    print_date(to, load<std::int32_t>(bytes.data()));
    return text(to);
}

// The maximum stands for infinity, the minimum for -infinity. Both are returned as text, like times whose microseconds
// since 1970 exceed 64 bits.
decoded read_timestamp(std::string_view bytes, std::string& to, bool utc) {
    if (bytes.size() != 8) return std::nullopt;
    const auto since_2000 = load<std::int64_t>(bytes.data());
    std::int64_t since_1970 = 0;
    if (since_2000 != INT64_MIN && !__builtin_add_overflow(since_2000, days_to_2000 * microseconds_of_day, &since_1970))
        return integer(since_1970, value_kind::time);
    print_timestamp(to, since_2000, utc);
    return text(to);
}

decoded read_time_of_day(std::string_view bytes, std::string& to, bool zoned) {
    if (bytes.size() != (zoned ? 12 : 8)) return std::nullopt;
    const auto time = load<std::int64_t>(bytes.data());
    if (time < 0 || time > microseconds_of_day) return std::nullopt;
    print_time(to, time);
    if (!zoned) return text(to);
    const std::int64_t west = load<std::int32_t>(bytes.data() + 8);  // seconds
    const std::int64_t minutes = (west < 0 ? -west : west) / 60;
    if (minutes >= 24 * 60) return std::nullopt;
    to += west > 0 ? '-' : '+';
    for (const std::int64_t digit : {minutes / 600, minutes / 60 % 10, minutes % 60 / 10, minutes % 10})
        to += static_cast<char>('0' + digit);
    to.insert(to.size() - 2, 1, ':');
    return text(to);
}

decoded read_interval(std::string_view bytes, std::string& to) {
    if (bytes.size() != 16) return std::nullopt;
    print_interval(to, load<std::int64_t>(bytes.data()), load<std::int32_t>(bytes.data() + 8),
                   load<std::int32_t>(bytes.data() + 12));
    return text(to);
}

decoded read_scalar(oid type, std::string_view bytes, std::string& to) {
    switch (type) {
        case oid::boolean:
            if (bytes.size() != 1 || (bytes[0] != 0 && bytes[0] != 1)) return std::nullopt;
            return integer(bytes[0], value_kind::boolean);
        case oid::int2: return read_integer<std::int16_t>(bytes);
        case oid::int4: return read_integer<std::int32_t>(bytes);
        case oid::int8: return read_integer<std::int64_t>(bytes);
        case oid::object_id: return read_integer<std::uint32_t>(bytes);
        case oid::float4:
            if (bytes.size() != 4) return std::nullopt;
            return number(std::bit_cast<float>(load<std::uint32_t>(bytes.data())));
        case oid::float8:
            if (bytes.size() != 8) return std::nullopt;
            return number(std::bit_cast<double>(load<std::uint64_t>(bytes.data())));
        case oid::bytea: return text(bytes, value_kind::bytes);
        case oid::json: return text(bytes, value_kind::json);
        case oid::jsonb:
            if (bytes.empty() || bytes[0] != 1) return std::nullopt;
            return text(bytes.substr(1), value_kind::json);
        case oid::uuid: return read_uuid(bytes, to);
        case oid::date: return read_date(bytes, to);
        case oid::timestamp: return read_timestamp(bytes, to, false);
        case oid::timestamptz: return read_timestamp(bytes, to, true);
        case oid::time: return read_time_of_day(bytes, to, false);
        case oid::timetz: return read_time_of_day(bytes, to, true);
        case oid::interval: return read_interval(bytes, to);
        case oid::numeric:
            if (!print_numeric(to, bytes)) return std::nullopt;
            return text(to);
        default: return text(bytes);
    }
}

constexpr unsigned deepest = 16;

decoded read_item(oid type, std::string_view bytes, decode_room& room, unsigned depth);

decoded list_of(const std::vector<value>& items, value_kind kind) {
    return value{.kind = kind, .count = static_cast<std::uint32_t>(items.size()), .items = items.data()};
}

decoded read_array(array_reader& reader, decode_room& room, std::vector<value>& to, unsigned depth) {
    while (const auto item = reader.next()) {
        decoded v = value{};
        if (!item->null) v = read_item(reader.item_type(), item->bytes, room, depth + 1);
        if (!v) return std::nullopt;
        to.push_back(*v);
    }
    if (reader.broken()) return std::nullopt;
    return list_of(to, value_kind::list);
}

// Format: int32 number of fields; for each field int32 type, int32 size (-1 for null) and its bytes.
decoded read_record(std::string_view bytes, decode_room& room, std::vector<value>& to, unsigned depth) {
    if (bytes.size() < 4) return std::nullopt;
    const auto count = load<std::int32_t>(bytes.data());
    bytes.remove_prefix(4);
    if (count < 0 || static_cast<std::size_t>(count) > bytes.size() / 8) return std::nullopt;
    for (std::int32_t i = 0; i < count; ++i) {
        if (bytes.size() < 8) return std::nullopt;
        const auto type = static_cast<oid>(load<std::uint32_t>(bytes.data()));
        const auto size = load<std::int32_t>(bytes.data() + 4);
        bytes.remove_prefix(8);
        if (size < -1 || (size > 0 && static_cast<std::size_t>(size) > bytes.size())) return std::nullopt;
        const std::size_t used = size < 0 ? 0 : static_cast<std::size_t>(size);
        decoded v = value{};
        if (size >= 0) v = read_item(type, bytes.substr(0, used), room, depth + 1);
        if (!v) return std::nullopt;
        bytes.remove_prefix(used);
        to.push_back(*v);
    }
    if (!bytes.empty()) return std::nullopt;
    return list_of(to, value_kind::record);
}

// Types of programs, and `record` and its array. The types of their items are part of the value.
bool describes_itself(oid type) noexcept {
    const auto number = static_cast<std::uint32_t>(type);
    return number >= first_user_type || number == 2249 || number == 2287;
}

// The second word of an array is 0 or 1, and no type has these numbers. No text begins with NUL, as both formats do.
decoded read_described(std::string_view bytes, decode_room& room, std::vector<value>& to, unsigned depth) {
    if (bytes.empty() || bytes[0] != '\0' || depth > deepest) return std::nullopt;
    if (bytes.size() < 8 || load<std::uint32_t>(bytes.data() + 4) > 1) return read_record(bytes, room, to, depth);
    auto reader = array_reader::open(bytes);
    return reader ? read_array(*reader, room, to, depth) : std::nullopt;
}

decoded read_typed_array(oid item_type, std::string_view bytes, decode_room& room, std::vector<value>& to,
                         unsigned depth) {
    auto reader = array_reader::open(bytes);
    if (!reader || depth > deepest || (reader->size() != 0 && reader->item_type() != item_type)) return std::nullopt;
    return read_array(*reader, room, to, depth);
}

decoded read_item(oid type, std::string_view bytes, decode_room& room, unsigned depth) {
    if (const oid item = item_of_array(type); item != oid::unknown)
        return read_typed_array(item, bytes, room, room.nested.emplace_back(), depth);
    if (describes_itself(type))
        if (const auto found = read_described(bytes, room, room.nested.emplace_back(), depth)) return found;
    return read_scalar(type, bytes, room.texts.emplace_back());
}

}  // namespace

decoded decode(oid type, std::string_view bytes, decode_room& room) {
    const oid item = item_of_array(type);
    if (item == oid::unknown && !describes_itself(type)) {
        room.text.clear();
        return read_scalar(type, bytes, room.text);
    }
    room.items.clear();
    room.texts.clear();
    room.nested.clear();
    if (item != oid::unknown) return read_typed_array(item, bytes, room, room.items, 0);
    const auto found = read_described(bytes, room, room.items, 0);
    return found ? found : text(bytes);
}

// Format: int32 number of dimensions, int32 1 if there are nulls, int32 item type; for each dimension int32 size and
// int32 lower bound; then for each item int32 size (-1 for null) and its bytes.
std::optional<array_reader> array_reader::open(std::string_view bytes) noexcept {
    array_reader made;
    if (bytes.size() < 12) return std::nullopt;
    const auto dimensions = load<std::int32_t>(bytes.data());
    made.item_ = static_cast<oid>(load<std::uint32_t>(bytes.data() + 8));
    if (dimensions == 0 && bytes.size() == 12) return made;
    if (dimensions != 1 || bytes.size() < 20) return std::nullopt;
    const auto size = load<std::int32_t>(bytes.data() + 12);
    made.rest_ = bytes.substr(20);
    // Each item has at least four bytes, so an impossible size is rejected before memory is reserved for it.
    if (size < 0 || static_cast<std::size_t>(size) > made.rest_.size() / 4) return std::nullopt;
    made.left_ = static_cast<std::size_t>(size);
    return made;
}

std::optional<array_reader::item> array_reader::next() noexcept {
    if (left_ == 0) {
        broken_ = broken_ || !rest_.empty();
        return std::nullopt;
    }
    broken_ = rest_.size() < 4;
    if (broken_) return std::nullopt;
    const auto size = load<std::int32_t>(rest_.data());
    rest_.remove_prefix(4);
    --left_;
    if (size == -1) return item{true, {}};
    broken_ = size < 0 || static_cast<std::size_t>(size) > rest_.size();
    if (broken_) return std::nullopt;
    const item found{false, rest_.substr(0, static_cast<std::size_t>(size))};
    rest_.remove_prefix(found.bytes.size());
    return found;
}

}  // namespace apus::postgres
