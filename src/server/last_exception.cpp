// SPDX-License-Identifier: Apache-2.0
#include "server/last_exception.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <typeinfo>

#include <cxxabi.h>

namespace apus::server {
namespace {

struct kept_exception {
    std::terminate_handler previous = nullptr;
    char type[256], text[512];
    std::size_t type_size = 0, text_size = 0;
    std::atomic<bool> taken = false, complete = false;
};
kept_exception kept;

std::size_t copy_to(std::string_view from, std::span<char> to) noexcept {
    return static_cast<std::size_t>(std::ranges::copy(from.substr(0, to.size()), to.begin()).out - to.begin());
}

std::size_t copy_text(std::span<char> to) noexcept {
    try {
        throw;
    } catch (const std::exception& e) {
        return copy_to(e.what(), to);
    } catch (...) {
        return 0;
    }
}

// Several threads may terminate at the same time: the first one is reported.
void keep() noexcept {
    const std::type_info* const type = abi::__cxa_current_exception_type();
    if (!type || kept.taken.exchange(true)) return;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(type->name(), nullptr, nullptr, &status),
                                                       std::free);
    kept.type_size = copy_to(plain ? plain.get() : type->name(), kept.type);
    kept.text_size = copy_text(kept.text);
    kept.complete = true;
}

[[noreturn]] void terminated() noexcept {
    keep();
    if (kept.previous) kept.previous();
    std::abort();
}

}  // namespace

void remember_exceptions() noexcept {
    if (std::get_terminate() != terminated) kept.previous = std::set_terminate(terminated);
}

void forget_exceptions() noexcept {
    if (std::get_terminate() == terminated) std::set_terminate(kept.previous);
}

exception_text last_exception() noexcept {
    if (!kept.complete) return {};
    return {{kept.type, kept.type_size}, {kept.text, kept.text_size}};
}

}  // namespace apus::server
