// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/blocking.hpp>

#include <cstddef>

namespace apus::runtime {

/// Keeps the threads of `apus::blocking` alive.
/// The destructor waits for running calls, which cannot be interrupted; after `stop`, it does not wait once `running`
/// is 0. Queued calls fail with 503. Several objects share the threads: the first sets the limits, the last one ends
/// the threads. Without any object, the threads start with default limits and run until the process ends. A loop may
/// end before this object, but not before its tasks.
class blocking_threads {
public:
    explicit blocking_threads(blocking_limits limits = {});
    blocking_threads(const blocking_threads&) = delete;
    blocking_threads& operator=(const blocking_threads&) = delete;
    ~blocking_threads();

    /// Ends the threads, unless another object keeps them alive. New and queued calls are refused.
    void stop() noexcept;
    std::size_t running() const noexcept;  ///< Calls being executed.
};

}  // namespace apus::runtime
