// SPDX-License-Identifier: Apache-2.0
#include "cli/lifetimes/flow.hpp"

#include <algorithm>

#include "cli/lifetimes/types.hpp"

namespace apus::cli::lifetimes {
namespace {

bool is_loop(const node& here) {
    return here.is("ForStmt") || here.is("WhileStmt") || here.is("DoStmt") || here.is("CXXForRangeStmt");
}

const node& body_of(const node& loop) { return loop.is("DoStmt") ? *loop.children.front() : *loop.children.back(); }

// Returns true if control never reaches the statements that follow this statement in the same block.
bool leaves(const node& statement, bool by_break) {
    const node& here = plain(statement);
    if (here.is("CoreturnStmt") || here.is("ReturnStmt") || here.is("CXXThrowExpr") || here.is("GotoStmt")) return true;
    if (here.is("BreakStmt") || here.is("ContinueStmt")) return by_break;
    if (here.is("CompoundStmt")) return !here.children.empty() && leaves(*here.children.back(), by_break);
    return here.is("CoawaitExpr") && !here.children.empty() && bare(here.children.front()->type).ends_with("failure");
}

const node& common_of(const node& a, const node& b) {
    const node* here = &a;
    while (!contains(*here, b) && here->parent) here = here->parent;
    return *here;
}

const node* child_with(const node& parent, const node& within) {
    const node* here = &within;
    while (here && here->parent != &parent) here = here->parent;
    return here;
}

// Returns true if control leaves (by return, throw, break ...) between a node and the end of an enclosing node.
bool leaves_within(const node& from, const node& to, bool by_continue) {
    bool in_loop = false;
    for (const node* here = from.parent; here && here != &to; here = here->parent) {
        if (here->is("CoreturnStmt") || here->is("ReturnStmt") || here->is("CXXThrowExpr")) return true;
        if (here->is("CompoundStmt") && !here->children.empty()) {
            const node& last = *here->children.back();
            if (leaves(last, !in_loop && (by_continue || !plain(last).is("ContinueStmt")))) return true;
        }
        if (is_loop(*here) || here->is("SwitchStmt")) in_loop = true;
    }
    return false;
}

bool are_alternatives(const node& common, const node& first, const node& second) {
    const auto& all = common.children;
    const auto at = [&](const node& which) { return std::ranges::find(all, child_with(common, which)) - all.begin(); };
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    if (common.is("IfStmt") && common.says("has_else")) return at(first) == count - 2 && at(second) == count - 1;
    if (common.is("ConditionalOperator")) return at(first) == 1 && at(second) == 2;
    if (!common.is("CompoundStmt")) return false;
    for (auto i = at(first) + 1; i < at(second); ++i)  // in a switch: the statements between two cases
        if (leaves(*all[static_cast<std::size_t>(i)], true)) return true;
    return false;
}

bool is_assignment(const node& here) {
    if (here.is("BinaryOperator")) return here.text.ends_with("'='");
    if (here.is("CompoundAssignOperator")) return true;
    return here.is("CXXOperatorCallExpr") && !here.children.empty() &&
           referred_name(plain(*here.children.front())).starts_with("operator=");
}

const node& target_of(const node& assignment) {
    return *assignment.children[assignment.is("CXXOperatorCallExpr") && assignment.children.size() > 1 ? 1 : 0];
}

// Returns true if a reference is the target of an assignment that replaces the value of the variable.
bool is_reassigned(const node& reference, const node& variable) {
    if (is_reference(variable.type)) return false;
    const node* here = reference.parent;
    while (here && (here->is("ParenExpr") || here->is("ImplicitCastExpr"))) here = here->parent;
    return here && is_assignment(*here) && !here->is("CompoundAssignOperator") &&
           &plain(target_of(*here)) == &reference;
}

bool follows(const node& suspension, const node& use) {
    const node& common = common_of(suspension, use);
    if (use.number <= last_within(suspension).number) {
        // the right side of an assignment is evaluated first
        return is_assignment(common) && contains(target_of(common), use) && !contains(target_of(common), suspension);
    }
    return !leaves_within(suspension, common, true) && !are_alternatives(common, suspension, use);
}

// Returns true if the use can run in a later iteration of a loop that contains both nodes.
bool follows_in_loop(const node& suspension, const node& use, const node& variable) {
    for (const node* loop = suspension.parent; loop; loop = loop->parent) {
        if (!is_loop(*loop) || contains(body_of(*loop), variable) || !contains(*loop, use)) continue;
        // The variable is created anew in each iteration.
        if (loop->is("CXXForRangeStmt") && contains(*loop, variable)) continue;
        if (!leaves_within(suspension, *loop, false)) return true;
    }
    return false;
}

}  // namespace

suspension_crossing use_after_suspension(const node& variable, const function& of, const program& in) {
    std::vector<const node*> uses, renewals;
    for (const node* each : of.references)
        if (in.variable(*each) == &variable) (is_reassigned(*each, variable) ? renewals : uses).push_back(each);
    for (const node* use : uses)
        for (const node* suspension : of.suspensions) {
            if (suspension->number < variable.number || contains(variable, *suspension)) continue;
            const auto renews = [&](const node* each) {
                return each->number > last_within(*suspension).number &&
                       (each->number < use->number || use->number < suspension->number);
            };
            if (std::ranges::any_of(renewals, renews)) continue;
            // In `it = co_await next()`, the assignment happens after the suspension.
            const auto renewed_by = [&](const node* each) { return contains(*each->parent, *suspension); };
            if (std::ranges::any_of(renewals, renewed_by)) continue;
            if (follows(*suspension, *use) || follows_in_loop(*suspension, *use, variable)) return {suspension, use};
        }
    return {};
}

const node* suspension_of_loop(const node& loop, const function& of) {
    for (const node* each : of.suspensions)
        if (contains(body_of(loop), *each) && !leaves_within(*each, loop, false)) return each;
    return nullptr;
}

const node& block_of(const node& here) {
    const node* block = here.parent ? here.parent : &here;
    while (block->parent && !block->is("CompoundStmt") && !is_loop(*block) && !block->is("IfStmt"))
        block = block->parent;
    return *block;
}

}  // namespace apus::cli::lifetimes
