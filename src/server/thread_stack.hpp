// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <pthread.h>

namespace apus::server {

/// Takes stacks of other threads, by SIGURG, which is ignored where nobody has a handler for it. One
/// thread may ask. Made before the threads that it asks of.
class thread_stacks {
public:
    thread_stacks() noexcept;
    thread_stacks(const thread_stacks&) = delete;
    thread_stacks& operator=(const thread_stacks&) = delete;
    ~thread_stacks();

    /// The innermost calls of a thread that runs, as far as their names are known, with ` < ` between.
    /// Empty if the thread does not answer within 50 ms, or the program has a use of its own for SIGURG.
    std::string of(pthread_t) const;

private:
    bool installed_ = false;
};

}  // namespace apus::server
