// SPDX-License-Identifier: Apache-2.0
#include "server/restart_report.hpp"
#include "server/supervisor.hpp"

#include <apus/log.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

// The parts of the supervisor that concern other processes: restarts and the service manager.

namespace apus::server {

// Reports to the old process that this process is ready, and waits until the old process lets it serve. Until then,
// this process accepts no connections, so that a failed restart has no effect on clients.
std::expected<void, std::string> supervisor::await_predecessor() {
    if (!predecessor_) return {};
    predecessor_.report_ready();
    const bool left = wait_for([this] { return signal_ || predecessor_.has_left(); }, restart_deadline());
    if (signal_) return std::unexpected("stopped before it took over the sockets");
    if (!left) return std::unexpected("the old process did not let this process serve in time");
    return {};
}

supervisor::clock::time_point supervisor::restart_deadline() const {
    return clock::now() + std::chrono::nanoseconds(shared_.options.restart_deadline.nanoseconds());
}

// Starts background tasks of the app. In a restart, waits until they are suspended: if one of them blocks or ends the
// process, this process has not accepted a connection yet, and the old process continues.
std::expected<void, std::string> supervisor::begin_background() {
    for (auto& core : shared_.cores) core->begin_background();
    if (!restarted_) return {};
    for (auto& core : shared_.cores) core->ping();
    const auto begun = [this] {
        return signal_ || std::ranges::all_of(shared_.cores, [](auto& core) { return core->answered(); });
    };
    // Half of the deadline of the old process, so that the old process can report this reason.
    const auto now = clock::now();
    if (!wait_for(begun, now + (restart_deadline() - now) / 2))
        return std::unexpected("a background task blocks its core");
    if (signal_) return std::unexpected("stopped before it served");
    return {};
}

void supervisor::await_release() {
    release_due_ = restart_deadline() + std::chrono::nanoseconds(shared_.options.restart_trial.nanoseconds());
}

// The old process confirms that this process has taken over, after it has announced it to the service manager. The
// manager ignores earlier messages of this process.
void supervisor::check_predecessor() {
    if (!predecessor_) return;
    const auto next = predecessor_.look();
    if (next.released) return report_main_process();
    reload_requested_ = reload_requested_ || next.reload;
    if (next.stop && !signal_) {
        signal_ = next.stop;
        ++signals_seen_;
        stop_passed_on_ = true;  // a service manager sends the signal to all processes
    }
    if (!release_due_ || clock::now() < *release_due_) return;
    release_due_.reset();
    log::error("the old process still serves: stop it by SIGKILL if it does not respond",
               {"reason", "it did not leave the service to this process in time"}, {"old_process", getppid()});
}

void supervisor::leave_predecessor() {
    crashes_.shut_down_on_crash(-1);
    predecessor_.close();
}

// Announces this process as the one that serves: in the PID file, and to the service manager.
void supervisor::report_main_process() {
    release_due_.reset();
    for (auto& core : shared_.cores) core->own_listeners();
    administration_.own_listener();
    if (auto written = pid_file_.publish(); !written)
        log::error("restarted without a PID file", {"reason", written.error()});
    leave_predecessor();
    if (stale_store_) status_.remove_stored(stored_socket);
    if (!stored_.empty()) status_.store(stored_, stored_socket);
    status_.ready();
}

// Chooses the sockets for the service manager's descriptor store, if there is one, so that they stay open if this
// process is killed.
void supervisor::choose_stored_sockets() {
    std::vector<int> stored;
    for (auto& s : sockets_)
        if (s.name == own_socket || (stale_store_ && s.name == stored_socket)) stored.push_back(s.fd);
    if (stored.empty() || !status_.store_size()) return;
    if (sockets_.size() > status_.store_size())
        return log::warn("the sockets are not stored: FileDescriptorStoreMax is less than their number",
                         {"sockets", sockets_.size()}, {"max", status_.store_size()});
    stored_ = std::move(stored);
    for (auto& s : sockets_)
        if (s.name == own_socket) s.name = stored_socket;
    for (auto& core : shared_.cores) core->share_listeners();
}

// Reports to the service manager's watchdog if every core has run a posted call since the last report. So the reports
// stop if a core is blocked. Returns the milliseconds until the next call, or -1 if no call is needed before an event.
std::int64_t supervisor::report_life() {
    const std::uint64_t interval = status_.watchdog_interval();
    if (!interval || !serves_) return -1;
    const bool all = std::ranges::all_of(shared_.cores, [](auto& core) { return core->answered(); });
    if (!all) return -1;  // a core that answers wakes this thread
    const std::uint64_t now = watchdog::clock();
    if (std::exchange(pinged_, false)) status_.alive();
    if (now < next_ping_) return static_cast<std::int64_t>(next_ping_ - now);
    next_ping_ = now + interval;
    for (auto& core : shared_.cores) core->ping();
    pinged_ = true;
    return -1;
}

void supervisor::begin_restart(pid_t requested_by) {
    if (!serves_) return reject_restart(requested_by, "the server is starting or stopping");
    if (successor_ || predecessor_) return reject_restart(requested_by, "a restart is already in progress");
    requested_by_ = requested_by;
    reloaded_meanwhile_ = false;
    status_.reloading();
    if (restart_parent::needed() && !parent_) parent_.emplace();
    successor_.emplace(program_, starter_ ? &*starter_ : nullptr, sockets_, signals_.mask_before(),
                       parent_ ? parent_->address() : std::string(), restart_deadline());
    if (successor_->pid() > 0) log::info("restarting", {"new_process", successor_->pid()});
}

void supervisor::reject_restart(pid_t requested_by, const char* why) {
    log::warn("SIGUSR2 has no effect", {"reason", why});
    report_restart(requested_by, false, why);
}

void supervisor::check_successor() {
    if (!successor_) return;
    switch (successor_->look(clock::now())) {
        case successor::state::starting:
        case successor::state::taking_over: return;
        case successor::state::on_trial: return check_trial();
        case successor::state::failed: return fail_restart(successor_->failure());
        case successor::state::ready: return signal_ ? void() : let_serve();
        case successor::state::serving: return signal_ ? void() : hand_over();
    }
}

// Until the trial has passed, the new process accepts alone, and this process answers its own clients. If a signal has
// stopped the new process, this process accepts, and the new process finishes its requests. If the new process crashes,
// the kernel may still notify only its blocked cores, so this process accepts the backlog regularly.
void supervisor::check_trial() {
    if (std::exchange(reloaded_meanwhile_, false)) successor_->request_reload();
    set_accepting(successor_->has_stopped());
}

void supervisor::set_accepting(bool on) {
    if (!std::exchange(accepting_, on) && !on) return;
    for (auto& core : shared_.cores) core->set_accepting(on);
    administration_.set_accepting(on);
}

void supervisor::let_serve() {
    const auto& o = shared_.options;
    const auto nanoseconds = [](duration d) { return std::chrono::nanoseconds(d.nanoseconds()); };
    constexpr std::chrono::seconds teardown(2);
    successor_->let_serve({.start = nanoseconds(o.restart_deadline),
                           .trial = nanoseconds(o.restart_trial),
                           .stop = nanoseconds(o.readiness_grace) + nanoseconds(o.drain) + teardown});
}

void supervisor::fail_restart(const std::string& why) {
    log::error("restart failed; this process continues", {"reason", why});
    report_restart(requested_by_, false, why);
    set_accepting(true);  // the end of the new process may take seconds
    end_successor();
    set_accepting(true);  // connections that it has left in the backlog
    status_.ready();
}

// Waits for a new process that serves beside this one, and stops for the same signal. Returns its exit status.
int supervisor::await_successor() {
    const bool ended = wait_for([this] { return successor_->has_ended(); }, successor_->deadline());
    const int killed = signals_seen_ > 1 ? 128 + signal_ : static_cast<int>(cut_off);
    const int status = ended ? successor_->exit_status() : killed;
    end_successor();
    return status;
}

void supervisor::end_successor() {
    if (!successor_) return;
    const pid_t pid = successor_->pid();
    successor_.reset();  // kills the process
    if (pid > 0) pid_file_.discard_prepared_by(pid);
}

// The new process serves. Only this process, which the service manager knows, may announce the new main process. So the
// new process sends messages only after `release`.
void supervisor::hand_over() {
    const pid_t pid = successor_->pid();
    status_.set_main_process(pid);
    if (parent_) parent_->serves(pid);
    if (std::exchange(reloaded_meanwhile_, false)) successor_->request_reload();
    successor_->release();
    successor_.reset();
    handed_over_ = true;
    signals_seen_ = 1;  // the next signal ends the wait for requests
    log::info("restarted", {"new_process", pid});
    report_restart(requested_by_, true, "process " + std::to_string(pid) + " serves");
}

}  // namespace apus::server
