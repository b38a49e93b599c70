// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::schema {

/// Parses a plain value from text, as in queries and forms: "7", "true", "red".
/// A bool may be "on", which browsers send for a checked box. For a list, appends one value. Returns false if the text
/// does not match the type.
bool read_text(const type& t, void* to, std::string_view text);

}  // namespace apus::schema
