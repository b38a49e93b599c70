// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/enumerators.hpp>
#include <apus/detail/reflection.hpp>
#include <apus/detail/schema_calls.hpp>
#include <apus/detail/schema_table.hpp>
#include <apus/detail/signature.hpp>

#include <limits>
#include <new>

namespace apus::detail {

/// Gives the table of T as `table()`. Other headers specialize it for their types.
template <class T>
struct schema_of {};

template <class T>
constexpr schema::type table_of();

/// The one table of each type. What refers to itself does so by this address.
template <class T>
inline constexpr schema::type schema_table = table_of<T>();

template <class T, class... Among>
concept is_any_of = (std::is_same_v<T, Among> || ...);

// A char is a character, so it is no number here.
template <class T>
concept schema_integer = std::is_integral_v<T> && !is_any_of<T, bool, char, wchar_t, char8_t, char16_t, char32_t>;
template <class T>
concept schema_aggregate = std::is_aggregate_v<T> && std::is_class_v<T> && !list_like<T>;
template <class T>
concept has_schema_of = requires { schema_of<T>::table(); };
template <class T>
concept has_schema = schema_integer<T> || std::is_enum_v<T> || list_like<T> || map_like<T> || optional_like<T> ||
                     variant_like<T> || time_like<T> || schema_aggregate<T> || has_schema_of<T>;

template <class T>
constexpr schema::type table_of() {
    static_assert(has_schema<T>,
                  "a field is a bool, number, std::string, enumeration, time point, list, string-keyed map, optional, "
                  "variant or aggregate, or of a type of apus");
    if constexpr (has_schema<T>) return schema_of<T>::table();
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

template <class T>
    requires std::is_enum_v<T>
struct schema_of<T> {
    static_assert(enumeration_of_known_size<T>,
                  "an enumeration in a schema is an enum class, or an enum with an underlying type");
    static constexpr schema::type table() {
        schema::type made{.what = schema::kind::enumeration, .width = sizeof(T), .name = type_name<T>()};
        if constexpr (enumeration_of_known_size<T>) {
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

}  // namespace apus::detail
