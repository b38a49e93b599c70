// SPDX-License-Identifier: Apache-2.0
#include <coroutine>
#include <exception>
#include <string>

struct job {
    struct promise_type {
        job get_return_object() { return {}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

struct options {
    std::string host;
};

struct connecting {
    bool await_ready() { return true; }
    void await_suspend(std::coroutine_handle<>) {}
    void await_resume() {}
};

connecting connect(options) { return {}; }

job start(std::string host) { co_await connect(options{.host = host}); }

int main() { start("a name that is too long to be kept inside of the string"); }
