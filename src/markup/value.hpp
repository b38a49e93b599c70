// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/context.hpp"

#include <apus/detail/schema_table.hpp>

namespace apus::markup {

/// What a value is in a sentence: "a text", "a list".
const char* name_of_kind(const schema::type&) noexcept;

/// Whether it is `safe_html`.
bool is_safe_html(const schema::type&) noexcept;

/// Whether values of this type can be written so. All can be, in a script, but for variants, dynamic
/// values and safe_html; elsewhere those that are one text, number, bool, time or enumeration.
bool can_write(const schema::type&, escape how) noexcept;

/// Adds a value. Lists and objects nested more than 32 deep are null below that.
void write(std::string& out, escape how, const schema::type&, const void* value);

/// Whether a condition on this value can be false: all kinds but an object.
bool can_be_tested(const schema::type&) noexcept;

/// A bool that is true, a number other than 0, a text or list that is not empty, an optional that
/// holds something; and every time and enumerator.
bool is_there(const schema::type&, const void* value) noexcept;

}  // namespace apus::markup
