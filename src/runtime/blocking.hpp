// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/blocking.hpp>

#include <cstddef>

namespace apus::runtime {

/// Keeps the threads of `apus::blocking` for as long as it lives; its end waits for what they run,
/// which cannot be interrupted (`stop` and `running` tell when it will not wait). Calls that still wait for a thread
/// then end with a 503. Several may
/// live at once and share the threads: the limits are those of the first, and the last one ends them.
///
/// Without one the threads work too, with default limits, and last as long as the process.
/// Loops may end earlier than this, but not later than their tasks.
class blocking_threads {
public:
    explicit blocking_threads(blocking_limits limits = {});
    blocking_threads(const blocking_threads&) = delete;
    blocking_threads& operator=(const blocking_threads&) = delete;
    ~blocking_threads();

    /// Begins to end the threads, if no other object holds them: further calls, and those that wait, are refused.
    void stop() noexcept;
    std::size_t running() const noexcept;  ///< Calls that threads are in.
};

}  // namespace apus::runtime
