// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/answers.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/detail/schema_of.hpp>

namespace apus {
class json_value;
struct json_options;
}  // namespace apus

namespace apus::detail {

/// Prints a value to `to`, replacing its contents. Throws like `apus::to_json`.
void print_json(const schema::type&, const void* value, std::string& to);
/// Like `print_json`, including secrets.
void print_json_with_secrets(const schema::type&, const void* value, std::string& to);

/// Parses `text` into a value. On failure, writes the error to `why` and returns false.
bool parse_json(std::string_view text, const schema::type&, void* value, error& why);
bool parse_json(std::string_view text, const schema::type&, void* value, error& why, const json_options&);

/// Reads the body of a request into a value.
/// On failure, writes a 400, 415 or 422 to `out` and returns false.
bool read_json_body(request&, const schema::type&, void* value, response& out);

/// Writes a value to `out`, which must be a default-constructed response.
void put_json(response& out, const schema::type&, const void* value);

/// Whether a type is a view of a list. The table of a view has no `add` and no fixed size.
constexpr bool is_list_view(const schema::type& t) {
    return t.what == schema::kind::list && !t.list->add && t.least == 0 && t.greatest != 0;
}

/// Whether values of the type can be read. Views cannot: they do not own their data.
constexpr bool is_readable(const schema::type& t, unsigned depth = 0) {
    if (t.what == schema::kind::view || t.what == schema::kind::file || is_list_view(t)) return false;
    if (depth > 6) return true;  // recursive types
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
                  "a struct for input must own its data: use std::string and std::vector, since std::string_view and "
                  "std::span are for output only; files are for forms");
    return schema_table<T>;
}

/// Types that a handler may return as JSON.
template <class T>
concept json_answer = schema_aggregate<T> || list_like<T> || map_like<T> || variant_like<T> ||
                      std::is_same_v<T, json_value> || (has_representation<T> && std::is_class_v<T>);

}  // namespace apus::detail
