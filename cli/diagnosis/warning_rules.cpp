// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/rule.hpp"

namespace apus::cli::diagnosis {
namespace {

constexpr rule warning_table[] = {
    {.name = "unused",
     .messages = {"unused {kind} '{name}' *", "variable '{name}' set but not used *"},
     .what = "`{name}` is never used, and warnings are errors here",
     .fix = "remove it; if it has to stay, write [[maybe_unused]] before it, or leave out a parameter's name",
     .alone = true},
    {.name = "signs-compared",
     .messages = {"comparison of integer expressions of different signedness*",
                  "comparison of integers of different signs*"},
     .what = "a number with a sign is compared with one without, such as a size",
     .fix = "use std::size_t for indices, a loop over the elements, or std::cmp_less(a, b) of <utility>"},
    {.name = "lossy-conversion",
     .messages = {"conversion from '*' may change value*", "implicit conversion loses *",
                  "implicit conversion changes *"},
     .what = "a number may not fit into the type that takes it",
     .fix = "use the larger type, or say that this is meant: static_cast<int>(value)"},
    {.name = "missing-return",
     .messages = {"control reaches end of non-void function*", "non-void function does not return a value*",
                  "no return statement in function returning non-void*"},
     .what = "the function may end without returning a value",
     .fix = "return one on every way through it; in a coroutine co_return"},
    {.name = "dangling",
     .messages = {"reference to local variable '{name}' returned*",
                  "reference to stack memory associated with local variable '{name}' returned*",
                  "address of stack memory associated with local variable '{name}' returned*"},
     .what = "a reference or a view to `{name}` is returned, which is gone when the function ends",
     .fix = "return it by value: std::string in place of std::string_view, T in place of T&"},
    {.name = "dangling",
     .messages = {"address of local variable '{name}' returned*", "returning reference to local temporary object*",
                  "object backing the pointer will be destroyed*"},
     .what = "a reference or a view is returned or kept to what is gone when the function or the line ends",
     .fix = "return or keep a value: std::string in place of std::string_view, T in place of T&"},
    {.name = "uninitialized",
     .messages = {"'{name}' is used uninitialized*", "variable '{name}' is uninitialized when used here*",
                  "'{name}' may be used uninitialized*"},
     .what = "`{name}` is read before it has a value",
     .fix = "give it one where it is declared: {name} = 0 or {name}{}"},
    {.name = "switch-incomplete",
     .messages = {"enumeration value '{name}' not handled in switch*"},
     .what = "the switch does not say what to do for {name}",
     .fix = "add a case for it, or a default"},
    {.name = "format-string",
     .messages = {"format '{given}' expects argument of type '*", "format specifies type '*"},
     .what = "a format of printf does not fit the type of its argument",
     .fix = "use the format of that type: %d int, %ld long, %zu size_t, %s const char*; or std::to_string"},
    {.name = "shadowing",
     .messages = {"declaration of '{name}' shadows *", "declaration shadows a *"},
     .what = "a name hides another one of the same name around it",
     .fix = "give one of them another name"},
};

}  // namespace

std::span<const rule> warning_rules() { return warning_table; }

}  // namespace apus::cli::diagnosis
