// SPDX-License-Identifier: Apache-2.0
#pragma once

// Plain structs as schemas: the library derives parsing, validation and printing from their members. JSON: json.hpp;
// queries: query.hpp; forms: form.hpp; types with rules: rules.hpp.

#include <apus/detail/schema_captures.hpp>
#include <apus/detail/schema_of.hpp>
#include <apus/field_note.hpp>

namespace apus {

/// Types that can be read, validated and printed.
/// bool; integers of all widths; float and double; std::string (std::string_view, const char* and std::span for
/// printing only); enumerations, by the names of their values from -128 to 1023; time points of
/// std::chrono::system_clock, in the form of RFC 3339; std::chrono durations, as their counts; std::vector, std::array
/// and similar lists; maps with std::string keys; types with a representation (representation.hpp); std::optional;
/// std::variant of aggregates, distinguished by a member "type" with the aggregate's name or its
/// `static constexpr std::string_view tag`; `json_value`; the types of rules.hpp; and aggregates of at most 64 of these
/// types, also recursively through a list, map or optional.
///
/// An aggregate must not have bases, references or C arrays. It may declare these members:
///
/// - `static constexpr apus::field_note fields[]`: external names, descriptions, skipped fields.
/// - `result<void> check() const`: checks a rule across fields, after all fields are valid.
/// - `static constexpr bool ignores_unknown_fields = true`: unknown names are ignored. By default, an unknown name is
///   an error.
/// - `static constexpr std::string_view description`.
///
/// A field is required unless it is an optional or has a default. A missing field keeps its default. These are
/// defaults: any initializer of a bool, number, enumeration, or rule of rules.hpp on one of these, even `= 0`; a
/// non-empty initializer of a text, time, list or map. A std::array or struct has a default if all its items or fields
/// have defaults. The array or struct itself may have the initializer, or each field inside the struct may have one.
template <class T>
concept schema_type = detail::has_schema<T>;

}  // namespace apus
