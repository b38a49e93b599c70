// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/parameters.hpp>
#include <apus/detail/schema_of.hpp>

namespace apus::detail {

/// Reads the query of a request into a value.
/// On failure, writes a 400 or 422 to `out` and returns false.
bool read_query(request&, const schema::type&, void* value, response& out);

/// Returns the fields of a flat aggregate as a URL query.
std::string encode_query(const schema::type&, const void* value);

constexpr bool is_plain(const schema::type& t) {
    switch (t.what) {
        case schema::kind::optional:
        case schema::kind::represented:
        case schema::kind::secret:
        case schema::kind::list: return is_plain(*t.element);
        default: return schema::is_single_value(t);
    }
}

constexpr bool is_flat(const schema::type& t) {
    for (unsigned i = 0; i < t.field_count; ++i)
        if (!is_plain(*t.fields[i].of)) return false;
    return t.what == schema::kind::object;
}

template <class T>
constexpr const schema::type& flat_table() {
    static_assert(
        is_flat(schema_table<T>),
        "a query must be a struct of bools, numbers, texts, times, enumerations, and optionals and lists of these");
    return schema_table<T>;
}

}  // namespace apus::detail
