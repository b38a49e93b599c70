// SPDX-License-Identifier: Apache-2.0
#pragma once

// Objects that a program makes from environment variables at its start.

#include <string>
#include <string_view>
#include <utility>

namespace apus {

namespace detail {

std::string environment_value(const char* name, std::string_view otherwise);
[[noreturn]] void rethrow_with_variable(const char* name);  // in a catch block

}  // namespace detail

/// Makes an object from an environment variable, such as a database from its URL.
/// Uses `otherwise` if the variable is unset or empty. `more` are further arguments of the constructor. If the
/// constructor throws `std::invalid_argument`, throws `std::invalid_argument` with the variable's name before the text.
///
/// Call it in the function that `serve` calls on each core: `serve` prints the exception and returns 1. An exception in
/// `main`, outside of `serve`, ends the program by `std::terminate`. A `static` object in that function is made once
/// for all cores.
template <class T, class... A>
T from_environment(const char* name, std::string_view otherwise, A&&... more) {
    const std::string value = detail::environment_value(name, otherwise);
    try {
        return T(std::string_view(value), std::forward<A>(more)...);
    } catch (...) {
        detail::rethrow_with_variable(name);
    }
}

}  // namespace apus
