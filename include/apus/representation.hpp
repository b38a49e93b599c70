// SPDX-License-Identifier: Apache-2.0
#pragma once

// `apus::representation`: a program's own types in JSON, queries, forms, path captures, header fields, database rows
// and OpenAPI. schema.hpp declares the template; programs specialize it.

#include <apus/schema.hpp>

namespace apus {

/// A value of an enumeration, and its external name.
template <class E>
struct named_value {
    std::string_view name;
    E value;
};

// The template is `template <class T> struct representation;`. Specialize it before the first use of T as a field,
// parameter or return type. There are two forms.
//
// 1. A type is represented by another type of schema.hpp:
//
//     template <>
//     struct apus::representation<money> {
//         using type = std::string;  // or a number, a rule of rules.hpp, a struct, ...
//         static std::string to(const money&);  // for printing and storing
//         static std::optional<money> from(std::string_view);  // empty: invalid; may return result<money>
//         static constexpr std::string_view expected = "an amount such as \"12.50 EUR\"";
//     };
//
// `from` gets client input, so it must handle every value of `type`. `expected` ends messages such as
// "found "x", expected ...", and describes the type in OpenAPI. Without `expected`, messages and description are the
// same as for `type`. In queries, forms, captures and header fields, `type` must be a bool, number, text, time or
// enumeration. T must have a default constructor. A field of type T may be missing if its initializer differs from T{}.
//
// 2. An enumeration gets external names. Its values may be outside -128 to 1023:
//
//     template <>
//     struct apus::representation<level> {
//         static constexpr apus::named_value<level> names[] = {{"low", level::low}, {"very-high", level::very_high}};
//     };
//
// Only these names are valid input. If a value has several names, the first one is printed.

}  // namespace apus
