// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace apus::server {

/// Blocks the server's signals, and reads them from a descriptor.
/// The signals are SIGTERM, SIGINT, SIGHUP, and SIGUSR2 unless the program handles or ignores SIGUSR2. These signals
/// are blocked in this thread and in threads started later. Also ignores SIGPIPE, so that writes to a closed pipe or
/// socket fail with EPIPE.
class signals {
public:
    signals();
    signals(const signals&) = delete;
    signals& operator=(const signals&) = delete;
    ~signals();

    int fd() const noexcept { return fd_; }  ///< Readable when a signal is pending.

    enum class kind {
        none,
        stop,    ///< SIGTERM, SIGINT, or SIGHUP because the terminal was closed.
        reload,  ///< SIGHUP sent by another process.
        restart  ///< SIGUSR2.
    };
    struct taken {
        kind of = kind::none;
        int number = 0;
        int sender = 0;  ///< ID of the sending process, for `restart`; 0: unknown.
    };
    taken read() noexcept;                                            ///< Returns the next pending signal.
    const sigset_t& mask_before() const noexcept { return before_; }  ///< Signals blocked before construction.

private:
    int fd_ = -1;
    bool had_terminal_ = false;
    sigset_t before_;
};

}  // namespace apus::server
