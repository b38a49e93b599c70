// SPDX-License-Identifier: Apache-2.0
#pragma once

// The query of a request as a plain struct. What the struct may say is in schema.hpp, types with
// rules are in rules.hpp.

#include <apus/detail/held_value.hpp>
#include <apus/detail/query_values.hpp>
#include <apus/schema.hpp>

namespace apus {

/// The query of a request (`?limit=20&tag=a&tag=b`) as a handler's parameter: the handler runs only
/// with a value that is all of what T asks for. A list takes a name that stands several times; `+` is a
/// space. Names that T has not are passed over, since links get parameters that are not for the
/// server. 400 for what is no query (a percent sign without its digits, no UTF-8, NUL); 422 with a
/// list of all that is wrong, as `json<T>` has it, for values that do not fit.
template <class T>
struct query : detail::held_value<T> {};

template <class T>
struct detail::slot<query<T>> : detail::held_slot<query<T>, detail::body_use::ignored> {
    static constexpr input about{source::query, &schema_table<T>};

    bool fill(request& req, unsigned&, response& out) {
        return read_query(req, flat_table<T>(), &this->held.value, out);
    }
};

}  // namespace apus
