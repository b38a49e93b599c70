// SPDX-License-Identifier: Apache-2.0
#pragma once

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

    /// Returns the innermost known functions of a running thread, joined by ` < `.
    /// Returns an empty string if the thread does not respond within 50 ms, or the program uses SIGURG.
    std::string of(pthread_t) const;

private:
    bool installed_ = false;
};

}  // namespace apus::server
