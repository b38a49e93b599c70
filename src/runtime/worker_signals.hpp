// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

#include <pthread.h>

namespace apus::runtime {

/// Blocks signals for the threads that this thread creates during the lifetime of the object.
/// Other threads handle them. Not blocked are signals that are sent to a thread for what it does: faults, SIGABRT,
/// SIGSYS of the sandbox and SIGPROF of profiles. If a fault were blocked, the kernel would end the process without a
/// crash record.
class worker_signals {
public:
    worker_signals() noexcept {
        sigset_t blocked;
        sigfillset(&blocked);
        for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGPROF})
            sigdelset(&blocked, number);
        pthread_sigmask(SIG_SETMASK, &blocked, &before_);
    }
    worker_signals(const worker_signals&) = delete;
    worker_signals& operator=(const worker_signals&) = delete;
    ~worker_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_;
};

}  // namespace apus::runtime
