// SPDX-License-Identifier: Apache-2.0
#include "cli/lifetimes/origin.hpp"

#include <algorithm>
#include <array>

#include "cli/lifetimes/types.hpp"

namespace apus::cli::lifetimes {
namespace {

using kinds = origin::kinds;
constexpr int deepest = 40;  // maximum depth of the recursion through subexpressions and initial values of variables

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

// Returns true for functions of std whose result refers to the same object as one of their arguments.
bool passes_on(std::string_view name) {
    return is_one_of(name,
                     {"move", "forward", "as_const",    "begin",       "end",  "cbegin", "cend",   "data",    "ref",
                      "cref", "min",     "max",         "addressof",   "next", "prev",   "clamp",  "rbegin",  "rend",
                      "find", "find_if", "lower_bound", "upper_bound", "get",  "get_if", "search", "any_cast"});
}

// Returns true for members of containers whose result refers to an element.
bool returns_element(std::string_view name) {
    return name.starts_with("operator ") ||
           is_one_of(name, {"at",          "front",        "back",   "begin",   "end",          "cbegin",
                            "cend",        "rbegin",       "rend",   "data",    "c_str",        "find",
                            "lower_bound", "upper_bound",  "insert", "emplace", "top",          "try_emplace",
                            "equal_range", "emplace_back", "erase",  "value",   "emplace_front"});
}

std::string_view operator_name(const node& call) {
    return call.children.empty() ? std::string_view() : referred_name(plain(*call.children.front()));
}

class tracer {
public:
    explicit tracer(const program& in) : in_(in) {}

    origin trace(const node& expression, int depth = 0) const {
        const node& here = plain(expression);
        if (depth > deepest) return {};
        if (here.is("MaterializeTemporaryExpr")) return temporary(here, depth);
        if (here.is("DeclRefExpr")) return reference(here, depth);
        if (here.is("MemberExpr")) return member(here, depth);
        if (here.is("CXXMemberCallExpr")) return member_call(here, depth);
        if (here.is("CXXOperatorCallExpr")) return operator_call(here, depth);
        if (here.is("CallExpr")) return call(here, depth);
        if (here.is("CXXConstructExpr") || here.is("CXXTemporaryObjectExpr") || here.is("InitListExpr"))
            return refers(here.type) && !here.children.empty() ? trace(*here.children.front(), depth + 1) : origin();
        if (here.is("UnaryOperator") || here.is("ArraySubscriptExpr")) return first(here, 0, depth);
        if (here.is("BinaryOperator") && refers(here.type)) return first(here, 0, depth);
        if (here.is("ConditionalOperator")) return first(here, 1, depth);
        return {};
    }

private:
    origin first(const node& of, std::size_t from, int depth) const {
        for (std::size_t i = from; i < of.children.size(); ++i)
            if (const origin found = trace(*of.children[i], depth + 1); !found.is(kinds::unknown)) return found;
        return {};
    }

    origin temporary(const node& here, int depth) const {
        if (here.says("extended by") || here.children.empty()) return {};
        if (is_pointer(here.type) || is_view(here.type)) return trace(*here.children.front(), depth + 1);
        return {kinds::temporary, &here};
    }

    origin reference(const node& here, int depth) const {
        const node* variable = in_.variable(here);
        if (!variable || variable->says(" static")) return {};
        if (!refers(variable->type)) return {kinds::variable, variable};
        const node* value = initial_value(*variable);
        return value ? trace(*value, depth + 1) : origin();
    }

    // Returns unknown for a member that is a reference or view: it may refer to any object.
    origin member(const node& here, int depth) const {
        if (here.children.empty() || refers(here.type)) return {};
        return trace(*here.children.front(), depth + 1);
    }

    origin member_call(const node& here, int depth) const {
        const node& callee = plain(*here.children.front());
        if (!callee.is("MemberExpr") || callee.children.empty()) return {};
        const bool is_glvalue = here.says(" lvalue") || here.says(" xvalue");
        if (!is_glvalue && !refers(here.type)) return {};
        const node& object = *callee.children.front();
        const std::string_view name = referred_name(callee), type = plain(object).type;
        if (is_container(type)) return returns_element(name) ? element(object, depth) : origin();
        const origin found = trace(object, depth + 1);
        if (is_shared_pointer(type)) return found.is(kinds::element) ? found : origin();
        if (is_owning_pointer(type)) return found;
        if (is_view(type) || is_pointer(type)) return found.is(kinds::temporary) ? origin() : found;
        if (found.is(kinds::temporary) && is_of_apus(type) && !is_owner_of_apus(type)) return {};
        // If a member function of a user's class returns a non-const reference, the class is usually a handle, and
        // the reference does not refer to a part of the handle.
        return here.type.starts_with("const ") || is_view(here.type) || is_of_library(type) ? found : origin();
    }

    static bool is_owner_of_apus(std::string_view type) {
        type = bare(type);
        return type.starts_with("apus::result<") || type.starts_with("apus::client_response") ||
               type.starts_with("apus::json<") || type.starts_with("apus::json_value");
    }

