// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::schema {

/// Kind of a type in a schema.
enum class kind : std::uint8_t {
    boolean,
    integer,      ///< Signed, of `width` bytes.
    natural,      ///< Unsigned, of `width` bytes.
    number,       ///< A float or double of `width` bytes.
    text,         ///< A std::string at the value's address.
    view,         ///< A std::string_view. For output only.
    time,         ///< A point in time; external form: RFC 3339.
    enumeration,  ///< An integer of `width` bytes; external form: a name.
    list,
    map,  ///< With strings as keys.
    optional,
    variant,  ///< One of several objects, distinguished by their member "type".
    object,
    value,        ///< An apus::json_value.
    file,         ///< An apus::uploaded_file. For forms only.
    represented,  ///< A program's own type, represented by `element`.
    secret        ///< A secret `element` at the same address; not printed.
};

struct type;

/// A member of an aggregate.
struct field {
    std::string_view name;         ///< External name; never empty.
    std::string_view quoted;       ///< `,"name":`, ready to print.
    std::string_view description;  ///< For the API documentation; often empty.
    std::string_view message;      ///< Message for an invalid value; often empty.
    const type* of;
    std::uint32_t offset;
    std::uint64_t begin = 0;  ///< The first eight bytes of `name"`.
    std::uint64_t mask = 0;   ///< 0xff for each used byte of `begin`, else 0.
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

/// Operations on a list. `add` is null for a list of fixed size and for a view.
struct list_calls {
    void (*clear)(void* list);
    void* (*add)(void* list);
    std::size_t (*size)(const void* list);
    const void* (*data)(const void* list);
    std::size_t stride;
};

/// Operations on a map. `put` returns null if the key exists.
struct map_calls {
    void (*clear)(void* map);
    void* (*put)(void* map, std::string_view key);
    std::size_t (*size)(const void* map);
    void (*each)(const void* map, void* context, void (*visit)(void* context, std::string_view key, const void* value));
};

struct optional_calls {
    void (*reset)(void* optional);
    void* (*emplace)(void* optional);
    const void* (*get)(const void* optional);  ///< Null if the optional is empty.
};

struct variant_calls {
    const alternative* alternatives;
    unsigned count;
    std::size_t (*index)(const void* variant);
    const void* (*get)(const void* variant);  ///< Null if the variant is valueless.
};

/// Operations on a type with an `apus::representation`.
struct represented_calls {
    /// Creates a representation, calls `fill` to set it, and converts it to `value`.
    /// Returns false if `fill` fails, or if the representation is invalid.
    bool (*read)(void* value, void* context, bool (*fill)(void* context, void* representation));
    /// Creates the representation of a value, and passes it to `use`.
    void (*write)(const void* value, void* context, void (*use)(void* context, const void* representation));
    /// Whether two values have the same representation.
    /// A null pointer stands for a default-constructed value.
    bool (*same)(const void* a, const void* b);
};

/// Operations on a time point: a count of `numerator`/`denominator` seconds since 1970.
struct time_calls {
    std::int64_t (*count)(const void* time);
    void (*set)(void* time, std::int64_t count);
    std::int64_t numerator, denominator;
};

/// Operations on an aggregate.
struct object_calls {
    void (*make)(void* room);  ///< `new (room) T`: leaves members without initializer unchanged.
    void (*destroy)(void* object);
    bool (*check)(const void* object, int& status, std::string& why);  ///< Calls `T::check`; null if T has no check.
    struct known_defaults* defaults;
    bool ignores_unknown;
};

/// The fields of an aggregate that may be missing. Computed on first use, then cached.
struct known_defaults {
    std::uint64_t fields;
    unsigned char known;
};

/// Constraint on a text, in addition to its length.
struct text_rule {
    bool (*holds)(const text_rule&, std::string_view) noexcept;
    std::string_view expected;      ///< "an e-mail address"
    std::string_view format = {};   ///< The `format` of JSON Schema: "email".
    std::string_view pattern = {};  ///< The pattern's source.
    const std::string_view* choices = nullptr;
    unsigned choice_count = 0;
    const struct pattern_program* program = nullptr;
};

/// A rule defined by the program.
struct user_rule {
    bool (*holds)(const void* value);
    std::string_view expected;
};

/// Table for reading, checking, printing and describing values of a type. One constant per type.
struct type {
    kind what;
    std::uint8_t width = 0;  ///< Size in bytes of scalars.
    /// Minimum of an integer, of the length of a text in characters, or of the size of a list.
    std::int64_t least = INT64_MIN;
    std::uint64_t greatest = UINT64_MAX;  ///< Maximum, like `least`; for signed integers at most INT64_MAX.
    double minimum = 0;                   ///< Range of a number, if `minimum < maximum`.
    double maximum = 0;
    std::string_view name = {};  ///< Name of an aggregate or enumeration, without namespaces.
    std::string_view description = {};
    const type* element = nullptr;  ///< Type of the elements of a list, map or optional.
    const field* fields = nullptr;
    unsigned field_count = 0;
    const enumerator* enumerators = nullptr;
    unsigned enumerator_count = 0;
    std::uint32_t size = 0;  ///< Bytes of an aggregate.
    const list_calls* list = nullptr;
    const map_calls* map = nullptr;
    const optional_calls* optional = nullptr;
    const variant_calls* variant = nullptr;
    const time_calls* time = nullptr;
    const object_calls* object = nullptr;
    const text_rule* text = nullptr;
    const user_rule* user = nullptr;
    const represented_calls* represented = nullptr;
    std::string_view expected = {};  ///< Expected value in messages; empty: derived from the kind.
};

/// Whether a type is a bool, number, text, time or enumeration.
constexpr bool is_single_value(const type& t) noexcept {
    switch (t.what) {
        case kind::boolean:
        case kind::integer:
        case kind::natural:
        case kind::number:
        case kind::text:
        case kind::time:
        case kind::enumeration: return true;
        default: return false;
    }
}

/// Whether a type is a secret, or an optional or list of secrets.
constexpr bool is_secret(const type& t) noexcept {
    if (t.what == kind::optional || t.what == kind::list) return is_secret(*t.element);
    return t.what == kind::secret;
}

}  // namespace apus::schema
