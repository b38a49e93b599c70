// SPDX-License-Identifier: Apache-2.0
#pragma once

// Captures of routes with the types of schemas, in addition to numbers and texts.

#include <apus/detail/parameters.hpp>
#include <apus/detail/query_values.hpp>

namespace apus::detail {

/// Reads the index-th capture, like `read_signed`.
bool read_capture(request&, unsigned index, const schema::type&, void* value, response& out);

template <class T>
    requires(std::is_enum_v<T> || has_representation<T> || duration_like<T> || time_like<T>)
inline constexpr bool captured_by_schema<T> = true;

template <class T>
    requires schema_capture<T>
struct slot<T> : held_slot<T, body_use::ignored> {
    static_assert(
        is_plain(schema_table<T>) && schema_table<T>.what != schema::kind::list,
        "a capture of a route must be a bool, number, text, time, enumeration, or a type that is represented by one");
    static constexpr unsigned captures = 1;
    static constexpr input about{source::path, &schema_table<T>};

    bool fill(request& req, unsigned& index, response& out) {
        return read_capture(req, index++, schema_table<T>, &this->held, out);
    }
};

}  // namespace apus::detail
