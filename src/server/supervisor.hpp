// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/blocking.hpp"
#include "server/administration.hpp"
#include "server/core_thread.hpp"
#include "server/crash_log.hpp"
#include "server/signals.hpp"
#include "server/watchdog.hpp"

#include <chrono>
#include <expected>
#include <string>
#include <vector>

namespace apus::server {

/// Exit status of a server.
enum exit_status : int {
    start_failed = 1,
    usage_error = 2,
    cut_off = 3,
    handler_blocked = 4
};

/// The main thread of a server: starts and watches cores, waits for signals, and shuts down.
/// Shutdown is graceful, or forced without waiting for handlers.
class supervisor {
public:
    supervisor(detail::maker, const serve_options&, unsigned cores);
    supervisor(const supervisor&) = delete;
    supervisor& operator=(const supervisor&) = delete;
    ~supervisor();

    int run();  ///< Returns the exit status, or ends the process.

private:
    using clock = std::chrono::steady_clock;
    using state = core_thread::state;

    std::expected<void, std::string> open_listeners();
    std::expected<void, std::string> start();
    bool any(state) const;
    void wait(std::int64_t milliseconds);
    void take_signal();
    void check_certificates();
    template <class Done>
    bool wait_for(Done done, clock::time_point until);
    clock::time_point drain_deadline() const;
    std::expected<void, std::string> await_start();
    int report_failure(const std::string& why);
    void await_readiness_grace();
    int drain();
    void stop_administration();
    int abort_connections();
    [[noreturn]] void end_process(const char* what);

    // The order matters: threads inherit the signal mask, and cores refer to members above them.
    signals signals_;
    crash_log crashes_;
    runtime::blocking_threads blocking_;
    detail::maker make_;
    watchdog watchdog_;
    shared_state shared_;
    administration administration_;  // destroyed first: it reads the cores
    unsigned cores_;
    std::vector<std::string> urls_;
    int signal_ = 0;  // the signal that requested the shutdown
    unsigned signals_seen_ = 0;
    bool reload_requested_ = false;  // certificates must be reloaded
    clock::time_point next_look_{};
};

}  // namespace apus::server
