// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::schema {

/// Returns a bit mask: bit i is set if field i of the aggregate may be missing (apus/schema.hpp).
/// Computed once per type by creating an object; thread-safe. Throws what the aggregate's initializers throw.
std::uint64_t omittable(const type& aggregate);

/// Whether a value is empty: an empty text, list or map, or the time 0.
bool is_empty(const type& t, const void* value);

}  // namespace apus::schema
