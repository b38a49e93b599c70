// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace apus::sandbox {

enum class machine : std::uint8_t {
    x86_64,
    aarch64
};

/// The architecture for which this library is compiled.
#if defined(__aarch64__)
inline constexpr machine this_machine = machine::aarch64;
#else
inline constexpr machine this_machine = machine::x86_64;
#endif

/// How the filter treats a system call. Calls without an entry in the table are refused.
enum class treatment : std::uint8_t {
    allowed,
    refused,          ///< EPERM.
    unknown,          ///< ENOSYS, as from a kernel without the call: the C library then uses an older call.
    fatal,            ///< Ends the process, which logs the name of the call.
    of_sockets,       ///< Allowed for some kinds of sockets.
    of_threads,       ///< Allowed for new threads, but not with new namespaces.
    of_devices,       ///< Allowed, except for inserting input into terminals.
    of_own_process,   ///< Allowed if the first argument is this process, or if other processes may be targets.
    of_own_limits,    ///< Allowed if the first argument is 0 or this process, or if other processes may be targets.
    of_open_files,    ///< Allowed if the second argument, a path, is null.
    of_any_process,   ///< Allowed if other processes may be targets.
    of_new_programs,  ///< Allowed if programs may be started.
};

/// A system call with its number on each architecture; -1 where the call does not exist.
struct system_call {
    std::string_view name;
    std::int16_t x86_64, aarch64;

    constexpr int number(machine on) const noexcept { return on == machine::x86_64 ? x86_64 : aarch64; }
};

/// System calls with the same treatment.
struct system_call_group {
    treatment how;
    std::span<const system_call> calls;
};

/// Returns all groups. A call is in at most one group.
std::span<const system_call_group> system_call_table() noexcept;

/// Returns the name of a system call of this architecture, or "?" if the table does not contain it.
/// Async-signal-safe.
std::string_view name_of_system_call(int number) noexcept;

}  // namespace apus::sandbox
