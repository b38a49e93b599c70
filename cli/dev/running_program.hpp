// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "cli/system/process.hpp"
#include "cli/terminal/shell.hpp"
#include "cli/work/sanitizer_reports.hpp"

namespace apus::cli::dev {

/// The application as a child process, listening on a free port.
/// Forwards the program's standard output. The destructor terminates the program and waits for its end.
class running_program {
public:
    using report_handler = std::function<void(const std::string& report)>;

    /// With `reports`, prints sanitizer reports and passes them to `on_report`.
    /// `on_report` runs on another thread. After `retire`, `on_report` is no longer called.
    running_program(system::invocation what, terminal::shell& shell, std::unique_ptr<work::sanitizer_reports> reports,
                    report_handler on_report);
    ~running_program();
    running_program(const running_program&) = delete;
    running_program& operator=(const running_program&) = delete;

    /// Waits until the program listens, and returns its port; returns 0 if it has exited.
    std::uint16_t wait_for_port();
    /// Ends the program without waiting: sends SIGTERM after 100 ms, and SIGKILL after four seconds.
    /// The delay lets the program accept connections that are already established.
    void retire();
    bool has_ended() const;
    /// Returns how the program ended, such as "with status 1" or "by SIGSEGV". Call it after the end.
    std::string end() const;
    /// Returns the sanitizer reports of the program.
    std::string reported() const;

private:
    void relay();
    bool waits_for_output();
    bool has_exited(int milliseconds) const;
    void terminate();
    void kill_after_timeout();
    void take_line(const std::string& line);
    std::string exit_description() const;
    void read_reports(bool has_ended);

    terminal::shell& shell_;
    std::unique_ptr<work::sanitizer_reports> reports_;
    report_handler on_report_;
    std::string reported_{};
    system::started child_{};
    mutable std::mutex lock_;
    std::condition_variable state_changed_;
    std::uint16_t port_ = 0;
    bool ended_ = false;
    int status_ = 0;
    std::optional<std::chrono::steady_clock::time_point> retired_{};
    bool terminated_ = false;
    std::thread relay_;
};

}  // namespace apus::cli::dev
