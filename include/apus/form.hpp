// SPDX-License-Identifier: Apache-2.0
#pragma once

// A form of HTML as a plain struct. What the struct may say is in schema.hpp, types with rules are in
// rules.hpp.

#include <apus/detail/held_value.hpp>
#include <apus/detail/query_values.hpp>
#include <apus/schema.hpp>

namespace apus {

/// The body of a request, sent by a form as application/x-www-form-urlencoded, as a handler's
/// parameter. It is read as `query<T>` is: names that T has not are passed over. 415 for another
/// Content-Type, 400 for what is no form, 422 with a list of all that is wrong, as `json<T>` has it,
/// for values that do not fit. A body over `limits::body` is a 413.
template <class T>
struct form : detail::held_value<T> {};

template <class T>
struct detail::slot<form<T>> : detail::flat_slot<form<T>, T, detail::body_use::whole, detail::read_form> {};

}  // namespace apus
