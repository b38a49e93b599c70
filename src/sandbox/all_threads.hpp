// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace apus::sandbox {

/// Results of `on_all_threads`.
struct thread_results {
    int error = 0;                          ///< The first error that the call returned.
    std::string failure = {};               ///< Why the call has not run on all threads; otherwise empty.
    std::vector<std::string> blocked = {};  ///< Names of threads that block the signal and have not run the call.
};

/// Runs a call on every thread of this process, including the calling thread, in a signal handler.
/// The call returns an errno or 0, and must be async-signal-safe. A thread that starts meanwhile runs the call too,
/// unless its creator has already run it. System calls of other threads may fail with EINTR. Only one thread may use
/// this function at a time. Takes at most `longest`.
thread_results on_all_threads(int (*call)(const void*) noexcept, const void* argument,
                              std::chrono::milliseconds longest);

}  // namespace apus::sandbox
