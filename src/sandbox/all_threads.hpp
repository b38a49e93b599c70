// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace apus::sandbox {

/// Results of `on_all_threads`.
struct thread_results {
    int error = 0;                          ///< The first error that the call returned.
    std::string failure = {};               ///< Not empty: the call has not run on all threads, and why.
    std::vector<std::string> blocked = {};  ///< Names of threads that block every signal, and have not run the call.
};

/// Runs a call on every thread of this process, the calling one included, with a signal.
/// The call returns an errno or 0, and must be async-signal-safe. Threads that start meanwhile run it too, unless a
/// thread that has run it has started them. System calls of other threads may fail with EINTR. One call at a time.
/// Takes at most `longest`.
thread_results on_all_threads(int (*call)(const void*) noexcept, const void* argument,
                              std::chrono::milliseconds longest);

}  // namespace apus::sandbox
