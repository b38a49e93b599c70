// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace apus::server {

/// While it lives, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT leave a record in the log, with the
/// request that the thread worked for. The signal's default action follows, with the core dump and
/// the status that it always gave. Signals that have a handler already, a sanitizer's for example,
/// are left alone.
class crash_log {
public:
    crash_log() noexcept;
    crash_log(const crash_log&) = delete;
    crash_log& operator=(const crash_log&) = delete;
    ~crash_log();
};

/// A stack for the signal handlers of this thread, so that also an overflow of its own is logged.
class signal_stack {
public:
    signal_stack() noexcept;
    signal_stack(const signal_stack&) = delete;
    signal_stack& operator=(const signal_stack&) = delete;
    ~signal_stack();

private:
    std::unique_ptr<char[]> bytes_;  // null: the thread has one of another owner
};

}  // namespace apus::server
