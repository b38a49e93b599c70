// SPDX-License-Identifier: Apache-2.0
#include "cli/lifetimes/functions.hpp"

#include <algorithm>
#include <array>

#include "cli/lifetimes/types.hpp"

namespace apus::cli::lifetimes {
namespace {

bool is_function(const node& here) {
    return here.is("FunctionDecl") || here.is("CXXMethodDecl") || here.is("CXXConstructorDecl") ||
           here.is("CXXDestructorDecl") || here.is("CXXConversionDecl");
}

bool is_call(const node& here) {
    return here.is("CallExpr") || here.is("CXXMemberCallExpr") || here.is("CXXOperatorCallExpr");
}

// Returns false for `co_await` of a result or failure: such a `co_await` yields the value or ends the coroutine, but
// never suspends it.
bool can_suspend(const node& await) {
    if (await.children.empty()) return true;
    const std::string_view type = bare(await.children.front()->type);
    return !type.starts_with("apus::result<") && !type.starts_with("std::expected<") &&
           !type.starts_with("apus::failure") && !type.starts_with("failure");
}

}  // namespace

std::string_view named_variable(const node& reference) {
    for (const std::string_view kind : {" Var 0x", " ParmVar 0x", " Binding 0x"}) {
        const std::size_t at = reference.text.find(kind);
        if (at == std::string_view::npos) continue;
        const std::string_view id = reference.text.substr(at + kind.size() - 2);
        return id.substr(0, id.find(' '));
    }
    return {};
}

std::string_view referred_name(const node& expression) {
    const std::string_view text = expression.text;
    if (expression.is("MemberExpr")) {  // the text is: 'type' lvalue .name 0x1
        const std::size_t end = text.rfind(" 0x"), types = text.rfind('\'', end);
        const std::size_t dot = text.find('.', types), arrow = text.find("->", types);
        const std::size_t begin = arrow < dot ? arrow + 2 : dot + 1;
        return begin < end ? text.substr(begin, end - begin) : std::string_view();
    }
    const std::size_t begin = text.find('\'', text.find(" 0x"));
    if (begin == text.npos) return {};
    return text.substr(begin + 1, text.find('\'', begin + 1) - begin - 1);
}

const node& last_within(const node& here) {
    const node* last = &here;
    while (!last->children.empty()) last = last->children.back();
    return *last;
}

bool contains(const node& outer, const node& inner) {
    return outer.number <= inner.number && inner.number <= last_within(outer).number;
}

const node& plain(const node& expression) {
    static constexpr std::array names = {"ImplicitCastExpr",      "ParenExpr",         "ExprWithCleanups",
                                         "CXXBindTemporaryExpr",  "CXXStaticCastExpr", "ConstantExpr",
                                         "CXXFunctionalCastExpr", "CXXConstCastExpr",  "CXXDefaultArgExpr"};
    const node* here = &expression;
    while (!here->children.empty() && std::ranges::find(names, here->kind) != names.end()) here = here->children.back();
    return *here;
}

const node* initial_value(const node& variable) {
    if (variable.is("ParmVarDecl") || variable.children.empty()) return nullptr;
    const node* first = variable.children.front();
    return first->kind.ends_with("Attr") ? nullptr : first;
}

program::program(const syntax_tree& tree) {
    for (const node* root : tree.roots()) top(*root);
}

// Collects the functions of classes and namespaces, and variables that contain lambdas.
void program::top(const node& here) {
    if (is_function(here)) {
        declared_.insert(here.id);
        add(here, nullptr, nullptr);
        return;
    }
    functions_.push_back({.declaration = &here, .body = &here});
    collect(here, functions_.back());
}

void program::add(const node& declaration, const node* lambda, const function* outer) {
    const auto body = std::ranges::find_if(declaration.children, [](const node* each) {
        return each->is("CompoundStmt") || each->is("CoroutineBodyStmt") || each->is("CXXTryStmt");
    });
    if (body == declaration.children.end()) return;
    functions_.push_back({.declaration = &declaration,
                          .body = *body,
                          .lambda = lambda,
                          .outer = outer,
                          .is_coroutine = (*body)->is("CoroutineBodyStmt")});
    function& made = functions_.back();
    for (const node* each : declaration.children) {
        if (!each->is("ParmVarDecl")) continue;
        made.parameters.push_back(each);
        variables_[each->id] = each;
        owners_[each] = &made;
    }
    collect(**body, made);
}

void program::collect(const node& here, function& into) {
    if (here.is("CXXRecordDecl") || here.is("TypedefDecl")) return;
    if (here.is("LambdaExpr")) {
        into.statements.push_back(&here);
        collect_lambda(here, into);
        return;
    }
    if (here.is("VarDecl") || here.is("DecompositionDecl")) {
        into.variables.push_back(&here);
        variables_[here.id] = &here;
        owners_[&here] = &into;
        for (const node* each : here.children)
            if (each->is("BindingDecl")) variables_[each->id] = &here;
    }
    if (here.is("DeclRefExpr")) into.references.push_back(&here);
    if (here.is("CoawaitExpr") && can_suspend(here)) into.suspensions.push_back(&here);
    if (here.is("CoreturnStmt") || here.is("CXXForRangeStmt")) into.statements.push_back(&here);
    if (is_call(here) && is_task(here.type) && !is_reference(here.type) && !here.says(" lvalue") &&
        !here.says(" xvalue"))
        into.calls.push_back(&here);
    for (const node* each : here.children) collect(*each, into);
}

void program::collect_lambda(const node& lambda, function& into) {
    for (const node* child : lambda.children) {
        if (!child->is("CXXRecordDecl")) {
            collect(*child, into);  // initializer of a capture
            continue;
        }
        for (const node* member : child->children) {
            if (member->is("CXXMethodDecl") && member->name == "operator()") add(*member, &lambda, &into);
            if (!member->is("FunctionTemplateDecl")) continue;
            for (const node* one : member->children)
                if (one->is("CXXMethodDecl")) add(*one, &lambda, &into);
        }
    }
}

const node* program::variable(const node& reference) const {
    const auto found = variables_.find(named_variable(reference));
    return found == variables_.end() ? nullptr : found->second;
}

bool program::has_function(const node& reference) const {
    constexpr std::string_view kind = " Function ";
    const std::size_t at = reference.text.find(kind);
    if (at == std::string_view::npos) return true;  // a call through a variable counts
    const std::string_view id = reference.text.substr(at + kind.size());
    return declared_.contains(id.substr(0, id.find(' ')));
}

const function* program::owner(const node& variable) const {
    const auto found = owners_.find(&variable);
    return found == owners_.end() ? nullptr : found->second;
}

}  // namespace apus::cli::lifetimes
