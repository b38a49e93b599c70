// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/lifetimes/functions.hpp"

namespace apus::cli::lifetimes {

/// The object that a reference, pointer, view or iterator refers to.
struct origin {
    enum class kinds {
        unknown,
        temporary,  ///< Destroyed at the end of the full expression; `of` is its MaterializeTemporaryExpr.
        variable,   ///< Local variable or parameter by value; `of` is its declaration.
        element,    ///< Element of a container that other tasks can change; `of` is the container's expression.
    };
    kinds kind = kinds::unknown;
    const node* of = nullptr;

    bool is(kinds which) const noexcept { return kind == which; }
};

/// Returns the object that an expression refers to.
/// Follows the initial values of variables. Returns `unknown` if the object depends on code outside the program.
origin origin_of(const node& expression, const program& in);

/// Returns true if other tasks on the same core can access the object that an expression names.
/// Such objects are global variables, members of `*this`, captures of handlers, and objects behind shared pointers.
bool is_shared(const node& expression, const program& in);

/// Returns the expression as in the source, shortened: "state.users".
std::string spelling(const node& expression);

}  // namespace apus::cli::lifetimes
