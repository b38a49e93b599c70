// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/literal.hpp>
#include <apus/detail/schema_kinds.hpp>
#include <apus/error.hpp>
#include <apus/field_note.hpp>

#include <bit>

namespace apus::detail {

/// A string concatenated at compile time.
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

/// Whether a name can be printed in JSON without escapes.
consteval bool is_plain_name(std::string_view name) {
    for (char c : name)
        if (c < ' ' || c > '~' || c == '"' || c == '\\') return false;
    return true;
}

// The following functions run once per struct, over arrays of its members. Templates per member would take more compile
// time than everything else in the routes of a program.

template <class V, std::size_t N>
struct array_of {
    V at[N];
};

template <class T, std::size_t N>
consteval auto notes_of(const std::string_view* names) {
    array_of<field_note, N + 1> made{};
    for (std::size_t i = 0; i < N; ++i) made.at[i].field = made.at[i].name = names[i];
    if constexpr (has_notes<T>) {
        for (const field_note& said : T::fields)
            for (field_note& note : made.at)
                if (note.field == said.field) note = said;
        for (field_note& note : made.at)
            if (note.name.empty()) note.name = note.field;
    }
    return made;
}

template <class T>
consteval bool notes_fit(const std::string_view* names, std::size_t count) {
    if constexpr (has_notes<T>) {
        for (const field_note& said : T::fields) {
            std::size_t i = 0;
            while (i < count && names[i] != said.field) ++i;
            if (i == count) return false;
        }
    }
    return true;
}

consteval bool names_differ(const field_note* notes, std::size_t count) {
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (!notes[a].skip && !notes[b].skip && notes[a].name == notes[b].name) return false;
    return true;
}

consteval bool have_plain_names(const field_note* notes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (!is_plain_name(notes[i].name)) return false;
    return true;
}

consteval std::size_t size_of_quoted(const field_note* notes, std::size_t count) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) size += notes[i].name.size() + 4;
    return size;
}

/// Returns the names of all fields, ready to print: `,"a":,"b":` for fields a and b.
template <std::size_t Size>
consteval array_of<char, Size + 1> quoted_names(const field_note* notes, std::size_t count) {
    array_of<char, Size + 1> made{};
    char* to = made.at;
    for (std::size_t i = 0; i < count; ++i) {
        *to++ = ',', *to++ = '"';
        for (const char c : notes[i].name) *to++ = c;
        *to++ = '"', *to++ = ':';
    }
    return made;
}

/// Returns the offsets of the members, then the size.
/// Follows the ABI's rules for structs without bases and alignas.
template <std::size_t N>
consteval array_of<std::size_t, N> lay_out(const std::size_t* sizes, const std::size_t* alignments) {
    array_of<std::size_t, N> made{};
    std::size_t end = 0;
    for (std::size_t i = 0; i < N; ++i) {
        made.at[i] = (end + alignments[i] - 1) / alignments[i] * alignments[i];
        end = made.at[i] + sizes[i];
    }
    return made;
}

template <class T>
consteval bool has_table() {
    if constexpr (has_representation<T>) return true;
    else if constexpr (list_like<T> || optional_like<T>) return has_table<typename T::value_type>();
    else if constexpr (map_like<T>) return has_table<typename T::mapped_type>();
    else return has_schema<T>;
}

/// Rejects a field with a compile error, which shows the three template arguments.
template <class Struct, literal Field, class Type>
struct field_that_json_cannot_represent {
    static_assert(has_table<Type>(),
                  "JSON cannot represent the type of this field: a field must be a bool, number, std::string, "
                  "enumeration, time point, list, string-keyed map, optional, variant or aggregate, or of a type of "
                  "apus");
    static constexpr const schema::type* table = nullptr;
};

template <std::size_t N>
consteval literal<N + 1> literal_of(std::string_view text) {
    char bytes[N + 1] = {};
    for (std::size_t i = 0; i < N; ++i) bytes[i] = text[i];
    return bytes;
}

/// Returns null for types without a table and for skipped fields.
template <class T, bool Skipped>
consteval const schema::type* table_of_member() {
    if constexpr (!Skipped && has_table<T>()) return &schema_table<T>;
    else return nullptr;
}

consteval schema::field describe_field(const field_note& note, const char* quoted, const schema::type* of,
                                       std::size_t offset) {
    schema::field made{.name = {quoted + 2, note.name.size()},
                       .quoted = {quoted, note.name.size() + 4},
                       .description = note.description,
                       .message = note.message,
                       .of = of,
                       .offset = static_cast<std::uint32_t>(offset)};
    for (unsigned i = 0; i < 8 && i <= note.name.size(); ++i) {
        const unsigned shift = std::endian::native == std::endian::little ? 8 * i : 56 - 8 * i;
        made.begin |= std::uint64_t(static_cast<unsigned char>(made.name.data()[i])) << shift;
        made.mask |= std::uint64_t(0xff) << shift;
    }
    return made;
}

