// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schema/defaults.hpp"
#include "schema/flat_values.hpp"
#include "schema/made_object.hpp"

namespace apus::openapi {

/// Calls `visit(field, required, made)` for each field of an aggregate.
/// `made` is the field's address in a newly created object, for the default value.
template <class Visit>
void each_field(const schema::type& t, Visit visit) {
    const std::uint64_t omittable = schema::omittable(t);
    schema::made_object made(t, 0);
    for (unsigned i = 0; i < t.field_count; ++i)
        visit(t.fields[i], (omittable >> i & 1) == 0, static_cast<const void*>(made.at() + t.fields[i].offset));
}

/// Like `each_field`, for values that are sent as text, as in queries and forms.
/// Lists that may be empty are not required, since text cannot express an empty list.
template <class Visit>
void each_flat_field(const schema::type& t, Visit visit) {
    each_field(t, [&](const schema::field& f, bool required, const void* made) {
        visit(f, required && !schema::may_be_absent(*f.of), made);
    });
}

}  // namespace apus::openapi
