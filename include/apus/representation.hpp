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

// template <class T> struct representation;
//
// Specialize it before the first use of T as a field, parameter or return type. There are two forms.
//
// A type is represented by another type, one of those in schema.hpp:
//
//     template <>
//     struct apus::representation<money> {
//         using type = std::string;                            // or a number, a rule of rules.hpp, a struct, ...
//         static std::string to(const money&);                 // printed, stored
//         static std::optional<money> from(std::string_view);  // empty: invalid; a result<money> will do
//         static constexpr std::string_view expected = "an amount such as \"12.50 EUR\"";
//     };
//
// `from` gets client input, so it must handle every value of `type`. `expected` is the
// end of messages such as "found "x", expected ...", and the description of the type in
// OpenAPI; without it, those of `type` are used. In queries, forms, captures and header
// fields, `type` must be a bool, number, text, time or enumeration. T must have a
// default constructor. A field of type T is optional if its initializer differs from
// T{}.
//
// An enumeration, also one with values outside -128 to 1023, gets external names:
//
//     template <>
//     struct apus::representation<level> {
//         static constexpr apus::named_value<level> names[] = {{"low", level::low}, {"very-high", level::very_high}};
//     };
//
// Only these names are read. If a value has several names, the first one is printed.

}  // namespace apus
