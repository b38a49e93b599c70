// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::schema {

/// What a value is, to those who read and write it without knowing its type.
enum class kind : std::uint8_t {
    boolean,
    integer,      ///< Signed, of `width` bytes.
    natural,      ///< Unsigned, of `width` bytes.
    number,       ///< float or double, by `width`.
    text,         ///< A std::string at the value's address.
    view,         ///< A std::string_view: printed only.
    time,         ///< A point in time, RFC 3339 outside.
    enumeration,  ///< An integer of `width` bytes, a name outside.
    list,
    map,  ///< From texts to values.
    optional,
    variant,  ///< One of several objects, told apart by their member "type".
    object,
    value,  ///< An apus::json_value.
    file    ///< An apus::uploaded_file: in forms only.
};

struct type;

/// A member of an aggregate.
struct field {
    std::string_view name;         ///< Outside; never empty.
    std::string_view quoted;       ///< `,"name":`, ready to print.
    std::string_view description;  ///< For people; mostly empty.
    const type* of;
    std::uint32_t offset;
    std::uint64_t begin = 0;  ///< The first eight bytes of `name"`,
    std::uint64_t mask = 0;   ///< and which of them there are.
};

struct enumerator {
    std::string_view name;
    std::int64_t value;
};

/// One of the aggregates that a variant may hold.
struct alternative {
    std::string_view tag;
    std::string_view quoted;  ///< `{"type":"tag"`, ready to print.
    const type* of;
    void* (*choose)(void* variant);
};

/// How to work with a sequence. One of a fixed size has no `add`.
struct list_calls {
    void (*clear)(void* list);
    void* (*add)(void* list);
    std::size_t (*size)(const void* list);
    const void* (*data)(const void* list);
    std::size_t stride;
};

/// How to work with a map. `put` gives null for a key that is there already.
struct map_calls {
    void (*clear)(void* map);
    void* (*put)(void* map, std::string_view key);
    std::size_t (*size)(const void* map);
    void (*each)(const void* map, void* context, void (*visit)(void* context, std::string_view key, const void* value));
};

struct optional_calls {
    void (*reset)(void* optional);
    void* (*emplace)(void* optional);
    const void* (*get)(const void* optional);  ///< Null if it is empty.
};

struct variant_calls {
    const alternative* alternatives;
    unsigned count;
    std::size_t (*index)(const void* variant);
    const void* (*get)(const void* variant);  ///< Null if it is valueless.
};

/// A point in time counts periods of `numerator`/`denominator` seconds since 1970.
struct time_calls {
    std::int64_t (*count)(const void* time);
    void (*set)(void* time, std::int64_t count);
    std::int64_t numerator, denominator;
};

/// An aggregate as a whole.
struct object_calls {
    void (*make)(void* room);  ///< As `new (room) T` does: what has no initializer is left as it was.
    void (*destroy)(void* object);
    bool (*check)(const void* object, int& status, std::string& why);  ///< Its member `check`, or null.
    struct known_defaults* defaults;
    bool ignores_unknown;
};

/// Which fields of an aggregate need not be sent, once somebody has asked.
struct known_defaults {
    std::uint64_t fields;
    unsigned char known;
};

/// What a text must be, beyond its length.
struct text_rule {
    bool (*holds)(const text_rule&, std::string_view) noexcept;
    std::string_view expected;      ///< "an e-mail address"
    std::string_view format = {};   ///< As JSON Schema calls it: "email".
    std::string_view pattern = {};  ///< As it was written.
    const std::string_view* choices = nullptr;
    unsigned choice_count = 0;
    const struct pattern_program* program = nullptr;
};

/// A rule that a user's program states.
struct user_rule {
    bool (*holds)(const void* value);
    std::string_view expected;
};

/// How to read, check, write and describe the values of a type. One constant table for each.
struct type {
    kind what;
    std::uint8_t width = 0;  ///< In bytes, of what is no class.
    /// The smallest integer, or the smallest size of a text (in characters) or list.
    std::int64_t least = INT64_MIN;
    std::uint64_t greatest = UINT64_MAX;  ///< The greatest of these; INT64_MAX at most for what is signed.
    double minimum = 0;                   ///< Of a number, if `minimum < maximum`.
    double maximum = 0;
    std::string_view name = {};  ///< Of an aggregate or enumeration, without namespaces.
    std::string_view description = {};
    const type* element = nullptr;  ///< Of a list, map or optional.
    const field* fields = nullptr;
    unsigned field_count = 0;
    const enumerator* enumerators = nullptr;
    unsigned enumerator_count = 0;
    std::uint32_t size = 0;  ///< In bytes, of an aggregate.
    const list_calls* list = nullptr;
    const map_calls* map = nullptr;
    const optional_calls* optional = nullptr;
    const variant_calls* variant = nullptr;
    const time_calls* time = nullptr;
    const object_calls* object = nullptr;
    const text_rule* text = nullptr;
    const user_rule* user = nullptr;
};

}  // namespace apus::schema
