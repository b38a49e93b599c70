// SPDX-License-Identifier: Apache-2.0
#include "cli/lifetimes/flow.hpp"
#include "cli/lifetimes/origin.hpp"
#include "cli/lifetimes/rules.hpp"
#include "cli/lifetimes/types.hpp"

#include <utility>

namespace apus::cli::lifetimes {
namespace {

using kinds = origin::kinds;

std::string name_of(const node& variable) {
    if (!variable.is("DecompositionDecl")) return "`" + std::string(variable.name) + "`";
    std::string names;
    for (const node* each : variable.children)
        if (each->is("BindingDecl")) names += (names.empty() ? "" : ", ") + std::string(each->name);
    return "`[" + names + "]`";
}

// Returns true for variables that the compiler declares for a range-based for, such as `__range1`.
bool is_hidden(const node& variable) { return variable.name.starts_with("__"); }

const node* loop_of(const node& variable) {
    const node* statement = variable.parent;
    if (!statement || !statement->is("DeclStmt") || !statement->parent) return nullptr;
    return statement->parent->is("CXXForRangeStmt") ? statement->parent : nullptr;
}

const node* first_use(const node& variable, const function& of, const program& in) {
    for (const node* each : of.references)
        if (each->number > last_within(variable).number && in.variable(*each) == &variable) return each;
    return nullptr;
}

std::string kind_name(const node& variable) {
    if (is_reference(variable.type)) return " is a reference to ";
    return is_pointer(variable.type) ? " is a pointer to " : " is a view of ";
}

void check_temporary(const node& variable, const function& of, const program& in, std::vector<finding>& found) {
    std::string what = name_of(variable) + kind_name(variable) +
                       "a temporary that is destroyed at the end of this statement; it is used in ";
    if (const suspension_crossing seen = use_after_suspension(variable, of, in))
        what += line_of(*seen.use) + ", after the co_await in " + line_of(*seen.suspension);
    else if (const node* use = first_use(variable, of, in)) what += line_of(*use);
    else return;
    found.push_back(finding_at(variable, std::move(what),
                               "keep the object itself in a variable, such as std::string in place of "
                               "std::string_view"));
}

void check_element(const node& variable, const node& container, const function& of, const program& in,
                   std::vector<finding>& found) {
    const suspension_crossing seen = use_after_suspension(variable, of, in);
    if (!seen) return;
    found.push_back(finding_at(variable,
                               name_of(variable) + kind_name(variable) + "a part of `" + spelling(container) +
                                   "`, which other requests can change during the co_await in " +
                                   line_of(*seen.suspension) + "; it is used in " + line_of(*seen.use),
                               "copy the required values before the co_await, or look them up again after it"));
}

void check_loop(const node& loop, const function& of, const program& in, std::vector<finding>& found) {
    for (const node* statement : loop.children) {
        if (!statement->is("DeclStmt") || statement->children.empty()) continue;
        const node& range = *statement->children.front();
        const node* value = initial_value(range);
        if (!range.name.starts_with("__range") || !value || !is_container(plain(*value).type)) continue;
        const origin from = origin_of(*value, in);
        if (from.is(kinds::temporary) || (!from.is(kinds::element) && !is_shared(*value, in))) continue;
        const node* suspension = suspension_of_loop(loop, of);
        if (!suspension) continue;
        found.push_back(
            finding_at(loop,
                       "this loop iterates over `" + spelling(*value) +
                           "`, which other requests can change during the co_await in " + line_of(*suspension),
                       "iterate over a copy: for (auto each : std::vector(first, last)) or a local variable"));
    }
}

}  // namespace

void check_variables(const function& of, const program& in, std::vector<finding>& found) {
    if (!of.is_coroutine) return;
    for (const node* variable : of.variables) {
        const node* value = initial_value(*variable);
        if (!value || is_hidden(*variable) || !refers(variable->type) || variable->says(" static")) continue;
        const origin from = origin_of(*value, in);
        if (from.is(kinds::temporary) && !loop_of(*variable)) check_temporary(*variable, of, in, found);
        if (from.is(kinds::element)) check_element(*variable, *from.of, of, in, found);
    }
    for (const node* each : of.statements)
        if (each->is("CXXForRangeStmt")) check_loop(*each, of, in, found);
}

void check_returns(const function& of, const program& in, std::vector<finding>& found) {
    if (!of.is_coroutine || !refers(task_value(of.declaration->type))) return;
    for (const node* each : of.statements) {
        if (!each->is("CoreturnStmt") || each->children.empty()) continue;
        const node& value = *each->children.front();
        const origin from = origin_of(value, in);
        const bool is_variable = from.is(kinds::variable) && in.owner(*from.of) == &of;
        const bool is_value = is_container(plain(value).type) && !value.says(" lvalue") && !value.says(" xvalue");
        if (!is_variable && !is_value && !from.is(kinds::temporary)) continue;
        found.push_back(
            finding_at(*each,
                       "the task returns a view of " + (is_variable ? name_of(*from.of) : std::string("a temporary")) +
                           ", which is destroyed with this coroutine",
                       "return the object: apus::task<std::string> in place of apus::task<std::string_view>"));
    }
}

}  // namespace apus::cli::lifetimes
