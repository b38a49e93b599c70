// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/lifetimes/functions.hpp"

namespace apus::cli::lifetimes {

/// A use of a variable after a suspension that follows its declaration.
struct suspension_crossing {
    const node* suspension = nullptr;
    const node* use = nullptr;
    explicit operator bool() const noexcept { return suspension; }
};

/// Returns the first use of a variable that can run after a `co_await`.
/// Ignores uses after a new assignment to the variable.
suspension_crossing use_after_suspension(const node& variable, const function& of, const program& in);

/// Returns the first `co_await` in a range-based for after which the loop can continue, or null.
const node* suspension_of_loop(const node& loop, const function& of);

/// Returns the innermost block, loop or if statement that contains a node.
const node& block_of(const node& here);

}  // namespace apus::cli::lifetimes
