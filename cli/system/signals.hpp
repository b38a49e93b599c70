// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus::cli::system {

/// Handles SIGINT, SIGTERM and SIGHUP from now on: blocking system calls fail with EINTR.
/// The tool then removes its temporary files and ends. A second signal ends the process at once.
void handle_signals();

/// Throws `errors::interruption` if a signal has arrived.
void throw_if_interrupted();

/// Returns the signal that has arrived, or 0.
int received_signal() noexcept;

/// Ends the process by this signal, so that its parent sees the cause.
[[noreturn]] void end_by(int signal);

}  // namespace apus::cli::system
