// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/context.hpp"

#include <apus/detail/schema_table.hpp>

namespace apus::markup {

/// Kind of a value, for messages: "a text", "a list".
const char* name_of_kind(const schema::type&) noexcept;

/// Whether the type is `safe_html`.
bool is_safe_html(const schema::type&) noexcept;

/// Whether values of this type can be written in this context.
/// Scripts: all types except variants, dynamic values and safe_html. Elsewhere: only texts, numbers, bools, times and
/// enumerations.
bool can_write(const schema::type&, escape how) noexcept;

/// Writes a value. Lists and objects that are nested over 32 levels deep become null.
void write(std::string& out, escape how, const schema::type&, const void* value);

/// Whether a condition on this value can be false: true for all kinds except objects.
bool can_be_tested(const schema::type&) noexcept;

/// Whether a condition on this value is true.
/// It is true for: true, non-zero numbers, non-empty texts and lists, optionals with a value, times and enumerators.
bool is_there(const schema::type&, const void* value) noexcept;

}  // namespace apus::markup
