// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reflection of aggregates in C++23: the number of members, and the names of members and types, which are parsed from
// __PRETTY_FUNCTION__. Enumerators: enumerators.hpp.

#include <apus/detail/members.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace apus::detail {

// Converts to the type of any member. The operator is never called; clang requires a definition when it instantiates a
// constructor of std::optional.
struct any_member {
    template <class T>
    operator T() const {
        T (*none)() = nullptr;
        return none();
    }
};

template <class T, class... Init>
consteval std::size_t count_members() {
    if constexpr (requires { T{Init{}..., any_member{}}; }) return count_members<T, Init..., any_member>();
    else return sizeof...(Init);
}

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

template <class T>
struct sample_room {
    T value;
};

// Never defined: only the addresses of its members are used.
template <class T>
extern const sample_room<T> sample;

template <class T>
inline constexpr std::size_t member_count = count_members<T>();

// A function, because g++ would emit a variable, whose reference to the undefined `sample` would fail to link.
template <class T>
consteval auto sample_members() {
    return members_of<member_count<T> <= max_members ? member_count<T> : 0>(sample<T>.value);
}

#if defined(__clang__)
/// Returns the offset of a member in its sample; -1 if the compiler cannot compute it.
consteval std::ptrdiff_t distance_of(const void* member, const void* sample) {
    return __builtin_constant_p(reinterpret_cast<const char*>(member) - reinterpret_cast<const char*>(sample))
               ? reinterpret_cast<const char*>(member) - reinterpret_cast<const char*>(sample)
               : -1;
}
#pragma clang diagnostic pop
#endif

constexpr bool in_name(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

/// Returns the last name before `end`.
/// Uses pointers, which take fewer constant-evaluation steps than std::string_view.
consteval std::string_view last_name(const char* text, std::size_t end) {
    while (end > 0 && !in_name(text[end - 1])) --end;
    std::size_t from = end;
    while (from > 0 && in_name(text[from - 1])) --from;
    return {text + from, end - from};
}

template <auto Member>
consteval std::string_view member_name() {
    std::size_t end = sizeof __PRETTY_FUNCTION__ - 1;
#if !defined(__clang__)
    // "... [with auto Member = (& sample<x>.sample_room<x>::value.x::name); std::string_view = ...]"
    for (std::size_t i = 0; i < end; ++i)
        if (__PRETTY_FUNCTION__[i] == ';') end = i;
#endif
    return last_name(__PRETTY_FUNCTION__, end);
}

/// Returns the name of a type without namespaces and template arguments.
template <class T>
consteval std::string_view type_name() {
    const char* text = __PRETTY_FUNCTION__;
    while (text[0] != 'T' || text[1] != ' ' || text[2] != '=') ++text;
    std::size_t end = 4;
    while (text[end] != '<' && text[end] != ';' && text[end] != '\0') ++end;
    return last_name(text, end);
}

}  // namespace apus::detail
