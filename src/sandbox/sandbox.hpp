// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/landlock.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace apus::sandbox {

/// Rights of a process.
struct plan {
    struct path {
        std::string name;
        rights how;
        bool optional = false;  ///< Ignore it if it does not exist.
    };
    std::vector<path> paths = {};
    std::vector<std::uint16_t> ports = {};  ///< TCP ports to connect to. Empty: no sockets of IPv4 and IPv6.
    bool unix_streams = false;              ///< Connections to Unix sockets.
    bool programs = false;                  ///< Processes and programs may be started.
    bool other_processes = false;           ///< Signals may be sent to other processes.
    bool complete = false;                  ///< Fail if the kernel lacks a part.
};

/// Result of entering a sandbox.
struct confinement {
    int landlock = 0;                       ///< Version; 0: none.
    bool filter = false;                    ///< Of system calls.
    std::vector<std::string> missing = {};  ///< Parts that do not apply, each with its reason.
};

/// A sandbox that can be entered: its paths exist, and the kernel has its parts.
class prepared_sandbox {
public:
    /// Opens the paths. Throws `std::runtime_error` with a message for users.
    explicit prepared_sandbox(plan);

    /// Confines all threads of this process, for ever. Once.
    /// After an error, some parts may already apply, so the process should end.
    std::expected<confinement, std::string> enter();

private:
    plan plan_;
    confinement result_;
    std::optional<landlock> rules_;
};

}  // namespace apus::sandbox
