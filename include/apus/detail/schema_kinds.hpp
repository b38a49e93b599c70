// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/enumerators.hpp>
#include <apus/detail/reflection.hpp>
#include <apus/detail/schema_calls.hpp>
#include <apus/detail/schema_table.hpp>
#include <apus/detail/signature.hpp>

#include <limits>
#include <new>

namespace apus::detail {}  // namespace apus::detail

namespace apus {

/// Customization point for a program's own types; see representation.hpp.
template <class T>
struct representation {};

}  // namespace apus

namespace apus::detail {

template <class T>
concept has_representation = requires { typename representation<T>::type; };
template <class T>
concept has_names = std::is_enum_v<T> && requires { representation<T>::names[0].name; };

/// Provides the schema table of T as `table()`.
/// Other headers specialize this template for their types.
template <class T>
struct schema_of {};

template <class T>
constexpr schema::type table_of();

/// The table of T.
/// There is one table per type, so that recursive types can refer to the table by address.
template <class T>
inline constexpr schema::type schema_table = table_of<T>();

template <class T, class... Among>
concept is_any_of = (std::is_same_v<T, Among> || ...);

// Character types are not numbers in schemas.
template <class T>
concept schema_integer = std::is_integral_v<T> && !is_any_of<T, bool, char, wchar_t, char8_t, char16_t, char32_t>;
template <class T>
concept schema_aggregate = std::is_aggregate_v<T> && std::is_class_v<T> && !list_like<T> && !has_representation<T>;
template <class T>
concept has_schema_of = requires { schema_of<T>::table(); };
template <class T>
concept has_schema =
    has_representation<T> || schema_integer<T> || std::is_enum_v<T> || list_like<T> || map_like<T> ||
    optional_like<T> || variant_like<T> || time_like<T> || duration_like<T> || schema_aggregate<T> || has_schema_of<T>;

/// Table of a type with a representation.
template <class T>
struct represented;

template <class T>
constexpr schema::type table_of() {
    static_assert(has_schema<T>,
                  "a field must be a bool, number, std::string, enumeration, time point, list, string-keyed map, "
                  "optional, variant or aggregate, or of a type of apus");
    if constexpr (has_representation<T>) return represented<T>::table();
    else if constexpr (has_schema<T>) return schema_of<T>::table();
    else return {schema::kind::boolean};
}

template <>
struct schema_of<bool> {
    static constexpr schema::type table() { return {.what = schema::kind::boolean, .width = 1}; }
};
template <>
struct schema_of<std::string> {
    static constexpr schema::type table() { return {.what = schema::kind::text, .least = 0}; }
};
template <>
struct schema_of<std::string_view> {
    static constexpr schema::type table() { return {.what = schema::kind::view, .least = 0}; }
};

template <class T>
    requires is_any_of<T, float, double>
struct schema_of<T> {
    static constexpr schema::type table() { return {.what = schema::kind::number, .width = sizeof(T)}; }
};

template <schema_integer T>
struct schema_of<T> {
    static constexpr schema::type table() {
        using range = std::numeric_limits<T>;
        if constexpr (std::is_signed_v<T>)
            return {.what = schema::kind::integer, .width = sizeof(T), .least = range::min(), .greatest = range::max()};
        else return {.what = schema::kind::natural, .width = sizeof(T), .least = 0, .greatest = range::max()};
    }
};

/// Names of the values of an enumeration, from its representation.
template <class T>
struct enumerators_by_name {
    static constexpr unsigned count = sizeof(representation<T>::names) / sizeof(representation<T>::names[0]);  // NOLINT
    schema::enumerator at[count] = {};

