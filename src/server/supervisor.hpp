// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/blocking.hpp"
#include "server/administration.hpp"
#include "server/confinement.hpp"
#include "server/core_thread.hpp"
#include "server/crash_log.hpp"
#include "server/listeners.hpp"
#include "server/pid_file.hpp"
#include "server/restart_parent.hpp"
#include "server/serve.hpp"
#include "server/service_status.hpp"
#include "server/signals.hpp"
#include "server/starter.hpp"
#include "server/successor.hpp"
#include "server/watchdog.hpp"

#include <chrono>
#include <expected>
#include <functional>
#include <optional>
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

/// The main thread of a server: starts and watches cores, handles signals, restarts, shuts down.
/// Shutdown is graceful; after a second signal or the deadline, it does not wait for handlers.
class supervisor {
public:
    /// `on_reload` may be null.
    supervisor(detail::maker, const serve_options&, unsigned cores, reload_handler* on_reload = nullptr);
    supervisor(const supervisor&) = delete;
    supervisor& operator=(const supervisor&) = delete;
    ~supervisor();

    int run();  ///< Returns the exit status, or ends the process.

private:
    using clock = std::chrono::steady_clock;
    using state = core_thread::state;

    std::expected<void, std::string> open_listeners();
    std::expected<void, std::string> start();
    std::expected<void, std::string> confine();
    std::expected<void, std::string> begin();
    std::expected<void, std::string> check_listeners() const;
    void print_addresses() const;
    bool any(state) const;
    void wait(std::int64_t milliseconds);
    void take_signal();
    void check_certificates();
    void reload();
    void show_settings();
    bool wait_for(const std::function<bool()>& done, clock::time_point until);
    clock::time_point drain_deadline() const;
    std::expected<void, std::string> await_start();
    int report_failure(const std::string& why);
    void await_readiness_grace();
    int drain(http::drain_cause);
    void report_losses() const;
    void stop_administration();
    int abort_connections();
    [[noreturn]] void end_process(const char* what);

    // Implemented in restarting.cpp.
    std::expected<void, std::string> await_predecessor();
    std::expected<void, std::string> begin_background();
    void await_release();
    void leave_predecessor();
    void check_predecessor();
    void report_main_process();
    void choose_stored_sockets();
    clock::time_point restart_deadline() const;
    std::int64_t report_life();
    void begin_restart(pid_t requested_by);
    void reject_restart(pid_t requested_by, const char* why);
    void check_successor();
    void let_serve();
    void check_trial();
    void set_accepting(bool);
    int await_successor();
    void fail_restart(const std::string& why);
    void end_successor();
    void hand_over();

    // The order matters: threads inherit the signal mask, and cores refer to members above them.
    program_start program_;
    predecessor predecessor_;
    service_status status_;
    signals signals_;
    crash_log crashes_;
    runtime::blocking_threads blocking_;
    detail::maker make_;
    watchdog watchdog_;
    shared_state shared_;
    administration administration_;  // destroyed first: it reads the cores
    unsigned cores_;
    std::vector<std::string> urls_;
    std::vector<passed_socket> sockets_;
    bool stale_store_ = false;
    std::vector<int> stored_{};  // sockets for the service manager's descriptor store
    confinement confinement_;
    pid_file pid_file_;
    int signal_ = 0;  // the signal that requested the shutdown
    unsigned signals_seen_ = 0;
    bool stop_passed_on_ = false;  // by the old process, which perhaps got a signal that this process gets too
    bool reload_requested_ = false;
    reload_handler* on_reload_;
    clock::time_point next_look_{};

    const bool restarted_;  // started by an earlier process of this server
    bool serves_ = false;
    bool handed_over_ = false;  // another process serves
    std::optional<restart_parent> parent_;
    std::optional<starter> starter_;  // only with a sandbox; must be declared before `successor_`, which uses it
    std::optional<successor> successor_;
    pid_t requested_by_ = 0;
    bool accepting_ = true;
    bool reloaded_meanwhile_ = false;                 // the new process has perhaps read an earlier configuration
    std::optional<clock::time_point> release_due_{};  // when the old process should have left
    std::uint64_t next_ping_ = 0;                     // milliseconds of `watchdog::clock`
    bool pinged_ = false;  // when all cores have answered, the service manager must be informed
};

}  // namespace apus::server
