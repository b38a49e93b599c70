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

/// The machine for which this library is compiled.
#if defined(__aarch64__)
inline constexpr machine this_machine = machine::aarch64;
#else
inline constexpr machine this_machine = machine::x86_64;
#endif

/// How the filter treats a system call. Calls without an entry in the table are refused.
enum class treatment : std::uint8_t {
    allowed,
    refused,          ///< EPERM.
    unknown,          ///< ENOSYS, as from a kernel without the call: the C library then uses an older one.
    fatal,            ///< Ends the process, which logs the name of the call.
    of_sockets,       ///< Allowed for some kinds of sockets.
    of_threads,       ///< Allowed for new threads without namespaces of their own.
    of_devices,       ///< Allowed, except for input that is inserted into terminals.
    of_own_process,   ///< Allowed if the first argument is this process, or if signals to others are allowed.
    of_any_process,   ///< Allowed if signals to others are allowed.
    of_new_programs,  ///< Allowed if programs may be started.
};

/// A system call with its number on each machine; -1: it does not exist there.
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

/// No call is in two groups.
std::span<const system_call_group> system_call_table() noexcept;

/// Returns the name of a call of this machine; "?" if the table does not have it.
/// Async-signal-safe.
std::string_view name_of_system_call(int number) noexcept;

}  // namespace apus::sandbox
