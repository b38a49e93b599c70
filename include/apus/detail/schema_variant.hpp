// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_object.hpp>

namespace apus::detail {

template <class A>
consteval std::string_view tag_of() {
    if constexpr (requires { std::string_view(A::tag); }) return A::tag;
    else return type_name<A>();
}

template <class A>
inline constexpr joined_text<tag_of<A>().size() + 10> quoted_tag{std::string_view("{\"type\":\""), tag_of<A>(),
                                                                 std::string_view("\"")};

template <class A, std::size_t... I>
consteval bool has_field_type(std::index_sequence<I...>) {
    return ((note_of<A, I>().name == "type" && !note_of<A, I>().skip) || ...);
}

template <class T, class A, std::size_t I>
constexpr schema::alternative describe_alternative() {
    static_assert(!has_field_type<A>(typename schema_of<A>::indices()),
                  "an alternative of a variant has no field \"type\": that is where its name stands");
    return {.tag = tag_of<A>(),
            .quoted = quoted_tag<A>.view(),
            .of = &schema_table<A>,
            .choose = [](void* variant) -> void* { return &static_cast<T*>(variant)->template emplace<I>(); }};
}

template <class T, std::size_t... I>
const void* held_by(const T& variant, std::index_sequence<I...>) {
    const void* found = nullptr;
    // Found by the arguments: <variant> is the user's to include.
    ((found = variant.index() == I ? get_if<I>(&variant) : found), ...);
    return found;
}

template <class T>
struct alternatives_of;
template <template <class...> class V, class... A>
struct alternatives_of<V<A...>> {
    template <std::size_t... I>
    static consteval bool differ(std::index_sequence<I...>) {
        const std::string_view tags[] = {tag_of<A>()...};
        for (std::size_t a = 0; a < sizeof...(A); ++a)
            for (std::size_t b = 0; b < a; ++b)
                if (tags[a] == tags[b]) return false;
        return true;
    }
    template <std::size_t... I>
    static constexpr auto list(std::index_sequence<I...>) {
        struct {
            schema::alternative at[sizeof...(A)];
        } made{{describe_alternative<V<A...>, A, I>()...}};
        return made;
    }
    static constexpr std::index_sequence_for<A...> indices{};
};

template <class T>
    requires variant_like<T>
struct schema_of<T> {
    static_assert((variant_parts<T>::all_classes),
                  "each alternative of a variant in a schema is an aggregate: its name is the member \"type\" that "
                  "tells it apart");
    using parts = alternatives_of<T>;
    static_assert(parts::differ(parts::indices), "two alternatives of a variant have the same tag");
    static constexpr auto alternatives = parts::list(parts::indices);
    static constexpr schema::variant_calls calls{
        .alternatives = alternatives.at,
        .count = variant_parts<T>::count,
        .index = [](const void* variant) { return static_cast<const T*>(variant)->index(); },
        .get = [](const void* variant) { return held_by(*static_cast<const T*>(variant), parts::indices); },
    };
    static constexpr schema::type table() { return {.what = schema::kind::variant, .variant = &calls}; }
};

}  // namespace apus::detail
