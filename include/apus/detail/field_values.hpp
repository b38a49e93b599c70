// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/literal.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/detail/query_values.hpp>
#include <apus/detail/schema_of.hpp>

namespace apus::detail {

/// Read a header field or a cookie of a request into a value.
/// On failure, write a 400 to `out` and return false.
bool read_header(request&, std::string_view name, const schema::type&, void* value, response& out);
bool read_cookie(request&, std::string_view name, const schema::type&, void* value, response& out);

/// Whether `text` equals `lower`, case-insensitively.
constexpr bool is_word(std::string_view text, std::string_view lower) {
    if (text.size() != lower.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != lower[i] && (text[i] < 'A' || text[i] > 'Z' || text[i] + 32 != lower[i])) return false;
    return true;
}

constexpr bool is_single(const schema::type& t) {
    return t.what == schema::kind::optional ? is_single(*t.element) : t.what != schema::kind::list && is_plain(t);
}

template <class T>
constexpr const schema::type& single_table() {
    static_assert(
        is_single(schema_table<T>),
        "a header field or cookie must be a bool, number, text, time, enumeration, or an optional of one of these");
    return schema_table<T>;
}

template <class Held, class T, bool (*Read)(request&, std::string_view, const schema::type&, void*, response&)>
struct field_slot : held_slot<Held, body_use::ignored> {
    bool fill(request& req, unsigned&, response& out) {
        return Read(req, slot<Held>::about.name, single_table<T>(), &this->held.value, out);
    }
};

}  // namespace apus::detail
