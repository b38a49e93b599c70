// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::cli::system {

/// Installs handlers for SIGINT, SIGTERM and SIGHUP, which interrupt blocking system calls (EINTR).
/// After the first signal, `throw_if_interrupted` throws, so that destructors remove temporary files. A second signal
/// ends the process at once. Ignores SIGPIPE.
void handle_signals();

/// Throws `errors::interruption` if a signal has arrived.
void throw_if_interrupted();

/// Returns the signal that has arrived, or 0.
int received_signal() noexcept;

/// Ends the process by this signal, so that the parent process sees the signal in the exit status.
[[noreturn]] void end_by(int signal);

}  // namespace apus::cli::system
