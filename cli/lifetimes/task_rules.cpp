// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "cli/lifetimes/flow.hpp"
#include "cli/lifetimes/origin.hpp"
#include "cli/lifetimes/rules.hpp"
#include "cli/lifetimes/types.hpp"

namespace apus::cli::lifetimes {
namespace {

using kinds = origin::kinds;

// The use of a task in the statement that creates it.
struct task_lifetime {
    enum class kinds {
        runs_here,
        stored,
        returned,
        spawned,
        kept
    };
    kinds kind = kinds::runs_here;
    const node* receiver = nullptr;  // set for `spawned` and `kept`
};

bool keeps_its_arguments(std::string_view name) {
    constexpr std::array names = {"push_back", "emplace_back", "insert", "emplace", "push", "push_front", "assign"};
    return std::ranges::find(names, name) != names.end();
}

task_lifetime lifetime_of_call(const node& call, const node& from) {
    if (call.children.empty()) return {};
    const node& callee = plain(*call.children.front());
    if (call.is("CXXOperatorCallExpr"))
        return referred_name(callee) == "operator=" && call.children[1] != &from
                   ? task_lifetime{task_lifetime::kinds::kept, call.children[1]}
                   : task_lifetime{};
    if (!callee.is("MemberExpr") || callee.children.empty()) return {};
    const std::string_view name = referred_name(callee);
    if (name == "spawn" || name == "try_spawn") return {task_lifetime::kinds::spawned, callee.children.front()};
    if (keeps_its_arguments(name)) return {task_lifetime::kinds::kept, callee.children.front()};
    return {};
}

task_lifetime lifetime_of(const node& call) {
    task_lifetime result;
    const node* from = &call;
    for (const node* here = call.parent; here; from = here, here = here->parent) {
        if (here->is("CoawaitExpr")) return {};
        if (here->is("VarDecl")) return {task_lifetime::kinds::stored, here};
        if (here->is("ReturnStmt") || here->is("CoreturnStmt")) return {task_lifetime::kinds::returned};
        if (here->kind.ends_with("Stmt") || here->kind.ends_with("Decl") || here->is("LambdaExpr")) return result;
        if (here->kind.ends_with("CallExpr"))
            if (const task_lifetime now = lifetime_of_call(*here, *from); now.kind != task_lifetime::kinds::runs_here)
                result = now;
    }
    return result;
}

const node* local_variable(const node& expression, const function& of, const program& in) {
    const node& here = plain(expression);
    if (!here.is("DeclRefExpr")) return nullptr;
    const node* variable = in.variable(here);
    return variable && in.owner(*variable) == &of && !refers(variable->type) && !variable->says(" static") ? variable
                                                                                                           : nullptr;
}

// Returns true if `co_await scope.join()` follows the call while the variable lives.
bool is_joined(const node& call, const node& scope, const node& variable, const function& of, const program& in) {
    return std::ranges::any_of(of.suspensions, [&](const node* each) {
        if (each->number < call.number || !contains(block_of(variable), *each) || each->children.empty()) return false;
        const node& awaited = plain(*each->children.front());
        if (!awaited.is("CXXMemberCallExpr")) return false;
        const node& callee = plain(*awaited.children.front());
        return referred_name(callee) == "join" && !callee.children.empty() &&
               local_variable(*callee.children.front(), of, in) == &scope;
    });
}

// Returns true if a task that refers to a local variable can run after the variable is destroyed.
bool outlives(const task_lifetime& what, const node& call, const node& variable, const function& of,
              const program& in) {
    if (what.kind == task_lifetime::kinds::returned) return true;
    if (what.kind != task_lifetime::kinds::spawned && what.kind != task_lifetime::kinds::kept) return false;
    const node* receiver = local_variable(*what.receiver, of, in);
    if (!receiver) return true;
    if (variable.number < receiver->number) return false;
    if (what.kind == task_lifetime::kinds::spawned) return !is_joined(call, *receiver, variable, of, in);
    return &block_of(variable) != &block_of(*receiver);
}

std::string end_of(const task_lifetime& what) {
    switch (what.kind) {
        case task_lifetime::kinds::stored: return "the task is stored, and runs later";
        case task_lifetime::kinds::returned: return "the task is returned, and runs later";
        case task_lifetime::kinds::spawned: return "`spawn` runs the task later";
        default: return "the task is stored, and runs later";
    }
}

class call_check {
public:
    call_check(const node& call, const function& of, const program& in, std::vector<finding>& found)
        : call_(call), of_(of), in_(in), found_(found), lifetime_(lifetime_of(call)) {}

    void run() {
        if (lifetime_.kind == task_lifetime::kinds::runs_here) return;
        std::size_t first = 1;
        if (call_.is("CXXOperatorCallExpr")) {
            first = 2;
            if (call_.children.size() > 1) object(*call_.children[1]);
        } else if (call_.is("CXXMemberCallExpr")) {
            const node& callee = plain(*call_.children.front());
            if (callee.children.empty()) return;
            const std::string_view type = plain(*callee.children.front()).type;
            if (is_of_apus(type)) return;  // Apus's own functions document which lifetimes they need
            if (!is_of_library(type) && !is_pointer(type)) object(*callee.children.front());
        } else if (!in_.has_function(plain(*call_.children.front()))) {
            return;
        }
        for (std::size_t i = first; i < call_.children.size(); ++i) argument(*call_.children[i]);
    }

private:
    std::string callee() const {
        const node& named =
            plain(*call_.children[call_.is("CXXOperatorCallExpr") && call_.children.size() > 1 ? 1 : 0]);
        const std::string_view name = referred_name(named);
        return name.empty() ? "the coroutine" : "`" + std::string(name) + "`";
    }

