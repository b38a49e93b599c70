// SPDX-License-Identifier: Apache-2.0
// error: the function may outlive the waiting task, so it must not capture
#include <apus/app.hpp>
#include <apus/blocking.hpp>

apus::task<std::size_t> count(std::string text) {
#ifdef OK
    auto size = [](const std::string& of) { return of.size(); };
    co_return co_await apus::blocking(size, text);
#else
    auto size = [&] { return text.size(); };
    co_return co_await apus::blocking(size);
#endif
}
