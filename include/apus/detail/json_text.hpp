// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/answers.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/detail/schema_of.hpp>

namespace apus {
class json_value;
}

namespace apus::detail {

/// Prints in place of what is in `to`. Throws as `apus::to_json` does.
void print_json(const schema::type&, const void* value, std::string& to);

/// Gives false and puts into `why` what is wrong.
bool parse_json(std::string_view text, const schema::type&, void* value, error& why);

/// Reads the body of a request into a value; or puts the 400, 415 or 422 into `out`, and gives false.
bool read_json_body(request&, const schema::type&, void* value, response& out);

/// Puts a value into `out`, which is a response that nobody has touched.
void put_json(response& out, const schema::type&, const void* value);

/// Whether a list is a view of values that others own: it neither grows nor has a size of its own.
constexpr bool is_list_view(const schema::type& t) {
    return t.what == schema::kind::list && !t.list->add && t.least == 0 && t.greatest != 0;
}

/// Whether values of the type can be read: a view has nobody to own its text, or its values.
constexpr bool is_readable(const schema::type& t, unsigned depth = 0) {
    if (t.what == schema::kind::view || t.what == schema::kind::file || is_list_view(t)) return false;
    if (depth > 6) return true;  // types that hold themselves
    const bool holds_others =
        t.what == schema::kind::list || t.what == schema::kind::map || t.what == schema::kind::optional;
    if (holds_others && !is_readable(*t.element, depth + 1)) return false;
    for (unsigned i = 0; i < t.field_count; ++i)
        if (!is_readable(*t.fields[i].of, depth + 1)) return false;
    return true;
}

template <class T>
constexpr const schema::type& readable_table() {
    static_assert(is_readable(schema_table<T>),
                  "what is read owns its texts: use std::string and std::vector, a std::string_view and a std::span "
                  "can only be printed; files come in forms");
    return schema_table<T>;
}

/// What a handler may return for JSON.
template <class T>
concept json_answer =
    schema_aggregate<T> || list_like<T> || map_like<T> || variant_like<T> || std::is_same_v<T, json_value>;

}  // namespace apus::detail
