// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <signal.h>
#include <sys/types.h>

namespace apus::server {

/// The first process of a container, after a restart.
/// It must not exit, since the kernel would then end the container. It remains as the parent of the process that
/// serves: it forwards signals, waits for its child processes, and exits with the status of the process that serves.
/// MAINPID= messages inform it of later restarts, as they inform a service manager.
class restart_parent {
public:
    restart_parent();
    restart_parent(const restart_parent&) = delete;
    restart_parent& operator=(const restart_parent&) = delete;
    ~restart_parent();

    static bool needed() noexcept;                                    ///< This process is process 1.
    const std::string& address() const noexcept { return address_; }  ///< NOTIFY_SOCKET of the processes that serve.

    void serves(pid_t pid) noexcept { main_ = pid; }
    void forward(int signal) noexcept;
    int run(int signals);  ///< Returns the exit status. `signals`: a signalfd with the signals to forward.

private:
    void read_messages() noexcept;

    std::string address_;
    int socket_ = -1;
    pid_t main_ = -1;
    std::vector<pid_t> earlier_;  // processes that are still draining
};

}  // namespace apus::server
