// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::codec::json {

/// Lists and objects in each other, at most: what lies deeper is a bug or an attack.
constexpr unsigned max_printed_depth = 512;

/// Prints a value without white space, in place of what is in `to`. Texts that are not UTF-8 get
/// U+FFFD for what is not. Throws `std::domain_error` for what JSON cannot say: NaN, an infinity, an enumeration's
/// value without a name, a time outside the years 0 to 9999; and `std::length_error` for what is too deep.
void print(const schema::type& t, const void* value, std::string& to);

/// Appends a text as a string of JSON.
void append_text(std::string& to, std::string_view text);

}  // namespace apus::codec::json
