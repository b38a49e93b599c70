// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "cli/system/process.hpp"

namespace apus::cli::work {

/// A server that runs as long as this object exists. Discards the server's standard output.
class background_program {
public:
    explicit background_program(const system::invocation& what);
    /// Sends SIGTERM, and SIGKILL after four seconds.
    ~background_program();
    background_program(const background_program&) = delete;
    background_program& operator=(const background_program&) = delete;

    /// Waits until the program listens, and returns its URL: "http://127.0.0.1:8080".
    /// Empty if the program ends before it listens, or if the tool receives a signal.
    std::string wait_for_url();

    pid_t pid() const noexcept { return child_.pid; }
    bool has_ended() const noexcept;

private:
    void drain();

    system::started child_;
    std::atomic<bool> over_ = false;
    std::thread drain_{};
};

}  // namespace apus::cli::work
