// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/blocking.hpp"
#include "server/core_thread.hpp"
#include "server/crash_log.hpp"
#include "server/signals.hpp"
#include "server/watchdog.hpp"

#include <chrono>
#include <expected>
#include <string>
#include <vector>

namespace apus::server {

/// What a server ends with.
enum exit_status : int {
    could_not_begin = 1,
    usage_error = 2,
    cut_off = 3,
    did_not_return = 4
};

/// The main thread of a server: starts the cores, watches them, waits for signals, and sees to an
/// orderly end, or else to one that waits for no handler.
class conductor {
public:
    conductor(detail::maker, const serve_options&, unsigned cores);
    conductor(const conductor&) = delete;
    conductor& operator=(const conductor&) = delete;
    ~conductor();

    int conduct();  ///< Gives the exit status, or ends the process.

private:
    using clock = std::chrono::steady_clock;
    using state = core_thread::state;

    std::expected<void, std::string> open_listeners();
    std::expected<void, std::string> start();
    bool any(state) const;
    void wait(std::int64_t milliseconds);
    void take_signal();
    void look_at_certificates();
    template <class Done>
    bool wait_for(Done done, clock::time_point until);
    clock::time_point drain_deadline() const;
    std::expected<void, std::string> await_start();
    int report_failure(const std::string& why);
    int drain();
    int cut_off_rest();
    [[noreturn]] void end_process(const char* what);

    // In this order: threads inherit the mask of signals, and cores look at what stands above them.
    signals signals_;
    crash_log crashes_;
    runtime::blocking_threads blocking_;
    detail::maker make_;
    watchdog watchdog_;
    crew crew_;
    unsigned cores_;
    std::vector<std::string> urls_;
    int signal_ = 0;  // that asked for the end
    unsigned signals_seen_ = 0;
    bool hung_up_ = false;  // certificates are to be read again
    clock::time_point next_look_{};
};

}  // namespace apus::server
