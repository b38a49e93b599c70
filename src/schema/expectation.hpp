// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::schema {

/// Describes the valid values of a type, for messages.
/// Examples: "an integer from 1 to 5", "a list of 1 to 10 values".
std::string expectation(const type& t);

/// Whether a text has the length and format that the type requires. `text` is UTF-8.
bool text_fits(const type& t, std::string_view text) noexcept;

/// Returns the enumerator with a value, or null.
const enumerator* enumerator_at(const type& t, const void* value) noexcept;

/// Returns the enumerator with this name, or null.
const enumerator* find_enumerator(const type& t, std::string_view name) noexcept;

}  // namespace apus::schema
