// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <pthread.h>

namespace apus::server {

/// Captures stacks of other threads with SIGURG, which is ignored by default.
/// Only one thread may use the object. Create it before the threads whose stacks are captured.
class thread_stacks {
public:
    thread_stacks() noexcept;
    thread_stacks(const thread_stacks&) = delete;
    thread_stacks& operator=(const thread_stacks&) = delete;
    ~thread_stacks();

    /// Returns the innermost addresses of a running thread, valid until the next call.
    /// Waits for at most `longest`, and subtracts the time of the wait from it. Empty if the thread does not respond in
    /// this time, or the program uses SIGURG.
    std::span<const std::uintptr_t> of(pthread_t, std::chrono::milliseconds& longest) const;

private:
    bool installed_ = false;
};

/// Returns the functions of a stack, joined by ` < `.
/// Functions without a symbol are shown as file and offset.
std::string text_of_stack(std::span<const std::uintptr_t>);

}  // namespace apus::server
