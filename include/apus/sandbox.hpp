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
    available,  ///< As far as the kernel supports it; a record in the log names missing parts.
    required    ///< Completely. If the kernel lacks a part, the server does not start.
};

/// Options of the sandbox, which the server enters before the first request (docs/sandbox.md).
/// Applies to all threads of the process for ever, and to the programs that it starts. Needs Linux 6.7 to be complete.
/// Files and sockets that are already open remain usable.
struct sandbox_options {
    sandbox_mode mode = sandbox_mode::off;

    /// Files and folders to read, in addition to those of the library.
    /// A path that does not exist when the server starts to serve is an error, here and in the next two members. The
    /// path of a file means the present file, also if another one takes its name: for such files, name the folder.
    std::vector<std::string> read = {};
    std::vector<std::string> write = {};  ///< Files and folders to read and write, such as the folder of a database.
    std::vector<std::string> allow_exec = {};  ///< Programs that may be started. They remain in the sandbox.

    /// TCP ports to connect to. Empty: no sockets of IPv4 and IPv6 can be created.
    /// Otherwise port 53 is added, for names, and UDP is not restricted.
    std::vector<std::uint16_t> connect = {};
    bool connect_unix = false;  ///< Whether to allow connections to Unix sockets, for example of a database.
};

}  // namespace apus
