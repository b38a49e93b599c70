// SPDX-License-Identifier: Apache-2.0
#pragma once

// Concepts for containers, optionals and time points. They test for members of these types, so that this header need
// not include the standard headers of the types.

#include <apus/detail/reflection.hpp>
#include <apus/detail/schema_table.hpp>

#include <concepts>

namespace apus::detail {

template <class T>
concept growing_list = requires(T& t, const T& c) {
    typename T::value_type;
    t.emplace_back();
    t.clear();
    { c.size() } -> std::same_as<std::size_t>;
    { c.data() } -> std::same_as<const typename T::value_type*>;
} && !requires { typename T::traits_type; };  // a string is not a list of characters

template <class T>
inline constexpr std::size_t fixed_size = 0;
template <template <class, std::size_t> class A, class V, std::size_t N>
inline constexpr std::size_t fixed_size<A<V, N>> = N;

template <class T>
concept sized_at_compile_time = fixed_size<T> != 0 && requires(const T& c) {
    typename T::value_type;
    { c.data() } -> std::same_as<const typename T::value_type*>;
};
/// `fixed_list`: a std::array.
/// `list_view`: a std::span of const values with dynamic extent.
template <class T>
concept fixed_list = sized_at_compile_time<T> && fixed_size<T> != std::size_t(-1);
template <class T>
concept list_view = sized_at_compile_time<T> && fixed_size<T> == std::size_t(-1);
template <class T>
concept list_like = growing_list<T> || fixed_list<T> || list_view<T>;

template <class T>
concept map_like = requires(T& t, std::string key) {
    typename T::mapped_type;
    requires std::is_same_v<typename T::key_type, std::string>;
    t.try_emplace(key);
    t.clear();
};

template <class T>
concept optional_like = requires(T& t, const T& c) {
    typename T::value_type;
    t.emplace();
    t.reset();
    { c.has_value() } -> std::same_as<bool>;
};

template <class T>
concept time_like = requires(const T& t) {
    T::clock::to_time_t;  // std::chrono::system_clock only: other clocks have no calendar dates
    t.time_since_epoch().count();
    T::period::num;
};

/// A std::chrono::duration.
template <class T>
concept duration_like = requires(const T& t) {
    typename T::rep;
    T::period::num;
    requires std::is_same_v<decltype(t.count()), typename T::rep>;
    requires !requires { typename T::clock; };
};

template <class T>
struct variant_parts;
template <template <class...> class V, class... A>
    requires requires(V<A...>& v) {
        { v.index() } -> std::same_as<std::size_t>;
        v.valueless_by_exception();
        v.template emplace<0>();
    }
struct variant_parts<V<A...>> {
    static constexpr bool all_classes = ((std::is_aggregate_v<A> && std::is_class_v<A>) && ...);
    static constexpr unsigned count = sizeof...(A);
};

template <class T>
concept variant_like = requires { variant_parts<T>::count; };

// Functions, not lambdas: without optimization, the compiler emits three functions for each lambda.

template <class T>
void clear(void* container) {
    static_cast<T*>(container)->clear();
}
template <class T>
std::size_t size_of(const void* container) {
    if constexpr (fixed_list<T>) return fixed_size<T>;
    else return static_cast<const T*>(container)->size();
}
template <class T>
const void* data_of(const void* list) {
    return static_cast<const T*>(list)->data();
}
template <class T>
void* add_to_list(void* list) {
    T& to = *static_cast<T*>(list);
    if constexpr (requires { to.reserve(4); })
        if (to.empty()) to.reserve(4);  // saves two allocations for most lists in requests
    return &to.emplace_back();
}

template <class T>
constexpr schema::list_calls calls_of_list() {
    schema::list_calls calls{};
    if constexpr (growing_list<T>) calls.clear = clear<T>, calls.add = add_to_list<T>;
    calls.size = size_of<T>;
    calls.data = data_of<T>;
    calls.stride = sizeof(typename T::value_type);
    return calls;
}

template <class T>
void* put_into_map(void* map, std::string_view key) {
    const auto [place, fresh] = static_cast<T*>(map)->try_emplace(std::string(key));
    return fresh ? &place->second : nullptr;
}
template <class T>
void visit_map(const void* map, void* context, void (*visit)(void*, std::string_view, const void*)) {
    for (const auto& entry : *static_cast<const T*>(map)) visit(context, entry.first, &entry.second);
}

template <class T>
constexpr schema::map_calls calls_of_map() {
    return {.clear = clear<T>, .put = put_into_map<T>, .size = size_of<T>, .each = visit_map<T>};
}

template <class T>
void reset_optional(void* optional) {
    static_cast<T*>(optional)->reset();
}
template <class T>
void* emplace_optional(void* optional) {
    return &static_cast<T*>(optional)->emplace();
}
template <class T>
const void* get_optional(const void* optional) {
    const T& holder = *static_cast<const T*>(optional);
    return holder.has_value() ? &*holder : nullptr;
}

template <class T>
constexpr schema::optional_calls calls_of_optional() {
    return {.reset = reset_optional<T>, .emplace = emplace_optional<T>, .get = get_optional<T>};
}

template <class T>
std::int64_t count_time(const void* time) {
    return static_cast<std::int64_t>(static_cast<const T*>(time)->time_since_epoch().count());
}
template <class T>
void set_time(void* time, std::int64_t count) {
    *static_cast<T*>(time) = T(typename T::duration(static_cast<typename T::rep>(count)));
}

template <class T>
constexpr schema::time_calls calls_of_time() {
    return {.count = count_time<T>, .set = set_time<T>, .numerator = T::period::num, .denominator = T::period::den};
}

}  // namespace apus::detail
