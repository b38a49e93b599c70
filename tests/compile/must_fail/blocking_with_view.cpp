// SPDX-License-Identifier: Apache-2.0
// error: an argument is a pointer, reference or view, which may dangle
#include <apus/app.hpp>
#include <apus/blocking.hpp>

apus::task<std::size_t> count(std::string text) {
    auto size = [](std::string_view of) { return of.size(); };
#ifdef OK
    co_return co_await apus::blocking(size, text);
#else
    co_return co_await apus::blocking(size, std::string_view(text));
#endif
}
