// SPDX-License-Identifier: Apache-2.0
#pragma once

// What C++23 does not say of an aggregate, told by what compilers print: how many members it has,
// and what they and its type are called. Enumerators are in enumerators.hpp.

#include <apus/detail/members.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace apus::detail {

// Never converted; defined, since clang asks for that where it instantiates a constructor of std::optional.
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

// Never defined: only the addresses of its members are named.
template <class T>
extern const sample_room<T> sample;

template <class T>
inline constexpr std::size_t member_count = count_members<T>();

// A function, not a variable: g++ would put that into the program, and ask the linker for the sample.
template <class T, std::size_t I>
consteval auto sample_member() {
    return member_at<I>(members_of<member_count<T>>(sample<T>.value));
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <class T, std::size_t I>
using member_type = std::remove_cvref_t<decltype(*sample_member<T, I>())>;

/// The last name in `s`, which ends where one of `closing` stands.
consteval std::string_view last_name(std::string_view s, std::string_view closing) {
    s = s.substr(0, s.find_last_of(closing));
    while (s.ends_with(')') || s.ends_with(']') || s.ends_with('}')) s.remove_suffix(1);
    std::size_t from = s.size();
    while (from > 0 && (s[from - 1] == '_' || (s[from - 1] >= '0' && s[from - 1] <= '9') ||
                        (s[from - 1] >= 'a' && s[from - 1] <= 'z') || (s[from - 1] >= 'A' && s[from - 1] <= 'Z')))
        --from;
    return s.substr(from);
}

template <auto Member>
consteval std::string_view member_name() {
    std::string_view s(__PRETTY_FUNCTION__, sizeof __PRETTY_FUNCTION__ - 1);
    // g++: "... [with auto Member = (& sample<x>.sample_room<x>::value.x::name); std::string_view = ...]"
    return last_name(s.substr(0, s.find(';')), "])");
}

/// The name of a type without its namespaces and template arguments.
template <class T>
consteval std::string_view type_name() {
    std::string_view s(__PRETTY_FUNCTION__, sizeof __PRETTY_FUNCTION__ - 1);
    s = s.substr(0, s.find(';'));
    if (const auto arguments = s.find('<'); arguments != s.npos) return last_name(s.substr(0, arguments + 1), "<");
    return last_name(s.substr(0, s.find_last_of(']') == s.npos ? s.size() : s.find_last_of(']')).substr(s.find("T = ")),
                     "");
}

}  // namespace apus::detail
