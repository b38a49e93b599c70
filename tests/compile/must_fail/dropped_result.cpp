// SPDX-License-Identifier: Apache-2.0
// error: it may hold an error: check it, or co_await it
#include <apus/app.hpp>

apus::result<void> checked(const std::string& password);
apus::task<> later();

apus::task<std::string> login(std::string password) {
    if (password.empty()) {
#ifdef OK
        co_await checked(password);
#else
        checked(password);
#endif
    }
    co_return "welcome";
}
