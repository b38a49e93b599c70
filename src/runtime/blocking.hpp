// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/blocking.hpp>

#include <cstddef>
#include <cstdint>

namespace apus::runtime {

/// Keeps the threads of `apus::blocking` alive.
/// Several objects share the threads: the first object sets the limits, and the last one ends the threads. The
/// destructor of the last object fails queued calls with 503, and waits for running calls, which cannot be interrupted.
/// To avoid the wait, call `stop`, and destroy the object when `running` returns 0. Without any object, the threads
/// start with default limits and run until the process ends. An event loop may be destroyed before this object, but
/// only after the tasks on that loop have ended.
class blocking_threads {
public:
    explicit blocking_threads(blocking_limits limits = {});
    blocking_threads(const blocking_threads&) = delete;
    blocking_threads& operator=(const blocking_threads&) = delete;
    ~blocking_threads();

    /// Ends the threads, unless another object keeps them alive. New and queued calls fail with 503.
    void stop() noexcept;
    std::size_t running() const noexcept;  ///< Calls being executed.

    /// Figures of the threads.
    /// `calls`, `refused` and `nanoseconds_waited` count from the start of the process.
    struct figures {
        std::size_t threads, running, waiting;
        std::uint64_t calls, refused, nanoseconds_waited;
    };
    figures now() const noexcept;
};

}  // namespace apus::runtime
