// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/listeners.hpp"

#include <expected>
#include <span>
#include <string>
#include <vector>

#include <signal.h>
#include <sys/types.h>

namespace apus::server {

/// How this process was started: its program, arguments and folder.
class program_start {
public:
    program_start();  ///< Reads /proc/self. Construct it before the program changes its working directory.

    /// Starts the program again, in its own process group.
    /// The new process gets `sockets` as descriptors 3 and up, and `channel` as the next descriptor. All other
    /// descriptors except the standard streams are closed in the new process. The path is resolved again, so a replaced
    /// file or symbolic link takes effect. `mask`: the signals that are blocked in the new process. `notify`: the new
    /// process's NOTIFY_SOCKET; if empty, the NOTIFY_SOCKET of this process.
    std::expected<pid_t, std::string> start(std::span<const passed_socket> sockets, int channel, const sigset_t& mask,
                                            const std::string& notify) const;

    /// A process started by `start_sibling`.
    /// After a failure, the process has ended, and its parent must call waitpid(2).
    struct sibling {
        pid_t pid = -1;
        std::string failure = {};  ///< Empty: the program runs.
    };
    /// Like `start`, but the new process is a child of this process's parent.
    /// This process must have a single thread.
    sibling start_sibling(std::span<const passed_socket>, int channel, const sigset_t& mask,
                          const std::string& notify) const;

private:
    std::expected<std::string, std::string> find() const;

    std::vector<std::string> words_;
    std::string folder_;
    std::string file_;  // the path without symbolic links; used if the first argument is not a path of the program
    bool by_first_word_ = false;
};

}  // namespace apus::server
