// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/rule.hpp"

namespace apus::cli::diagnosis {
namespace {

constexpr rule coroutine_table[] = {
    {.name = "await-deduced",
     .messages = {"'co_{word}' cannot be used in a function with a deduced return type"},
     .what = "co_{word} in a lambda without a return type",
     .fix = "declare the return type: [] -> apus::task<std::string> { ... }, and end the lambda by co_return"},
    {.name = "await-outside",
     .messages = {"unable to find the promise type for this coroutine",
                  "this function cannot be a coroutine: '*' has no member named 'promise_type'"},
     .what = "co_await or co_return in a function whose return type is not a task",
     .fix = "change the return type from T to apus::task<T>"},
    {.name = "await-outside",
     .messages = {"'co_{word}' cannot be used outside a function", "'co_{word}' cannot be used in {where}"},
     .what = "co_{word} outside a coroutine",
     .fix = "move it into a function that returns apus::task<T>; constructors, destructors, main and constexpr "
            "functions cannot be coroutines"},
    {.name = "return-in-coroutine",
     .messages = {"a 'return' statement is not allowed in coroutine*", "return statement not allowed in coroutine*"},
     .what = "`return` in a coroutine",
     .fix = "write co_return; an error is co_await apus::fail(404, \"...\")",
     .alone = true},
    {.name = "return-in-coroutine",
     .messages =
         {"could not convert '*' from '{from}' to 'apus::task<{to}>'",
          "no viable conversion from returned value of type '{from}' to function return type 'apus::task<{to}*"},
     .what = "a function with the return type apus::task returns a plain value",
     .fix = "write co_return, which makes the function a coroutine"},
    {.name = "coroutine-without-value",
     .messages = {"non-void coroutine does not return a value*"},
     .what = "a coroutine ends without co_return, but its task has a value",
     .fix = "end every path through the coroutine by co_return VALUE; or return apus::task<>"},
    {.name = "await-named-task",
     .messages = {"*promise_type::await_transform(apus::task<*>&)'",
                  "cannot bind rvalue reference of type 'apus::task<{type}>&&' to lvalue*"},
     .what = "awaiting a named task requires std::move: co_await takes ownership",
     .fix = "move the task: co_await std::move(name)"},
    {.name = "await-named-task",
     .messages = {"no matching member function for call to 'await_transform'"},
     .also = "*expects an rvalue for 1st argument",
     .what = "awaiting a named task requires std::move: co_await takes ownership",
     .fix = "move the task: co_await std::move(name)"},
    {.name = "await-value",
     .messages = {"*promise_type::await_transform({type})'",
                  "no matching member function for call to 'await_transform'"},
     .what = "the operand of co_await is neither a task nor a result",
     .fix = "remove co_await; or change the return type of the called function to apus::task<T> or apus::result<T>"},
    {.name = "fail-dropped",
     .messages = {"*apus::fail has no effect by itself*"},
     .what = "an apus::fail is discarded, and the function continues",
     .fix = "write return apus::fail(...), or in a coroutine co_await apus::fail(...)"},
    {.name = "result-ignored",
     .messages = {"*it may hold an error: check it, or co_await it*"},
     .what = "a result is ignored, although it may be an error",
     .fix = "in a coroutine write co_await before the call; elsewhere if (auto r = call(); !r) return apus::fail(...); "
            "to ignore errors write (void)"},
    {.name = "task-ignored",
     .messages = {"ignoring return*'apus::task<*",
                  "ignoring return value of function declared with 'nodiscard' attribute*"},
     .what = "a task or result is discarded: a task that is not awaited never runs",
     .fix = "write co_await before the call; to inspect the error: auto r = co_await call().outcome()"},
    {.name = "blocking-as-value",
     .messages = {"no member named '{name}' in 'apus::blocking<*", "no viable conversion from 'apus::blocking<*",
                  "no viable conversion from 'blocking<*"},
     .what = "the result of apus::blocking is used without co_await",
     .fix = "write co_await apus::blocking(...); the enclosing function must then return apus::task<...> and end by "
            "co_return"},
    {.name = "task-as-value",
     .messages = {"no member named '{name}' in 'apus::task<*", "no viable conversion from 'task<*",
                  "no viable conversion from returned value of type 'task<*"},
     .what = "a task is used as its value",
     .fix = "write co_await before the call; the enclosing function must then return apus::task<...> and end by "
            "co_return"},
    {.name = "fail-returned",
     .messages = {"no viable conversion from returned value of type '*failure' to function return type '{type}'*",
                  "could not convert '*' from 'apus::failure' to '{type}'*"},
     .what = "the function returns an error, but its return type is {type}",
     .fix = "change the return type from T to apus::result<T>; callers check the result by if (!r), or co_await it in "
            "a coroutine"},
    {.name = "task-as-value",
     .messages = {"conversion from 'apus::task<*", "no viable conversion from 'apus::task<*",
                  "cannot convert 'apus::task<*"},
     .what = "a task is used as its value",
     .fix = "write co_await before the call; the enclosing function must then return apus::task<...> and end by "
            "co_return"},
    {.name = "result-as-value",
     .messages = {"*conversion from 'apus::result<*", "no viable conversion from 'result<*",
                  "cannot convert 'apus::result<*"},
     .what = "a result is used as its value",
     .fix = "in a coroutine write co_await before the result, which propagates errors; elsewhere check it first: if "
            "(!r) return apus::fail(...); use(*r)"},
};

}  // namespace

std::span<const rule> coroutine_rules() { return coroutine_table; }

}  // namespace apus::cli::diagnosis
