// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::schema {

/// Bit i: field i of this aggregate need not be sent, see apus/schema.hpp. Found by making one and
/// looking at it, once for each type; safe from any thread. Throws what the aggregate's initializers throw.
std::uint64_t omittable(const type& aggregate);

/// Whether a value is as one that nobody has given: an empty text, list or map, the time 0.
bool is_empty(const type& t, const void* value);

}  // namespace apus::schema
