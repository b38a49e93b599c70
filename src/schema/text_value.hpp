// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::schema {

/// Reads a value from a text that is nothing but it, as queries and forms have them: "7", "true",
/// "red". A bool is also "on", which a browser sends for a box that is ticked. False: the text
/// is none of the type. Adds one value to a list.
bool read_text(const type& t, void* to, std::string_view text);

}  // namespace apus::schema
