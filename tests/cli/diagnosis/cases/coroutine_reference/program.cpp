// SPDX-License-Identifier: Apache-2.0
#include <coroutine>
#include <exception>
#include <string>

struct job {
    struct promise_type {
        job get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> self;
};

volatile unsigned long seen = 0;

job counting(const std::string& name) {
    seen = name.size() + static_cast<unsigned char>(name[0]);
    co_return;
}

int main() {
    job later = counting("a name that is too long to be kept inside of the string");
    later.self.resume();
    later.self.destroy();
}
