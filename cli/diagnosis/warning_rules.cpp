// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/rule.hpp"

namespace apus::cli::diagnosis {
namespace {

constexpr rule warning_table[] = {
    {.name = "unused",
     .messages = {"unused {kind} '{name}' *", "variable '{name}' set but not used *"},
     .what = "`{name}` is never used, and warnings are errors here",
     .fix = "remove it; if it must stay, write [[maybe_unused]] before it, or omit the name of a parameter",
     .alone = true},
    {.name = "signs-compared",
     .messages = {"comparison of integer expressions of different signedness*",
                  "comparison of integers of different signs*"},
     .what = "a signed number is compared with an unsigned number, such as a size",
     .fix = "use std::size_t for indices, a loop over the elements, or std::cmp_less(a, b) of <utility>"},
    {.name = "lossy-conversion",
     .messages = {"conversion from '*' may change value*", "implicit conversion loses *",
                  "implicit conversion changes *"},
     .what = "a number may not fit into the target type",
     .fix = "use the larger type, or convert explicitly: static_cast<int>(value)"},
    {.name = "missing-return",
     .messages = {"control reaches end of non-void function*", "non-void function does not return a value*",
                  "no return statement in function returning non-void*"},
     .what = "the function may end without returning a value",
     .fix = "return a value on every path; in a coroutine use co_return"},
    {.name = "dangling",
     .messages = {"reference to local variable '{name}' returned*",
                  "reference to stack memory associated with local variable '{name}' returned*",
                  "address of stack memory associated with local variable '{name}' returned*"},
     .what =
         "a reference or view to the local variable `{name}` is returned, which is destroyed when the function ends",
     .fix = "return it by value: std::string in place of std::string_view, T in place of T&"},
    {.name = "dangling",
     .messages = {"address of local variable '{name}' returned*", "returning reference to local temporary object*",
                  "object backing the pointer will be destroyed*"},
     .what = "a reference or view outlives its object, which is destroyed at the end of the function or statement",
     .fix = "return or keep a value: std::string in place of std::string_view, T in place of T&"},
    {.name = "uninitialized",
     .messages = {"'{name}' is used uninitialized*", "variable '{name}' is uninitialized when used here*",
                  "'{name}' may be used uninitialized*"},
     .what = "`{name}` is read before it has a value",
     .fix = "initialize it at its declaration: {name} = 0 or {name}{}"},
    {.name = "switch-incomplete",
     .messages = {"enumeration value '{name}' not handled in switch*"},
     .what = "the switch does not handle {name}",
     .fix = "add a case for it, or a default"},
    {.name = "format-string",
     .messages = {"format '{given}' expects argument of type '*", "format specifies type '*"},
     .what = "a printf format does not match the type of its argument",
     .fix = "use the format of that type: %d int, %ld long, %zu size_t, %s const char*; or std::to_string"},
    {.name = "shadowing",
     .messages = {"declaration of '{name}' shadows *", "declaration shadows a *"},
     .what = "a declaration hides another one of the same name in an outer scope",
     .fix = "rename one of them"},
};

}  // namespace

std::span<const rule> warning_rules() { return warning_table; }

}  // namespace apus::cli::diagnosis
