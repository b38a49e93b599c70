// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/system_calls.hpp"

#include <cstdint>
#include <vector>

#include <linux/filter.h>

namespace apus::sandbox {

/// The situation for which a filter is compiled.
struct filter_options {
    bool internet = false;         ///< Sockets of IPv4 and IPv6 may be created, with TCP and UDP.
    bool unix_streams = false;     ///< Unix sockets with connections may be created. Datagram sockets always may.
    bool programs = false;         ///< And processes may be started.
    bool other_processes = false;  ///< May be targets of kill(2) and similar calls.
    std::uint32_t process = 0;     ///< Number of the confined process.
    machine on = this_machine;
};

/// Compiles the table of system calls to a program of seccomp(2).
/// Calls of another instruction set end the process. Calls newer than the table fail with ENOSYS, other calls without
/// an entry with EPERM.
std::vector<sock_filter> make_filter(const filter_options&);

/// Activates a filter for all threads of this process, and for their children.
/// Sets `no_new_privs`. Returns 0, an errno, or -1 if another thread has a filter of its own.
int activate_filter(const std::vector<sock_filter>&) noexcept;

/// Whether the kernel has filters of system calls.
bool has_filters() noexcept;

}  // namespace apus::sandbox
