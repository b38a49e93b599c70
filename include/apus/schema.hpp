// SPDX-License-Identifier: Apache-2.0
#pragma once

// Plain structs are schemas: from their members alone come parsing, checking and printing. JSON is in
// json.hpp, queries in query.hpp, forms in form.hpp; types that carry a rule are in rules.hpp.

#include <apus/detail/schema_of.hpp>
#include <apus/field_note.hpp>

namespace apus {

/// What can be read, checked and printed without more words: bool; integers of all widths; float
/// and double; std::string (std::string_view, const char* and std::span are no fields of what is
/// read);
/// enumerations, by the names of their values from -128 to 1023; std::chrono::system_clock's points in
/// time, as RFC 3339; std::vector, std::array and what is like them; maps from std::string;
/// std::optional; std::variant of aggregates, told apart by a member "type" that holds their name,
/// or their `static constexpr std::string_view tag`; `json_value`; the types of rules.hpp; and
/// aggregates of at most 64 of these, also of themselves through a list, map or optional.
///
/// An aggregate has no base, no reference and no C array. Of it and its members may say more:
///
/// - `static constexpr apus::field_note fields[]`: other names, descriptions, fields to skip.
/// - `result<void> check() const`: a rule across fields, called when all fields are right.
/// - `static constexpr bool ignores_unknown_fields = true`: names that it has not are passed over,
///   where they are an error otherwise.
/// - `static constexpr std::string_view description`.
///
/// A field need not be sent if it is optional, or if the struct gives it a value: an initializer
/// of a bool, a number, an enumeration or a rule of rules.hpp on these, even `= 0`; an initializer
/// of a text, time, list or map that does not leave it empty; or a std::array or struct of which that holds for
/// each item or field, by its initializer or theirs. It keeps that value then. Every other field must be sent.
template <class T>
concept schema_type = detail::has_schema<T>;

}  // namespace apus
