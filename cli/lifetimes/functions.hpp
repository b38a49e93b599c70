// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cli/lifetimes/syntax_tree.hpp"

namespace apus::cli::lifetimes {

/// A function or the call operator of a lambda, with its variables.
struct function {
    const node* declaration = nullptr;
    const node* body = nullptr;
    const node* lambda = nullptr;     ///< The LambdaExpr; null for a function.
    const function* outer = nullptr;  ///< Function that contains the lambda.
    bool is_coroutine = false;
    std::vector<const node*> parameters{};
    std::vector<const node*> variables{};   ///< Local variables, in the order of their declarations.
    std::vector<const node*> references{};  ///< Uses of variables.
    /// Each `co_await` that can suspend the coroutine. Other tasks may run during the suspension.
    std::vector<const node*> suspensions{};
    std::vector<const node*> calls{};       ///< Calls that return a task, including calls of lambdas.
    std::vector<const node*> statements{};  ///< co_return, range-based for and lambdas.
};

/// Functions of a program, and the function that declares each variable.
class program {
public:
    explicit program(const syntax_tree& tree);

    const std::deque<function>& functions() const noexcept { return functions_; }

    /// Returns the declaration of the local variable or parameter that an expression names, or null.
    const node* variable(const node& reference) const;

    /// Returns true if an expression names a function of the program, not of a library.
    bool has_function(const node& reference) const;

    /// Returns the function that declares a variable.
    const function* owner(const node& variable) const;

private:
    void add(const node& declaration, const node* lambda, const function* outer);
    void collect(const node& here, function& into);
    void collect_lambda(const node& lambda, function& into);
    void top(const node& here);

    std::deque<function> functions_;
    std::unordered_map<std::string_view, const node*> variables_;
    std::unordered_set<std::string_view> declared_;
    std::unordered_map<const node*, const function*> owners_;
};

/// Returns the id of the variable that a DeclRefExpr names, or an empty string.
std::string_view named_variable(const node& reference);

/// Returns the name in a reference: `name` in "Var 0x1 'name' 'type'", or in ".name 0x1".
std::string_view referred_name(const node& expression);

/// Returns true if `outer` contains `inner` or is the same node.
bool contains(const node& outer, const node& inner);

const node& last_within(const node& here);

/// Skips implicit conversions, parentheses and similar nodes.
const node& plain(const node& expression);

/// Returns the initial value of a variable, or null.
const node* initial_value(const node& variable);

}  // namespace apus::cli::lifetimes
