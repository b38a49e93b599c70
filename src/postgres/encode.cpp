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

// Writes a list in the format of array_in. All items are in quotes, so that no item is parsed as NULL or as a brace.
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
    none,     // the binary format is unknown: sent as text, which the server parses
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

void print_as_text(std::string& to, const value& v, oid type) {
    const bool boolean = type == oid::boolean || item_of_array(type) == oid::boolean;
    const bool json = type == oid::json || type == oid::jsonb;
    if (v.kind == value_kind::list && json) sql::append_json(to, v);
    else if (v.kind == value_kind::list) print_list(to, v, boolean);
    else print_scalar(to, v, boolean);
}

}  // namespace

std::string append_values(codec::postgres::bind_writer& to, std::span<const value> values, std::span<const oid> types) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const value& v = values[i];
        if (v.kind == value_kind::null) {
            to.add_null();
            continue;
        }
        std::string& bytes = to.value();
        const put how = v.kind == value_kind::list ? put::none : put_binary(bytes, v, types[i]);
        if (how == put::too_far) return "parameter $" + std::to_string(i + 1) + " is out of range";
        if (how == put::none) print_as_text(bytes, v, types[i]);
        to.end_value(how == put::binary);
    }
    if (to.size() > codec::postgres::max_request) return "the parameters are too large";
    return {};
}

// The types of the columns are unknown here. Booleans are written as 0 and 1, which boolean and integer columns accept.
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
