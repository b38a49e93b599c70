// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::cli::system {

/// From here on SIGINT, SIGTERM and SIGHUP are noted, and system calls that wait end with EINTR, so that
/// what is half made is removed on the way out. A second one ends the process at once.
void note_signals();

/// Throws `errors::interruption` if one has come.
void throw_if_interrupted();

/// The signal that has come, or 0.
int signal_that_came() noexcept;

/// Ends the process as a signal would have, so that who called the tool sees what happened.
[[noreturn]] void end_by(int signal);

}  // namespace apus::cli::system
