// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/landlock.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace apus::sandbox {

/// Rights of a process in a sandbox.
struct plan {
    struct path {
        std::string name;
        rights how;
        bool optional = false;  ///< Ignore the path if it does not exist.
    };
    std::vector<path> paths = {};
    std::vector<std::uint16_t> ports = {};  ///< TCP ports to connect to. Empty: no IPv4 and IPv6 sockets.
    bool unix_streams = false;              ///< Allow connections to Unix sockets.
    bool programs = false;                  ///< Allow starting processes and programs.
    bool other_processes = false;           ///< Allow signals to other processes.
    bool complete = false;                  ///< Fail if the kernel does not support a part of the sandbox.
};

/// Result of entering a sandbox.
struct confinement {
    int landlock = 0;                       ///< Version of Landlock; 0 without Landlock.
    bool filter = false;                    ///< Whether system calls are filtered.
    std::vector<std::string> missing = {};  ///< Restrictions that do not apply, each with its reason.
};

/// A sandbox that can be entered: its paths exist, and the kernel supports the required parts.
class prepared_sandbox {
public:
    /// Opens the paths. Throws `std::runtime_error` with a message for users.
    explicit prepared_sandbox(plan);

    /// Confines all threads of this process permanently. Call once.
    /// After an error, some restrictions may already apply, so the process should end.
    std::expected<confinement, std::string> enter();

private:
    plan plan_;
    confinement result_;
    std::optional<landlock> rules_;
};

}  // namespace apus::sandbox
