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

/// Returns the object that an expression refers to, following the initial values of the variables
/// in it. Returns `unknown` if the object depends on code outside the program.
origin origin_of(const node& expression, const program& in);

/// Returns true if other tasks on the same core can access the object that an expression names.
/// That is a global variable, a member of `*this`, a capture of a handler, or an object behind a shared pointer.
bool is_shared(const node& expression, const program& in);

/// Returns the expression as in the source, shortened: "state.users".
std::string spelling(const node& expression);

}  // namespace apus::cli::lifetimes
