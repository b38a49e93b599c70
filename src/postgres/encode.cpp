// SPDX-License-Identifier: Apache-2.0
#include "postgres/encode.hpp"

#include "base/hex.hpp"
#include "postgres/decode.hpp"
#include "postgres/json_members.hpp"
#include "sql/value_text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace apus::postgres {
namespace {

using sql::composite_shape;
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

void print_quoted(std::string& to, std::string_view text) {
    to += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') to += '\\';
        to += c;
    }
    to += '"';
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
        print_quoted(to, text);
    }
    to += '}';
}

// Writes the items of a JSON array in the format of array_in.
void print_json_items(std::string& to, const value& list, std::string_view json) {
    json_members items(json);
    to += '{';
    for (std::uint32_t i = 0; i < list.count; ++i) {
        if (i != 0) to += ',';
        const std::string_view item = items.next();
        if (list.items[i].kind == value_kind::null) to += "NULL";
        else print_quoted(to, item);
    }
    to += '}';
}

/// Prints the values of structs as composite values.
/// Values nested in a struct have no JSON text, so it is found in the text of the struct.
struct composite_printer {
    const program_types& types;
    std::size_t longest;

    // Writes a struct in the format of record_in, or a list of structs in the format of array_in. Booleans are written
    // as in COPY, since each type accepts this. Returns false if the text is longer than `longest`: each level of
    // nesting can double the size of a text of quotes.
    bool print(std::string& to, const value& v, oid type, std::string_view json) const {
        json_members members(types.has_json() ? json : std::string_view());
        const bool list = v.shape == composite_shape::list;
        to += list ? '{' : '(';
        for (std::uint32_t i = 0; i < v.count; ++i) {
            if (i != 0) to += ',';
            const std::string_view text = members.next();
            if (v.items[i].kind == value_kind::null) {
                if (list) to += "NULL";
            } else if (!print_item(to, v.items[i], types.member(type, i), text)) {
                return false;
            }
        }
        to += list ? '}' : ')';
        return true;
    }

    bool print_item(std::string& to, const value& item, oid type, std::string_view json) const {
        const bool structs = item.shape != composite_shape::none;
        std::string text;
        if ((structs || item.kind == value_kind::list) && types.is_json(type)) {
            text = json;
        } else if (item.shape == composite_shape::list && types.is_array_of_json(type)) {
            print_json_items(text, item, json);
        } else if (structs) {
            if (!print(text, item, type, json)) return false;
        } else if (item.kind == value_kind::list) {
            print_list(text, item, false);
        } else {
            print_scalar(text, item, false);
        }
        print_quoted(to, text);
        return to.size() <= longest;
    }
};

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

std::optional<misfit> append_values(codec::postgres::bind_writer& to, std::span<const value> values,
                                    std::span<const oid> types, std::size_t longest, const program_types& known) {
    const auto of_parameter = [](std::size_t i) { return "parameter $" + std::to_string(i + 1); };
    for (std::size_t i = 0; i < values.size(); ++i) {
        const value& v = values[i];
        if (v.kind == value_kind::null) {
            to.add_null();
            continue;
        }
        std::string& bytes = to.value();
        if (v.shape != composite_shape::none) {
            const bool composite = known.is_composite(types[i]);
            if (composite && v.shape == composite_shape::refused)
                return misfit{.why = of_parameter(i) + " has a value that cannot be stored", .refused = true};
            if (composite) {
                if (!composite_printer{known, longest}.print(bytes, v, types[i], v.text))
                    return misfit{.why = of_parameter(i), .too_large = true};
                to.end_value(false);
                continue;
            }
            if (v.shape == composite_shape::list && known.is_array_of_json(types[i])) {
                print_json_items(bytes, v, v.text);
                to.end_value(false);
                continue;
            }
        }
        const put how = v.kind == value_kind::list ? put::none : put_binary(bytes, v, types[i]);
        if (how == put::too_far) return misfit{of_parameter(i) + " is out of range"};
        if (how == put::none) print_as_text(bytes, v, types[i]);
        to.end_value(how == put::binary);
    }
    if (to.size() > codec::postgres::max_request) return misfit{"the parameters are too large"};
    return std::nullopt;
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
