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
    program_start();  ///< Reads /proc/self. Construct it before the program changes its folder.

    /// Starts the program again, in a process group of its own.
    /// It gets these sockets from descriptor 3 on, and `channel` after them. All other descriptors except the standard
    /// streams are closed in it. The path is resolved anew, so a replaced file or symbolic link takes effect. `mask`:
    /// the signals that are blocked in the new process. `notify`: value of NOTIFY_SOCKET in place of this process's,
    /// unless empty.
    std::expected<pid_t, std::string> start(std::span<const passed_socket> sockets, int channel, const sigset_t& mask,
                                            const std::string& notify) const;

    /// A process that could not become the program has ended, and must be collected by its parent.
    struct sibling {
        pid_t pid = -1;
        std::string failure = {};  ///< Empty: the program runs.
    };
    /// As `start`, as a child of the parent of this process, which must have a single thread.
    sibling start_sibling(std::span<const passed_socket>, int channel, const sigset_t& mask,
                          const std::string& notify) const;

private:
    std::expected<std::string, std::string> find() const;

    std::vector<std::string> words_;
    std::string folder_;
    std::string file_;  // the path without symbolic links; used if the first word is not a path of the program
    bool by_first_word_ = false;
};

}  // namespace apus::server
