// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "cli/system/process.hpp"
#include "cli/terminal/shell.hpp"

namespace apus::cli::dev {

/// The application, as a process that serves on a port of its own choice. What it writes to standard output is
/// passed on. Ends with this.
class running_program {
public:
    running_program(const system::invocation& what, terminal::shell& shell);
    ~running_program();
    running_program(const running_program&) = delete;
    running_program& operator=(const running_program&) = delete;

    /// Waits until it listens, and gives its port; 0 if it has ended.
    std::uint16_t wait_for_port();
    /// Lets it end what it is doing, for four seconds. Does not wait. It is told after a while, since it has to take
    /// the connections first that were made to it before.
    void retire();
    bool has_ended() const;
    /// Its exit status, once it has ended.
    int status() const;

private:
    void relay();
    bool waits_for_output();
    bool has_exited(int milliseconds) const;
    void tell_to_end();
    void end_in_time();
    void take_line(const std::string& line);

    terminal::shell& shell_;
    system::started child_;
    mutable std::mutex lock_;
    std::condition_variable news_;
    std::uint16_t port_ = 0;
    bool ended_ = false;
    int status_ = 0;
    std::optional<std::chrono::steady_clock::time_point> retired_{};
    bool told_to_end_ = false;
    std::thread relay_;
};

}  // namespace apus::cli::dev
