// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/query_values.hpp>

namespace apus {
struct form_limits;
}

namespace apus::detail {

/// Reads a whole body into a value.
/// On failure, writes a 400, 413, 415 or 422 to `out` and returns false.
bool read_form(request&, const schema::type&, const form_limits&, void* value, response& out);

/// Returns whether Content-Type is multipart/form-data. If not, writes a 400 or 415 to `out`.
bool announces_files(request&, response& out);

/// Reads a body as a stream into a value. Fails like `read_form`.
task<bool> read_files(request&, const schema::type&, const form_limits&, void* value, response& out);

constexpr bool is_file(const schema::type& t) {
    const bool holds_one = t.what == schema::kind::optional || t.what == schema::kind::list;
    return t.what == schema::kind::file || (holds_one && t.element->what == schema::kind::file);
}

constexpr bool has_files(const schema::type& t) {
    for (unsigned i = 0; i < t.field_count; ++i)
        if (is_file(*t.fields[i].of)) return true;
    return false;
}

constexpr bool is_form(const schema::type& t) {
    for (unsigned i = 0; i < t.field_count; ++i)
        if (!is_plain(*t.fields[i].of) && !is_file(*t.fields[i].of)) return false;
    return t.what == schema::kind::object;
}

template <class T, class Limits>
constexpr Limits limits_of() {
    if constexpr (requires { T::limits; }) {
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(T::limits)>, Limits>,
                      "`limits` of a form must be a static constexpr apus::form_limits");
        return T::limits;
    } else {
        return {};
    }
}

template <class T>
constexpr const schema::type& form_table() {
    static_assert(
        is_form(schema_table<T>),
        "a form must be a struct of bools, numbers, texts, times, enumerations, files, and optionals and lists of "
        "these");
    return schema_table<T>;
}

template <class Form, class T, class Limits = form_limits>
struct form_slot : held_slot<Form, body_use::whole> {
    static constexpr input about{source::form, &schema_table<T>};
    static constexpr Limits limits = limits_of<T, Limits>();

    bool fill(request& req, unsigned&, response& out) {
        return read_form(req, form_table<T>(), limits, &this->held.value, out);
    }
};

/// A slot that waits for the body. A coroutine calls the handler.
template <class Form, class T, class Limits>
    requires(has_files(form_table<T>()))
struct form_slot<Form, T, Limits> : held_slot<Form, body_use::streamed> {
    static constexpr input about{source::multipart, &schema_table<T>};
    static constexpr Limits limits = limits_of<T, Limits>();

    bool fill(request& req, unsigned&, response& out) { return announces_files(req, out); }
    task<bool> fill_later(request& req, response& out) {
        return read_files(req, form_table<T>(), limits, &this->held.value, out);
    }
};

}  // namespace apus::detail
