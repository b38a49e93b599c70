// SPDX-License-Identifier: Apache-2.0
// error: a task that is not awaited never runs: write co_await
#include <apus/app.hpp>

apus::result<void> checked(const std::string& password);
apus::task<> later();

apus::task<std::string> login(std::string password) {
    if (password.empty()) {
#ifdef OK
        co_await later();
#else
        later();
#endif
    }
    co_return "welcome";
}