    consteval enumerators_by_name() {
        for (unsigned i = 0; i < count; ++i)
            at[i] = {representation<T>::names[i].name, static_cast<std::int64_t>(representation<T>::names[i].value)};
    }
    /// Whether all names differ. A value may have several names; the first one is printed.
    consteval bool names_differ() const {
        for (unsigned a = 0; a < count; ++a)
            for (unsigned b = 0; b < a; ++b)
                if (at[a].name == at[b].name) return false;
        return true;
    }
};
template <class T>
inline constexpr enumerators_by_name<T> named_enumerators{};

template <class T>
    requires std::is_enum_v<T>
struct schema_of<T> {
    static_assert(has_names<T> || enumeration_of_known_size<T>,
                  "an enumeration in a schema must be an enum class, or an enum with an underlying type");
    static constexpr schema::type table() {
        schema::type made{.what = schema::kind::enumeration, .width = sizeof(T), .name = type_name<T>()};
        if constexpr (has_names<T>) {
            made.enumerators = named_enumerators<T>.at;
            made.enumerator_count = named_enumerators<T>.count;
        } else if constexpr (enumeration_of_known_size<T>) {
            made.enumerators = enumeration<T>::enumerators.at;
            made.enumerator_count = enumeration<T>::count;
        }
        return made;
    }
};

template <list_like T>
struct schema_of<T> {
    static constexpr schema::list_calls calls = calls_of_list<T>();
    static constexpr schema::type table() {
        schema::type made{
            .what = schema::kind::list, .least = 0, .element = &schema_table<typename T::value_type>, .list = &calls};
        if constexpr (fixed_list<T>)
            made.least = static_cast<std::int64_t>(fixed_size<T>), made.greatest = fixed_size<T>;
        return made;
    }
};

template <map_like T>
struct schema_of<T> {
    static constexpr schema::map_calls calls = calls_of_map<T>();
    static constexpr schema::type table() {
        return {
            .what = schema::kind::map, .least = 0, .element = &schema_table<typename T::mapped_type>, .map = &calls};
    }
};

template <optional_like T>
struct schema_of<T> {
    static constexpr schema::optional_calls calls = calls_of_optional<T>();
    static constexpr schema::type table() {
        return {.what = schema::kind::optional, .element = &schema_table<typename T::value_type>, .optional = &calls};
    }
};

template <time_like T>
struct schema_of<T> {
    static constexpr schema::time_calls calls = calls_of_time<T>();
    static constexpr schema::type table() { return {.what = schema::kind::time, .time = &calls}; }
};

/// Returns the expected value of a duration for messages, such as "a whole number of seconds".
template <class Period>
constexpr std::string_view unit_of_duration() {
    constexpr auto num = Period::num, den = Period::den;
    if (num == 1 && den == 1) return "a whole number of seconds";
    if (num == 1 && den == 1'000) return "a whole number of milliseconds";
    if (num == 1 && den == 1'000'000) return "a whole number of microseconds";
    if (num == 1 && den == 1'000'000'000) return "a whole number of nanoseconds";
    if (num == 60 && den == 1) return "a whole number of minutes";
    if (num == 3'600 && den == 1) return "a whole number of hours";
    if (num == 86'400 && den == 1) return "a whole number of days";
    return {};
}

// A std::chrono::duration contains only its count, so the table of the count is used.
template <duration_like T>
struct schema_of<T> {
    static_assert(sizeof(T) == sizeof(typename T::rep));
    static constexpr schema::type table() {
        schema::type made = table_of<typename T::rep>();
        if (made.what != schema::kind::number) made.expected = unit_of_duration<typename T::period>();
        return made;
    }
};

template <class T>
bool read_represented(void* value, void* context, bool (*fill)(void*, void*)) {
    typename representation<T>::type as{};
    if (!fill(context, &as)) return false;
    auto made = representation<T>::from(std::move(as));
    if (!made) return false;
    *static_cast<T*>(value) = *std::move(made);
    return true;
}
template <class T>
void write_represented(const void* value, void* context, void (*use)(void*, const void*)) {
    const typename representation<T>::type as = representation<T>::to(*static_cast<const T*>(value));
    use(context, &as);
}
template <class T>
bool same_represented(const void* a, const void* b) {
    const auto of = [](const void* value) ->
        typename representation<T>::type { return representation<T>::to(value ? *static_cast<const T*>(value) : T{}); };
    if constexpr (requires { bool(of(a) == of(b)); }) return of(a) == of(b);
    else return true;
}

template <class T>
struct represented {
    using type = typename representation<T>::type;
    static_assert(!std::is_same_v<type, T>, "the `type` of a representation must differ from the represented type");
    static_assert(
        __is_constructible(T) &&
            requires(const T& value, type as) {
                static_cast<type>(representation<T>::to(value));
                static_cast<bool>(representation<T>::from(std::move(as)));
                T(*representation<T>::from(std::move(as)));
            },
        "a representation must have `static type to(const T&)` and `static std::optional<T> from(type)`, and T must be "
        "default-constructible");
    static constexpr schema::represented_calls calls{
        .read = read_represented<T>, .write = write_represented<T>, .same = same_represented<T>};
    static constexpr schema::type table() {
        schema::type made{.what = schema::kind::represented,
                          .name = type_name<T>(),
                          .element = &schema_table<type>,
                          .represented = &calls};
        if constexpr (requires { std::string_view(representation<T>::expected); })
            made.expected = representation<T>::expected;
        return made;
    }
};

}  // namespace apus::detail
