// SPDX-License-Identifier: Apache-2.0
#include "runtime/signal_stack.hpp"

#include <csignal>
#include <cstddef>
#include <new>

namespace apus::runtime {

signal_stack::signal_stack() noexcept {
    constexpr std::size_t size = 64 * 1024;  // a crash report is formatted on this stack
    stack_t before{};
    if (sigaltstack(nullptr, &before) != 0 || !(before.ss_flags & SS_DISABLE)) return;
    bytes_.reset(new (std::nothrow) char[size]);
    const stack_t ours{.ss_sp = bytes_.get(), .ss_flags = 0, .ss_size = size};
    if (bytes_) sigaltstack(&ours, nullptr);
}

signal_stack::~signal_stack() {
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    if (bytes_) sigaltstack(&none, nullptr);
}

}  // namespace apus::runtime
