// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace apus::server {

/// Logs SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT and SIGSYS, with the thread's current request.
/// Active for the lifetime of this object. The default action follows, with core dump and unchanged exit status.
/// Signals that already have a handler, for example of a sanitizer, keep it.
class crash_log {
public:
    crash_log() noexcept;
    crash_log(const crash_log&) = delete;
    crash_log& operator=(const crash_log&) = delete;
    ~crash_log();
};

/// A signal stack for this thread, so that stack overflows are logged too.
class signal_stack {
public:
    signal_stack() noexcept;
    signal_stack(const signal_stack&) = delete;
    signal_stack& operator=(const signal_stack&) = delete;
    ~signal_stack();

private:
    std::unique_ptr<char[]> bytes_;  // null if the thread already had a signal stack
};

}  // namespace apus::server
