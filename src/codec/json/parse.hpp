// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/json/syntax.hpp"

#include <apus/detail/schema_table.hpp>

namespace apus::codec::json {

/// Reads a document into a value of this type, which is as it was made: what the document leaves
/// out stays so. All that is wrong goes to `out`, up to `schema::max_faults`; then the value may
/// hold a part of the document. Throws what the value's own functions throw, such as bad_alloc.
void parse(std::string_view text, const schema::type& t, void* value, report& out);

}  // namespace apus::codec::json
