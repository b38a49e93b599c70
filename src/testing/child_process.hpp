// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace apus::testing {

struct identity {
    uid_t user;
    gid_t group;
};

/// A program that runs as a given user, with its output in a file.
/// Receives SIGQUIT when the thread that started it ends.
class child_process {
public:
    /// `command[0]` is a path. Throws `std::system_error` if the process cannot be created.
    child_process(const std::vector<std::string>& command, identity, const std::string& output);
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;
    ~child_process();  ///< Kills the process.

    bool wait(std::chrono::milliseconds longest);                 ///< Returns true if the process has ended.
    int status() const noexcept { return status_; }               ///< Exit status; -1 after a signal.
    pid_t release() noexcept { return std::exchange(pid_, -1); }  ///< The caller must then wait for the process.

private:
    pid_t pid_;
    int status_ = -1;
};

}  // namespace apus::testing
