// SPDX-License-Identifier: Apache-2.0
#pragma once

// Queries as plain structs. Types and annotations: schema.hpp; types with rules:
// rules.hpp.

#include <apus/detail/held_value.hpp>
#include <apus/detail/query_values.hpp>
#include <apus/schema.hpp>

namespace apus {

/// The query of a request (`?limit=20&tag=a&tag=b`) as a handler parameter.
/// The handler runs only with a valid T. Repeated names fill a list; `+` is a space. Unknown names are ignored, since
/// other systems add parameters to links. A malformed query (incomplete percent-encoding, invalid UTF-8, NUL) gets 400.
/// Invalid values get 422, with a list of all violations as for `json<T>`.
///
/// To build a query for links and requests to other servers, use `query(T).encoded()` or `make_url` (url.hpp).
template <class T>
struct query : detail::held_value<T> {
    /// Returns the fields as text, percent-encoded, without `?`: "limit=20&tag=a&tag=b".
    /// Lists repeat the name; empty optionals and secrets are omitted. Throws `std::domain_error` like `to_json`.
    std::string encoded() const { return detail::encode_query(detail::flat_table<T>(), &this->value); }
};

template <class T>
query(T) -> query<T>;

template <class T>
struct detail::slot<query<T>> : detail::held_slot<query<T>, detail::body_use::ignored> {
    static constexpr input about{source::query, &schema_table<T>};

    bool fill(request& req, unsigned&, response& out) {
        return read_query(req, flat_table<T>(), &this->held.value, out);
    }
};

}  // namespace apus
