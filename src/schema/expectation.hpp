// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::schema {

/// What a value of this type is, for a sentence: "an integer from 1 to 5", "a list of 1 to 10 values".
std::string expectation(const type& t);

/// Whether the text is of the length and of the form that the type asks for. `text` is UTF-8.
bool text_fits(const type& t, std::string_view text) noexcept;

/// The enumerator of a value, or null.
const enumerator* enumerator_at(const type& t, const void* value) noexcept;

/// The enumerator of this name, or null.
const enumerator* find_enumerator(const type& t, std::string_view name) noexcept;

}  // namespace apus::schema