template <std::size_t N>
struct field_array {
    schema::field at[N + 1];
    unsigned count = 0;
};

template <std::size_t N>
consteval field_array<N> describe_fields(const field_note* notes, const char* quoted, const schema::type* const* tables,
                                         const std::size_t* offsets) {
    field_array<N> made{};
    for (std::size_t i = 0; i < N; quoted += notes[i++].name.size() + 4)
        if (!notes[i].skip) made.at[made.count++] = describe_field(notes[i], quoted, tables[i], offsets[i]);
    return made;
}

/// Description of the members of T.
template <class T, class Members>
struct described;
template <class T, std::size_t... I, class... M>
struct described<T, member_list<std::index_sequence<I...>, M...>> {
    static constexpr std::size_t count = sizeof...(I);
    static constexpr std::string_view names[count + 1] = {member_name<member_at<I>(sample_members<T>())>()..., {}};
    static_assert(notes_fit<T>(names, count), "a field_note names an unknown field of the struct");
    static constexpr auto notes = notes_of<T, count>(names);
    static_assert(names_differ(notes.at, count), "two fields of a struct have the same external name");
    static_assert(have_plain_names(notes.at, count),
                  "a field name must be printable ASCII without quotes and backslashes");

    static constexpr std::size_t sizes[count + 1] = {sizeof(M)..., 0};
    static constexpr std::size_t alignments[count + 1] = {alignof(M)..., alignof(T)};
    static constexpr auto offsets = lay_out<count + 1>(sizes, alignments);
    static_assert(offsets.at[count] == sizeof(T) || count == 0,
                  "a struct in a schema must not have bases, or members with alignas");
#if defined(__clang__)
    // g++ cannot evaluate this at compile time; its layout is the same.
    static_assert(((distance_of(member_at<I>(sample_members<T>()), &sample<T>.value) ==
                    static_cast<std::ptrdiff_t>(offsets.at[I])) &&
                   ...),
                  "a struct in a schema must not have bases, or members with alignas");
#endif

    static constexpr auto quoted = quoted_names<size_of_quoted(notes.at, count)>(notes.at, count);
    static constexpr const schema::type* tables[count + 1] = {
        table_of_member<std::remove_cv_t<M>, notes.at[I].skip>()..., nullptr};
    template <std::size_t At, class Type>
    static consteval const schema::type* check_field() {
        if constexpr (tables[At] || notes.at[At].skip) return nullptr;
        else
            return field_that_json_cannot_represent<T, literal_of<notes.at[At].name.size()>(notes.at[At].name),
                                                    Type>::table;
    }
    static consteval bool check_fields() {
        if constexpr (((tables[I] || notes.at[I].skip) && ...)) return true;
        else return ((check_field<I, std::remove_cv_t<M>>() == nullptr) && ...);
    }
    static_assert(check_fields());
    static constexpr auto fields = describe_fields<count>(notes.at, quoted.at, tables, offsets.at);
};

template <class T>
inline constinit schema::known_defaults defaults_of{};

template <class T>
void make_object(void* room) {
    ::new (room) T;
}
template <class T>
void destroy_object(void* object) {
    static_cast<T*>(object)->~T();
}
template <class T>
bool check_object(const void* object, int& status, std::string& why) {
    result<void> checked = static_cast<const T*>(object)->check();
    if (checked) return true;
    status = checked.error().status();
    why = checked.error().detail();
    return false;
}

template <class T>
constexpr schema::object_calls calls_of_object() {
    schema::object_calls calls{};
    calls.make = make_object<T>;
    calls.destroy = destroy_object<T>;
    if constexpr (requires(const T& t) { t.check(); }) calls.check = check_object<T>;
    calls.defaults = &defaults_of<T>;
    if constexpr (requires { T::ignores_unknown_fields; }) calls.ignores_unknown = T::ignores_unknown_fields;
    return calls;
}

template <schema_aggregate T>
struct schema_of<T> {
    static_assert(__is_constructible(T), "an aggregate in a schema must be default-constructible");
    static_assert(member_count<T> <= max_members,
                  "an aggregate in a schema must not have more than 64 fields: move some into a nested struct");
    using members = described<T, decltype(sample_members<T>())>;
    static constexpr schema::object_calls calls = calls_of_object<T>();

    static constexpr schema::type table() {
        schema::type made{.what = schema::kind::object,
                          .name = type_name<T>(),
                          .fields = members::fields.at,
                          .field_count = members::fields.count,
                          .size = sizeof(T),
                          .object = &calls};
        if constexpr (requires { std::string_view(T::description); }) made.description = T::description;
        return made;
    }
};

}  // namespace apus::detail
