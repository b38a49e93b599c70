// SPDX-License-Identifier: Apache-2.0
// error: apus::fail has no effect by itself: write return or co_await before it
#include <apus/app.hpp>

apus::result<void> checked(const std::string& password);
apus::task<> later();

apus::task<std::string> login(std::string password) {
    if (password.empty()) {
#ifdef OK
        co_await apus::fail(401, "no");
#else
        apus::fail(401, "no");
#endif
    }
    co_return "welcome";
}
