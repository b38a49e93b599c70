// SPDX-License-Identifier: Apache-2.0
#pragma once

// Containers, optionals and points in time, known by what they can do: so this includes none of
// their headers.

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
} && !requires { typename T::traits_type; };  // a string is no list of characters

template <class T>
inline constexpr std::size_t fixed_size = 0;
template <template <class, std::size_t> class A, class V, std::size_t N>
inline constexpr std::size_t fixed_size<A<V, N>> = N;

template <class T>
concept sized_at_compile_time = fixed_size<T> != 0 && requires(const T& c) {
    typename T::value_type;
    { c.data() } -> std::same_as<const typename T::value_type*>;
};
/// A std::array; and a std::span of const values, which is known by the extent that says that it has none.
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
    T::clock::to_time_t;  // system_clock only: what others count is no date
    t.time_since_epoch().count();
    T::period::num;
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

template <class T>
constexpr schema::list_calls calls_of_list() {
    schema::list_calls calls{};
    if constexpr (fixed_list<T>) {
        calls.size = [](const void*) { return fixed_size<T>; };
    } else if constexpr (list_view<T>) {
        calls.size = [](const void* list) { return static_cast<const T*>(list)->size(); };
    } else {
        calls.clear = [](void* list) { static_cast<T*>(list)->clear(); };
        calls.add = [](void* list) -> void* {
            T& to = *static_cast<T*>(list);
            if constexpr (requires { to.reserve(4); })
                if (to.empty()) to.reserve(4);  // spares most lists of a request two allocations
            return &to.emplace_back();
        };
        calls.size = [](const void* list) { return static_cast<const T*>(list)->size(); };
    }
    calls.data = [](const void* list) -> const void* { return static_cast<const T*>(list)->data(); };
    calls.stride = sizeof(typename T::value_type);
    return calls;
}

template <class T>
constexpr schema::map_calls calls_of_map() {
    return {
        .clear = [](void* map) { static_cast<T*>(map)->clear(); },
        .put = [](void* map, std::string_view key) -> void* {
            const auto [place, fresh] = static_cast<T*>(map)->try_emplace(std::string(key));
            return fresh ? &place->second : nullptr;
        },
        .size = [](const void* map) { return static_cast<const T*>(map)->size(); },
        .each =
            [](const void* map, void* context, void (*visit)(void*, std::string_view, const void*)) {
                for (const auto& entry : *static_cast<const T*>(map)) visit(context, entry.first, &entry.second);
            },
    };
}

template <class T>
constexpr schema::optional_calls calls_of_optional() {
    return {
        .reset = [](void* optional) { static_cast<T*>(optional)->reset(); },
        .emplace = [](void* optional) -> void* { return &static_cast<T*>(optional)->emplace(); },
        .get = [](const void* optional) -> const void* {
            const T& holder = *static_cast<const T*>(optional);
            return holder.has_value() ? &*holder : nullptr;
        },
    };
}

template <class T>
constexpr schema::time_calls calls_of_time() {
    return {
        .count =
            [](const void* time) {
                return static_cast<std::int64_t>(static_cast<const T*>(time)->time_since_epoch().count());
            },
        .set =
            [](void* time, std::int64_t count) {
                *static_cast<T*>(time) = T(typename T::duration(static_cast<typename T::rep>(count)));
            },
        .numerator = T::period::num,
        .denominator = T::period::den,
    };
}

}  // namespace apus::detail
