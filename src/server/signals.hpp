// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace apus::server {

/// Handles a server's signals by reading them, for this thread and all threads started later.
/// Covers SIGTERM, SIGINT, SIGHUP, and SIGUSR2 unless the program handles or ignores it. Ignores SIGPIPE from
/// construction on: writes to a closed pipe or socket fail with an error.
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
        int sender = 0;  ///< Process that sent it; 0: unknown.
    };
    taken read() noexcept;                                            ///< Returns the next pending signal.
    const sigset_t& mask_before() const noexcept { return before_; }  ///< Signals blocked before construction.

private:
    int fd_ = -1;
    bool had_terminal_ = false;
    sigset_t before_;
};

}  // namespace apus::server
