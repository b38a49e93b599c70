// SPDX-License-Identifier: Apache-2.0
// Exits with 42 if the compiler destroys temporaries beside `co_await` twice (GCC bugs 95599 and 100611), otherwise
// with 0. No sanitizer exits with 42. Includes only <coroutine> of the standard library, so that it compiles quickly.
#include <coroutine>

namespace {

int alive = 0;

struct counted {
    counted() noexcept { ++alive; }
    counted(const counted&) noexcept { ++alive; }
    ~counted() { --alive; }
    counted& operator=(const counted&) = delete;
};

struct options {
    counted name;
};

struct awaiter {
    counted kept;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
};

awaiter by_value(options from) { return {from.name}; }
awaiter by_reference(const options& from) { return {from.name}; }
awaiter of_one(const counted& from) { return {from}; }
template <class F>
awaiter of_call(F f) {
    return {f()};
}

struct coroutine {
    struct promise_type {
        coroutine get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept {}
    };
    std::coroutine_handle<promise_type> handle;
};

coroutine aggregate(const counted& value) { co_await by_value({.name = value}); }
coroutine referenced_aggregate(const counted& value) { co_await by_reference(options{.name = value}); }
coroutine capturing_lambda(const counted& value) {
    co_await of_call([value] { return value; });
}
coroutine conditional(const counted& value, bool first) { co_await of_one(first ? value : counted()); }

bool leaves_all_as_it_was(coroutine made, int before) {
    while (!made.handle.done()) made.handle.resume();
    made.handle.destroy();
    return alive == before;
}

}  // namespace

int main() {
    const counted value;
    const bool sound =
        leaves_all_as_it_was(aggregate(value), 1) && leaves_all_as_it_was(referenced_aggregate(value), 1) &&
        leaves_all_as_it_was(capturing_lambda(value), 1) && leaves_all_as_it_was(conditional(value, true), 1) &&
        leaves_all_as_it_was(conditional(value, false), 1);
    return sound ? 0 : 42;
}
