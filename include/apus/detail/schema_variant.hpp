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

template <class A>
consteval bool has_field_type() {
    constexpr schema::type table = schema_of<A>::table();
    for (unsigned i = 0; i < table.field_count; ++i)
        if (table.fields[i].name == "type") return true;
    return false;
}

template <class T, std::size_t I>
void* choose_alternative(void* variant) {
    return &static_cast<T*>(variant)->template emplace<I>();
}

template <class T, class A, std::size_t I>
constexpr schema::alternative describe_alternative() {
    static_assert(!has_field_type<A>(),
                  "an alternative of a variant must not have a field \"type\", which holds its name");
    return {
        .tag = tag_of<A>(), .quoted = quoted_tag<A>.view(), .of = &schema_table<A>, .choose = choose_alternative<T, I>};
}

template <class T, std::size_t... I>
const void* held_by(const T& variant, std::index_sequence<I...>) {
    const void* found = nullptr;
    // `get_if` is found by argument-dependent lookup: the user includes <variant>.
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
                  "each alternative of a variant in a schema must be an aggregate: its member \"type\" holds its name");
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
