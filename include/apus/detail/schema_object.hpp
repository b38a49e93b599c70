// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/literal.hpp>
#include <apus/detail/schema_kinds.hpp>
#include <apus/error.hpp>
#include <apus/field_note.hpp>

#include <bit>

namespace apus::detail {

/// A text that is put together while compiling.
template <std::size_t N>
struct joined_text {
    char bytes[N + 1];

    template <class... Part>
    consteval explicit joined_text(Part... part) : bytes{} {
        std::size_t at = 0;
        ((at = append(at, part)), ...);
    }
    constexpr std::string_view view() const { return {bytes, N}; }

private:
    consteval std::size_t append(std::size_t at, std::string_view part) {
        for (char c : part) bytes[at++] = c;
        return at;
    }
};

template <class T>
concept has_notes = requires { T::fields[0].field; };

/// Whether a name needs no escape in JSON, so that it can be printed as it is.
consteval bool is_plain_name(std::string_view name) {
    for (char c : name)
        if (c < ' ' || c > '~' || c == '"' || c == '\\') return false;
    return true;
}

template <class T, std::size_t I>
constexpr field_note note_of() {
    constexpr std::string_view own = member_name<sample_member<T, I>()>();
    field_note note{own};
    if constexpr (has_notes<T>) {
        for (const field_note& said : T::fields)
            if (said.field == own) note = said;
    }
    if (note.name.empty()) note.name = own;
    return note;
}

template <class T, std::size_t... I>
consteval bool notes_fit(std::index_sequence<I...>) {
    if constexpr (has_notes<T>) {
        for (const field_note& said : T::fields)
            if (((said.field != member_name<sample_member<T, I>()>()) && ...)) return false;
    }
    return true;
}

template <class T, std::size_t... I>
consteval bool names_differ(std::index_sequence<I...>) {
    const std::string_view names[] = {note_of<T, I>().name..., {}};
    const bool skipped[] = {note_of<T, I>().skip..., true};
    for (std::size_t a = 0; a < sizeof...(I); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (!skipped[a] && !skipped[b] && names[a] == names[b]) return false;
    return true;
}

template <class T, std::size_t I>
struct field_text {
    static constexpr std::string_view name = note_of<T, I>().name;
    static_assert(is_plain_name(name), "the name of a field is of printable ASCII without quotes and backslashes");
    static constexpr joined_text<name.size() + 4> quoted{std::string_view(",\""), name, std::string_view("\":")};
};

/// Where the members lie: as the ABI lays out what has no bases and no alignment of its own.
template <class T, std::size_t... I>
consteval auto offsets_of(std::index_sequence<I...>) {
    struct {
        std::size_t at[sizeof...(I) + 1] = {};
    } made;
    const std::size_t sizes[] = {sizeof(member_type<T, I>)..., 0};
    const std::size_t alignments[] = {alignof(member_type<T, I>)..., alignof(T)};
    std::size_t end = 0;
    for (std::size_t i = 0; i <= sizeof...(I); ++i) {
        made.at[i] = (end + alignments[i] - 1) / alignments[i] * alignments[i];
        end = made.at[i] + sizes[i];
    }
    return made;
}

#if defined(__clang__)
// g++ does not take this for a constant; it is the same layout.
template <class T, std::size_t... I>
consteval bool offsets_fit(std::index_sequence<I...>) {
    return ((offsets_of<T>(std::index_sequence<I...>()).at[I] ==
             static_cast<std::size_t>(__builtin_constant_p(reinterpret_cast<const char*>(sample_member<T, I>()) -
                                                           reinterpret_cast<const char*>(&sample<T>.value))
                                          ? reinterpret_cast<const char*>(sample_member<T, I>()) -
                                                reinterpret_cast<const char*>(&sample<T>.value)
                                          : -1)) &&
            ...);
}
#endif

template <class T>
consteval bool has_table() {
    if constexpr (list_like<T> || optional_like<T>) return has_table<typename T::value_type>();
    else if constexpr (map_like<T>) return has_table<typename T::mapped_type>();
    else return has_schema<T>;
}

/// Refuses a field. Compilers show its three arguments.
template <class Struct, literal Field, class Type>
struct field_that_json_cannot_represent {
    static_assert(has_table<Type>(),
                  "JSON cannot represent the type of this field: a field is a bool, number, std::string, enumeration, "
                  "time point, list, string-keyed map, "
                  "optional, variant or aggregate, or of a type of apus");
    static constexpr const schema::type* table = nullptr;
};

template <std::size_t N>
consteval literal<N + 1> literal_of(std::string_view text) {
    char bytes[N + 1] = {};
    for (std::size_t i = 0; i < N; ++i) bytes[i] = text[i];
    return bytes;
}

template <class T, std::size_t I>
constexpr const schema::type* table_of_field() {
    using type = member_type<T, I>;
    if constexpr (has_table<type>()) return &schema_table<type>;
    else
        return field_that_json_cannot_represent<T, literal_of<field_text<T, I>::name.size()>(field_text<T, I>::name),
                                                type>::table;
}

template <class T, std::size_t I>
constexpr schema::field describe_field(std::size_t offset) {
    using text = field_text<T, I>;
    schema::field made{.name = text::name,
                       .quoted = text::quoted.view(),
                       .description = note_of<T, I>().description,
                       .of = table_of_field<T, I>(),
                       .offset = static_cast<std::uint32_t>(offset)};
    for (unsigned i = 0; i < 8 && i <= text::name.size(); ++i) {
        const unsigned shift = std::endian::native == std::endian::little ? 8 * i : 56 - 8 * i;
        made.begin |= std::uint64_t(static_cast<unsigned char>(i < text::name.size() ? text::name[i] : '"')) << shift;
        made.mask |= std::uint64_t(0xff) << shift;
    }
    return made;
}

template <std::size_t N>
struct field_array {
    schema::field at[N + 1];
    unsigned count = 0;
};

template <class T, std::size_t... I>
consteval auto describe_fields(std::index_sequence<I...> all) {
    const auto offsets = offsets_of<T>(all);
    field_array<sizeof...(I)> made{};
    [[maybe_unused]] const auto add = [&]<std::size_t At>() {
        if constexpr (!note_of<T, At>().skip) made.at[made.count++] = describe_field<T, At>(offsets.at[At]);
    };
    (add.template operator()<I>(), ...);
    return made;
}

template <class T>
inline constinit schema::known_defaults defaults_of{};

template <class T>
constexpr schema::object_calls calls_of_object() {
    schema::object_calls calls{};
    calls.make = [](void* room) { ::new (room) T; };
    calls.destroy = [](void* object) { static_cast<T*>(object)->~T(); };
    if constexpr (requires(const T& t) { t.check(); }) {
        calls.check = [](const void* object, int& status, std::string& why) {
            result<void> checked = static_cast<const T*>(object)->check();
            if (checked) return true;
            status = checked.error().status();
            why = checked.error().detail();
            return false;
        };
    }
    calls.defaults = &defaults_of<T>;
    if constexpr (requires { T::ignores_unknown_fields; }) calls.ignores_unknown = T::ignores_unknown_fields;
    return calls;
}

template <schema_aggregate T>
struct schema_of<T> {
    static_assert(std::is_default_constructible_v<T>, "an aggregate in a schema can be made without arguments");
    static_assert(member_count<T> <= max_members,
                  "an aggregate in a schema has at most 64 fields: put some into a struct of their own");
    using indices = std::make_index_sequence<(member_count<T> <= max_members ? member_count<T> : 0)>;
    static_assert(notes_fit<T>(indices()), "a field_note names a field that the struct has not");
    static_assert(names_differ<T>(indices()), "two fields of a struct have the same name outside");
    static_assert(offsets_of<T>(indices()).at[indices::size()] == sizeof(T) || indices::size() == 0 ||
                      member_count<T> > max_members,
                  "a struct in a schema has no bases, and no members with an alignment of their own");
#if defined(__clang__)
    static_assert(offsets_fit<T>(indices()),
                  "a struct in a schema has no bases, and no members with an alignment of their own");
#endif

    static constexpr auto members = describe_fields<T>(indices());
    static constexpr schema::object_calls calls = calls_of_object<T>();

    static constexpr schema::type table() {
        schema::type made{.what = schema::kind::object,
                          .name = type_name<T>(),
                          .fields = members.at,
                          .field_count = members.count,
                          .size = sizeof(T),
                          .object = &calls};
        if constexpr (requires { std::string_view(T::description); }) made.description = T::description;
        return made;
    }
};

}  // namespace apus::detail
