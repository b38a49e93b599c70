// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"

#include <atomic>
#include <span>

#include <pthread.h>

namespace apus::server {

/// A core and its thread.
struct watched_core {
    std::atomic<runtime::activity*> doing = nullptr;
    std::atomic<pthread_t> thread{};
};

/// Halts the threads of cores, so that the handler of a fatal signal can read their lists.
/// Each thread waits in a handler of SIGURG, until this object is destroyed or 10 s have passed. The handler stays
/// installed, since the process is about to end. Only one object may exist.
class halted_cores {
public:
    /// Waits up to 100 ms until all threads but the calling one have halted. Does not lock or allocate.
    explicit halted_cores(std::span<const watched_core>) noexcept;
    halted_cores(const halted_cores&) = delete;
    halted_cores& operator=(const halted_cores&) = delete;
    ~halted_cores();

    /// Whether the core's thread has halted, or is the calling thread.
    static bool includes(const runtime::activity*) noexcept;
};

}  // namespace apus::server
