// SPDX-License-Identifier: Apache-2.0
#include "postgres/encode.hpp"

#include "base/hex.hpp"
#include "postgres/decode.hpp"
#include "sql/value_text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace apus::postgres {
namespace {

using sql::value;
using sql::value_kind;

constexpr std::int64_t epoch = days_to_2000 * microseconds_of_day;

void print_number(std::string& to, double n) {
    char room[32];
    if (std::isinf(n)) to += n < 0 ? "-Infinity" : "Infinity";
    else to.append(room, std::to_chars(room, room + sizeof room, n).ptr);
}

void print_bytes(std::string& to, std::string_view bytes) {
    to += "\\x";
    base::append_hex(to, bytes);
}

void print_scalar(std::string& to, const value& v, bool boolean) {
    switch (v.kind) {
        case value_kind::boolean: to += boolean ? (v.integer ? "true" : "false") : (v.integer ? "1" : "0"); break;
        case value_kind::integer: to += std::to_string(v.integer); break;
        case value_kind::natural: to += std::to_string(static_cast<std::uint64_t>(v.integer)); break;
        case value_kind::number: print_number(to, v.number); break;
        case value_kind::bytes: print_bytes(to, v.text); break;
        case value_kind::time: print_timestamp(to, v.integer - epoch, true); break;
        default: to += v.text;
    }
}

// Writes a list in the format of array_in: all items in quotes, so that none is parsed as NULL or a brace.
void print_list(std::string& to, const value& list, bool boolean) {
    to += '{';
    for (std::uint32_t i = 0; i < list.count; ++i) {
        if (i != 0) to += ',';
        const value& item = list.items[i];
        if (item.kind == value_kind::null) {
            to += "NULL";
            continue;
        }
        std::string text;
        print_scalar(text, item, boolean);
        to += '"';
        for (const char c : text) {
            if (c == '"' || c == '\\') to += '\\';
            to += c;
        }
        to += '"';
    }
    to += '}';
}

bool is_text(oid type) noexcept {
    return type == oid::text || type == oid::varchar || type == oid::bpchar || type == oid::name || type == oid::json;
}

template <class T>
bool put_integer(std::string& to, const value& v) {
    if (v.kind == value_kind::natural || v.integer < std::numeric_limits<T>::min() ||
        v.integer > std::numeric_limits<T>::max())
        return false;
    append<T>(to, static_cast<T>(v.integer));
    return true;
}

bool is_integer(const value& v) noexcept {
    return v.kind == value_kind::integer || v.kind == value_kind::natural || v.kind == value_kind::boolean;
}

enum class put {
    binary,
    none,     // no binary format known: send as text, which the server parses
    too_far,  // out of the type's range
};

put range(bool fits) noexcept { return fits ? put::binary : put::too_far; }

put put_binary(std::string& to, const value& v, oid type) {
    if (is_integer(v)) {
        if (type == oid::int2) return range(put_integer<std::int16_t>(to, v));
        if (type == oid::int4) return range(put_integer<std::int32_t>(to, v));
        if (type == oid::int8) return range(put_integer<std::int64_t>(to, v));
        if (type == oid::boolean && v.kind == value_kind::boolean)
            return to += static_cast<char>(v.integer), put::binary;
    }
    if (v.kind == value_kind::number && type == oid::float8)
        return append(to, std::bit_cast<std::uint64_t>(v.number)), put::binary;
    if (v.kind == value_kind::time && (type == oid::timestamp || type == oid::timestamptz)) {
        std::int64_t since_2000 = 0;
        if (__builtin_sub_overflow(v.integer, epoch, &since_2000)) return put::too_far;
        return append(to, since_2000), put::binary;
    }
    const bool bytes = v.kind == value_kind::bytes && type == oid::bytea;
    const bool text = (v.kind == value_kind::text || v.kind == value_kind::json) && is_text(type);
    if (bytes || text) return to += v.text, put::binary;
    return put::none;
}

}  // namespace

std::string encoded_parameters::encode(std::span<const value> values, std::span<const oid> types) {
    bytes_.clear();
    pointers_.assign(values.size(), nullptr);
    lengths_.assign(values.size(), 0);
    formats_.assign(values.size(), 0);
    std::vector<std::size_t> begins(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const value& v = values[i];
        begins[i] = bytes_.size();
        if (v.kind == value_kind::null) continue;
        const put how = v.kind == value_kind::list ? put::none : put_binary(bytes_, v, types[i]);
        if (how == put::too_far) return "parameter $" + std::to_string(i + 1) + " is out of range";
        formats_[i] = how == put::binary ? 1 : 0;
        const bool boolean = types[i] == oid::boolean || item_of_array(types[i]) == oid::boolean;
        const bool json = types[i] == oid::json || types[i] == oid::jsonb;
        if (v.kind == value_kind::list && json) sql::append_json(bytes_, v);
        else if (v.kind == value_kind::list) print_list(bytes_, v, boolean);
        else if (how == put::none) print_scalar(bytes_, v, boolean);
        lengths_[i] = static_cast<int>(bytes_.size() - begins[i]);
        bytes_ += '\0';  // libpq takes text up to the NUL
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i].kind != value_kind::null) pointers_[i] = bytes_.data() + begins[i];
    return {};
}

// The types of the columns are unknown here. Booleans are 0 and 1, which are valid for columns of both kinds.
void append_copy_row(std::string& to, std::span<const value> row) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i != 0) to += '\t';
        if (row[i].kind == value_kind::null) {
            to += "\\N";
            continue;
        }
        text.clear();
        if (row[i].kind == value_kind::list) print_list(text, row[i], false);
        else print_scalar(text, row[i], false);
        for (const char c : text) {
            const bool special = c == '\\' || c == '\t' || c == '\n' || c == '\r';
            if (special) to += '\\';
            to += c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : c;
        }
    }
    to += '\n';
}

}  // namespace apus::postgres
