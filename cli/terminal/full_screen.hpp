// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include <termios.h>

namespace apus::cli::terminal {

/// Shows whole screens on the terminal of standard output, and reads keys.
/// The destructor restores the terminal: its modes, its cursor and the text that it showed before. Signals must
/// interrupt system calls and not end the process (`system::handle_signals`), so that the destructor runs.
class full_screen {
public:
    full_screen();
    full_screen(const full_screen&) = delete;
    full_screen& operator=(const full_screen&) = delete;
    ~full_screen();

    /// Whether standard input and output are terminals that support full screens.
    static bool is_supported() noexcept;

    struct size {
        std::size_t columns, rows;
    };
    size current_size() const noexcept;

    /// Replaces the screen. The text has at most as many lines and columns as the screen.
    void show(std::string_view text);

    /// Waits for a key, at most until `deadline`.
    /// Returns 0 at the deadline, after a signal, or when the size of the terminal has changed. Returns 'q' if standard
    /// input has ended. Escape sequences, such as cursor keys, are ignored.
    char wait_for_key(std::chrono::steady_clock::time_point deadline);

private:
    termios before_{};
};

}  // namespace apus::cli::terminal
