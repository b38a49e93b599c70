// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sandbox/system_calls.hpp"

#include <cstdint>
#include <vector>

#include <linux/filter.h>

namespace apus::sandbox {

/// Options of a filter of system calls.
struct filter_options {
    bool internet = false;         ///< Allow TCP and UDP sockets of IPv4 and IPv6.
    bool unix_streams = false;     ///< Allow connection-mode Unix sockets. Datagram sockets are always allowed.
    bool programs = false;         ///< Allow starting processes and programs.
    bool other_processes = false;  ///< Allow kill(2) and similar calls for other processes.
    std::uint32_t process = 0;     ///< ID of the confined process.
    machine on = this_machine;
};

/// Compiles the table of system calls to a BPF program for seccomp(2).
/// In the filter, a call of another architecture ends the process. A number above the numbers of the table fails with
/// ENOSYS. Any other number without an entry fails with EPERM.
std::vector<sock_filter> make_filter(const filter_options&);

/// Activates a filter for all threads of this process, and for their children.
/// Sets `no_new_privs`. Returns 0, an errno, or -1 if another thread has its own filter.
int activate_filter(const std::vector<sock_filter>&) noexcept;

/// Whether the kernel supports filters of system calls.
bool has_filters() noexcept;

}  // namespace apus::sandbox
