// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "cli/system/process.hpp"

namespace apus::cli::work {

/// A program that serves as long as this lives. What it writes to standard output is read, and not shown.
class background_program {
public:
    explicit background_program(const system::invocation& what);
    /// SIGTERM; and SIGKILL to one that has not ended four seconds later.
    ~background_program();
    background_program(const background_program&) = delete;
    background_program& operator=(const background_program&) = delete;

    /// Waits until it says where it listens, and gives that: "http://127.0.0.1:8080". Empty if it ends before, or a
    /// signal came.
    std::string wait_until_it_listens();

    pid_t pid() const noexcept { return child_.pid; }
    bool has_ended() const noexcept;

private:
    void drain();

    system::started child_;
    std::atomic<bool> over_ = false;
    std::thread drain_{};
};

}  // namespace apus::cli::work
