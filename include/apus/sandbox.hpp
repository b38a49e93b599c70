// SPDX-License-Identifier: Apache-2.0
#pragma once

// Confines the process of a server to the files, ports and system calls that it needs.

#include <cstdint>
#include <string>
#include <vector>

namespace apus {

/// When the sandbox applies.
enum class sandbox_mode : std::uint8_t {
    off,
    available,  ///< Applies as far as the kernel supports it. A log record names the missing parts.
    required    ///< Applies completely. If the kernel lacks a part, the server does not start.
};

/// Options of the sandbox, which the server enters before the first request (docs/sandbox.md).
/// It applies permanently to all threads of the process, and to the programs that the process starts. It is complete on
/// Linux 6.7 and later. Files and sockets that are already open remain usable.
struct sandbox_options {
    sandbox_mode mode = sandbox_mode::off;

    /// Files and folders to read, in addition to the files that the library reads.
    /// The next two rules also apply to `write` and `allow_exec`. Every path must exist when the server starts. The
    /// right applies to the file that has the path at that time: if files are replaced later, name their folder.
    std::vector<std::string> read = {};
    std::vector<std::string> write = {};  ///< Files and folders to read and write, such as the folder of a database.
    std::vector<std::string> allow_exec = {};  ///< Programs that may be started. They run in the same sandbox.

    /// TCP ports to connect to. Empty: IPv4 and IPv6 sockets cannot be created.
    /// Otherwise port 53 is added for name resolution, and UDP is not restricted.
    std::vector<std::uint16_t> connect = {};
    bool connect_unix = false;  ///< Whether to allow connections to Unix sockets, for example of a database.
};

}  // namespace apus
