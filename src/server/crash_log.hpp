// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"

#include <expected>
#include <string>

#include <pthread.h>

namespace apus::server {

/// Logs SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT and SIGSYS, with stack and current request.
/// Also logs the exception that has ended the process by `std::terminate`. Active for the lifetime of this object; only
/// one object may exist. The default action follows, with core dump and unchanged exit status. Signals that already
/// have a handler, for example of a sanitizer, keep it.
class crash_log {
public:
    crash_log() noexcept;
    crash_log(const crash_log&) = delete;
    crash_log& operator=(const crash_log&) = delete;
    ~crash_log();

    /// Also writes reports to files in this folder, which must exist.
    /// Returns a message if the folder is not writable.
    /// Removes the oldest reports of this program if there are more than 50.
    std::expected<void, std::string> write_files(const std::string& folder);

    /// Reports the requests of this core too. Cores are numbered in the order of calls.
    void watch(runtime::activity&, pthread_t) noexcept;
    /// On a crash, shuts down this socket for writing before the report is written.
    /// So its peer sees the end of file at once. Pass -1 before the socket is closed.
    void shut_down_on_crash(int socket) noexcept;
    void forget_cores() noexcept;  ///< Call before the cores are destroyed.
};

}  // namespace apus::server