    void argument(const node& given) {
        if (!given.says(" lvalue") && !given.says(" xvalue") && !refers(given.type)) return;
        const origin from = origin_of(given, in_);
        const bool is_reference = !is_view(given.type) && !is_pointer(given.type);
        const std::string how = callee() + " gets a " + (is_reference ? "reference to " : "view of ");
        if (from.is(kinds::temporary))
            tell(how + "a temporary, which is destroyed at the end of this statement",
                 "await the task in this statement, or take the parameter of the coroutine by value");
        else if (is_ended(from))
            tell(how + "`" + std::string(from.of->name) + "`, which can be destroyed before the task has ended",
                 lifetime_.kind == task_lifetime::kinds::returned
                     ? "take the parameter of the coroutine by value, or write co_return co_await before the call"
                     : "take the parameter of the coroutine by value, and pass std::move or a copy");
    }

    // Checks the object of a member coroutine, or a lambda that is called.
    void object(const node& given) {
        if (plain(given).type.starts_with("const (lambda") || plain(given).type.starts_with("(lambda")) {
            const node* lambda = lambda_of(given);
            if (!lambda || !has_captures(*lambda) || !is_coroutine(*lambda)) return;
        }
        const origin from = origin_of(given, in_);
        const bool is_lambda = plain(given).type.find("(lambda") != std::string_view::npos;
        const std::string of = is_lambda ? "the captures of a lambda" : "an object";
        if (from.is(kinds::temporary))
            tell("the coroutine uses " + of + " that is destroyed at the end of this statement", fix(is_lambda));
        else if (is_ended(from))
            tell("the coroutine uses " + std::string(is_lambda ? "the captures of " : "") + "`" +
                     std::string(from.of->name) + "`, which can be destroyed before the task has ended",
                 fix(is_lambda));
    }

    static std::string fix(bool is_lambda) {
        return is_lambda ? "give the lambda parameters in place of captures, or await it in this statement"
                         : "keep the object until the task has ended, or make the coroutine a function";
    }

    bool is_ended(const origin& from) const {
        return from.is(kinds::variable) && in_.owner(*from.of) == &of_ &&
               outlives(lifetime_, call_, *from.of, of_, in_);
    }

    const node* lambda_of(const node& given) const {
        const node* here = &plain(given);
        if (here->is("DeclRefExpr"))
            if (const node* variable = in_.variable(*here)) here = initial_value(*variable);
        while (here && !here->is("LambdaExpr") && !here->children.empty()) here = here->children.back();
        return here && here->is("LambdaExpr") ? here : nullptr;
    }

    static bool has_captures(const node& lambda) {
        return std::ranges::any_of(lambda.children, [](const node* each) { return !each->is("CXXRecordDecl"); });
    }

    bool is_coroutine(const node& lambda) const {
        return std::ranges::any_of(in_.functions(),
                                   [&](const function& each) { return each.lambda == &lambda && each.is_coroutine; });
    }

    void tell(const std::string& what, std::string fix) {
        found_.push_back(finding_at(call_, what + "; " + end_of(lifetime_), std::move(fix)));
    }

    const node& call_;
    const function& of_;
    const program& in_;
    std::vector<finding>& found_;
    const task_lifetime lifetime_;
};

// Returns the call by which an app stores the lambda, or null.
const node* registration_of(const node& lambda) {
    for (const node* here = lambda.parent; here; here = here->parent) {
        if (here->kind.ends_with("Stmt") || here->is("VarDecl") || here->is("LambdaExpr")) return nullptr;
        if (!here->is("CXXMemberCallExpr")) continue;
        const node& callee = plain(*here->children.front());
        if (!callee.children.empty() && bare(plain(*callee.children.front()).type) == "apus::app") return here;
    }
    return nullptr;
}

}  // namespace

void check_calls(const function& of, const program& in, std::vector<finding>& found) {
    for (const node* each : of.calls) call_check(*each, of, in, found).run();
}

void check_handlers(const function& of, const program& in, std::vector<finding>& found) {
    if (!of.declaration->type.starts_with("apus::app (")) return;
    for (const node* lambda : of.statements) {
        if (!lambda->is("LambdaExpr") || !registration_of(*lambda)) continue;
        std::vector<const node*> fields;
        std::size_t capture = 0;
        for (const node* child : lambda->children) {
            if (child->is("CXXRecordDecl")) {
                std::ranges::copy_if(child->children, std::back_inserter(fields),
                                     [](const node* each) { return each->is("FieldDecl"); });
                continue;
            }
            const node* field = capture < fields.size() ? fields[capture] : nullptr;
            ++capture;
            if (!field || !is_reference(field->type)) continue;
            const node* variable = local_variable(*child, of, in);
            if (!variable || is_of_apus(variable->type)) continue;
            found.push_back(finding_at(*lambda,
                                       "the app keeps a lambda with a reference to `" + std::string(variable->name) +
                                           "`, which is destroyed when this function returns",
                                       "capture it by value, or a std::shared_ptr to it, or create it in main"));
        }
    }
}

}  // namespace apus::cli::lifetimes
