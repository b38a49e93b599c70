// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

#include <span>
#include <string>
#include <string_view>

namespace apus::codec::json {

/// Maximum nesting of lists and objects. Deeper values are the result of a bug or an attack.
constexpr unsigned max_printed_depth = 512;

/// Whether `apus::secret` values are printed.
/// A hidden field is omitted; any other hidden value is printed as null.
enum class secrets : bool {
    hidden,
    shown
};

/// Prints a value without white space, replacing the content of `to`.
/// Invalid UTF-8 in texts becomes U+FFFD. Throws `std::domain_error` for values that JSON cannot represent: NaN,
/// infinity, an enumeration value without a name, a time outside of the years 0 to 9999. Throws `std::length_error` for
/// values nested deeper than `max_printed_depth`.
void print(const schema::type& t, const void* value, std::string& to, secrets how = secrets::hidden);

/// Prints a value like `print(t, value, to)`, but into `first` if the text fits.
/// Returns the text.
std::string_view print(const schema::type& t, const void* value, std::span<char> first, std::string& to,
                       secrets how = secrets::hidden);

/// Appends a text as a JSON string.
void append_text(std::string& to, std::string_view text);

}  // namespace apus::codec::json
