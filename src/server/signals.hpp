// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace apus::server {

/// The signals that a server takes, from the thread that makes this and for those made after it:
/// SIGTERM, SIGINT and SIGHUP are read here. SIGPIPE is ignored from now on: a peer that has gone is an error
/// of a write, for pipes as for sockets.
class signals {
public:
    signals();
    signals(const signals&) = delete;
    signals& operator=(const signals&) = delete;
    ~signals();

    int fd() const noexcept { return fd_; }  ///< Readable when one has come.

    enum class kind {
        none,
        stop,   ///< SIGTERM, SIGINT, or the terminal has gone.
        reload  ///< SIGHUP of another process.
    };
    struct taken {
        kind of = kind::none;
        int number = 0;
    };
    taken read() noexcept;  ///< The next one that has come.

private:
    int fd_ = -1;
    bool had_terminal_ = false;
    sigset_t before_;
};

}  // namespace apus::server
