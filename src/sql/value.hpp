// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus::sql {

/// Type of a value that is passed between a C++ field and a database; the same for all engines.
enum class value_kind : std::uint8_t {
    null,
    boolean,  ///< `integer`, 0 or 1. Engines without booleans return the kind `integer`.
    integer,  ///< `integer`.
    natural,  ///< An integer over INT64_MAX, stored as the bits of `integer`.
    number,   ///< `number`, never NaN as a parameter.
    text,     ///< `text`: UTF-8 without NUL. Also for UUIDs, dates, times of day, decimals and names of enumerators.
    bytes,    ///< `text`: any bytes.
    time,     ///< `integer`: microseconds since 1970-01-01T00:00:00Z.
    json,     ///< `text`: a JSON text. A parameter may also have `items`, according to `shape`.
    list,   ///< `count` values at `items`. Of parameters: each null or of one common kind, which is not a list or JSON.
    record  ///< A composite value of a result: `count` fields at `items`, in the order of the type.
};

/// Structure of a JSON parameter, for engines with composite types.
enum class composite_shape : std::uint8_t {
    none,
    record,  ///< A struct: `count` fields at `items`, in which nested structs have this shape and no text.
    list,    ///< A list of structs: `count` values at `items`, each null or a record.
    refused  ///< A struct with a field that no column can store. See `parameters::refused_field`.
};

/// A value. Refers to memory owned by `parameters` or `rows`.
struct value {
    value_kind kind = value_kind::null;
    composite_shape shape = composite_shape::none;
    std::uint32_t count = 0;  ///< Number of `items`.
    union {
        std::int64_t integer = 0;
        double number;
        const value* items;
    };
    std::string_view text = {};

    static value of(std::int64_t n) noexcept { return {.kind = value_kind::integer, .integer = n}; }
    static value of_text(std::string_view s) noexcept { return {.kind = value_kind::text, .integer = 0, .text = s}; }
};

}  // namespace apus::sql