    origin operator_call(const node& here, int depth) const {
        if (here.children.size() < 2) return {};
        const std::string_view name = operator_name(here);
        const node& object = *here.children[1];
        const std::string_view type = plain(object).type;
        if (name == "operator[]") return is_container(type) || is_view(type) ? element(object, depth) : origin();
        if (is_one_of(name, {"operator*", "operator->"})) {
            const origin found = trace(object, depth + 1);
            return is_shared_pointer(type) && !found.is(kinds::element) ? origin() : found;
        }
        if (is_one_of(name, {"operator+", "operator-", "operator++", "operator--"}) && is_view(here.type))
            return trace(object, depth + 1);
        return {};
    }

    origin call(const node& here, int depth) const {
        if (here.children.empty() || !passes_on(operator_name(here))) return {};
        if (!here.says(" lvalue") && !here.says(" xvalue") && !refers(here.type)) return {};
        return first(here, 1, depth);
    }

    origin element(const node& container, int depth) const {
        const origin found = trace(container, depth + 1);
        if (found.is(kinds::temporary) || found.is(kinds::element)) return found;
        // A variable that a handler captures is shared, although it belongs to another function.
        return is_shared(container, in_) ? origin{kinds::element, &named(container)} : found;
    }

    // Replaces a variable that the compiler declares for a range-based for, such as `__range1`, by its initial value.
    const node& named(const node& container) const {
        const node& here = plain(container);
        const node* variable = in_.variable(here);
        const node* value = variable && variable->name.starts_with("__") ? initial_value(*variable) : nullptr;
        return value ? plain(*value) : here;
    }

    const program& in_;
};

// Follows the path from a container back to its variable.
class root_finder {
public:
    explicit root_finder(const program& in) : in_(in) {}

    bool is_shared(const node& expression, bool through_pointer, bool is_member, int depth) const {
        const node& here = plain(expression);
        if (depth > deepest || here.children.empty()) return is_shared_leaf(here, through_pointer, is_member, depth);
        if (here.is("MemberExpr")) {
            const node& object = plain(*here.children.front());
            if (refers(here.type) && !is_reference(here.type)) through_pointer = true;
            return is_shared(object, through_pointer || is_pointer(object.type), true, depth + 1);
        }
        if (here.is("CXXOperatorCallExpr") && here.children.size() > 1 &&
            is_one_of(operator_name(here), {"operator*", "operator->"}))
            return is_shared(*here.children[1], true, is_member, depth + 1);
        if (here.is("UnaryOperator")) return is_shared(*here.children.front(), true, is_member, depth + 1);
        return is_shared_leaf(here, through_pointer, is_member, depth);
    }

private:
    bool is_shared_leaf(const node& here, bool through_pointer, bool is_member, int depth) const {
        if (here.is("CXXThisExpr")) return is_member;
        if (!here.is("DeclRefExpr")) return false;
        const node* variable = in_.variable(here);
        if (!variable) return !named_variable(here).empty() && !is_constant(here.type);
        if (variable->says(" static")) return !is_constant(here.type);
        const function* owner = in_.owner(*variable);
        if (here.says("refers_to_enclosing_variable_or_capture"))
            return owner && !owner->is_coroutine && !is_of_apus(here.type);
        return is_shared_variable(*variable, through_pointer, is_member, depth);
    }

    bool is_shared_variable(const node& variable, bool through_pointer, bool is_member, int depth) const {
        const std::string_view type = variable.type;
        if (is_shared_pointer(type)) return through_pointer;
        if (is_of_apus(type)) return false;  // arguments of handlers belong to one request
        if (const node* value = initial_value(variable); value && refers(type))
            return is_shared(*value, through_pointer, is_member, depth + 1);
        if (!variable.is("ParmVarDecl")) return false;
        if (is_pointer(type)) return through_pointer && !type.starts_with("const ");
        return is_reference(type) && !type.starts_with("const ") && is_member && !is_of_library(type);
    }

    static bool is_constant(std::string_view type) { return type.starts_with("const "); }

    const program& in_;
};

}  // namespace

origin origin_of(const node& expression, const program& in) { return tracer(in).trace(expression); }

bool is_shared(const node& expression, const program& in) {
    const std::string_view type = plain(expression).type;
    if (type.starts_with("const ")) return false;
    return root_finder(in).is_shared(expression, false, false, 0);
}

std::string spelling(const node& expression) {
    const node& here = plain(expression);
    if (here.is("DeclRefExpr")) return std::string(referred_name(here));
    if (here.is("MaterializeTemporaryExpr") && !here.children.empty()) return spelling(*here.children.front());
    if (here.is("MemberExpr") && !here.children.empty()) {
        const std::string object = spelling(*here.children.front());
        return object.empty() ? std::string(referred_name(here)) : object + "." + std::string(referred_name(here));
    }
    if (here.is("CXXOperatorCallExpr") && here.children.size() > 1) {
        const std::string object = spelling(*here.children[1]);
        return operator_name(here) == "operator[]" ? object + "[...]" : object;
    }
    if (here.is("UnaryOperator") && !here.children.empty()) return spelling(*here.children.front());
    if ((here.is("CXXMemberCallExpr") || here.is("CallExpr")) && !here.children.empty())
        return spelling(*here.children.front()) + "(...)";
    return {};
}

}  // namespace apus::cli::lifetimes
