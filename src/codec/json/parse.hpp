// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/json/syntax.hpp"

#include <apus/detail/schema_table.hpp>

namespace apus::codec::json {

/// Parses a document into a value of this type.
/// Absent members keep their initial values. Adds all violations to `out`, up to `schema::max_faults`; the value may
/// then be partially set. Throws only exceptions of the value's functions, such as `std::bad_alloc`.
void parse(std::string_view text, const schema::type& t, void* value, report& out);

}  // namespace apus::codec::json
