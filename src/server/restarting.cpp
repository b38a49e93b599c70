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
// this process accepts no connections, so that a failed restart has no effect on clients. Returns false on a signal or
// when the restart deadline passes.
bool supervisor::await_predecessor() {
    if (!predecessor_) return true;
    predecessor_.report_ready();
    const auto until = clock::now() + std::chrono::nanoseconds(shared_.options.restart_deadline.nanoseconds());
    return wait_for([this] { return signal_ || predecessor_.has_left(); }, until) && !signal_;
}

// Stores the sockets in the service manager's descriptor store, if there is one, so that they stay open if this process
// is killed.
void supervisor::store_sockets() {
    if (stale_store_) status_.remove_stored(stored_socket);
    std::vector<int> stored;
    for (auto& s : sockets_)
        if (s.name == own_socket || (stale_store_ && s.name == stored_socket)) stored.push_back(s.fd);
    if (stored.empty() || !status_.store_size()) return;
    if (sockets_.size() > status_.store_size())
        return log::warn("the sockets are not stored: FileDescriptorStoreMax is less than their number",
                         {"sockets", sockets_.size()}, {"max", status_.store_size()});
    status_.store(stored, stored_socket);
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
    if (successor_) return reject_restart(requested_by, "a restart is already in progress");
    requested_by_ = requested_by;
    status_.reloading();
    if (restart_parent::needed() && !parent_) parent_.emplace();
    const auto deadline = clock::now() + std::chrono::nanoseconds(shared_.options.restart_deadline.nanoseconds());
    successor_.emplace(program_, starter_ ? &*starter_ : nullptr, sockets_, signals_.mask_before(),
                       parent_ ? parent_->address() : std::string(), deadline);
    if (successor_->pid() > 0) log::info("restarting", {"new_process", successor_->pid()});
}

void supervisor::reject_restart(pid_t requested_by, const char* why) {
    log::warn("SIGUSR2 has no effect", {"reason", why});
    report_restart(requested_by, false, why);
}

void supervisor::check_successor() {
    if (!successor_) return;
    switch (successor_->look(clock::now())) {
        case successor::state::starting: return;
        case successor::state::failed: return fail_restart(successor_->failure());
        case successor::state::ready: return signal_ ? void() : hand_over();
    }
}

void supervisor::fail_restart(const std::string& why) {
    log::error("restart failed; this process continues", {"reason", why});
    report_restart(requested_by_, false, why);
    successor_.reset();
    status_.ready();
}

// Only this process, which the service manager knows, may announce the new main process. So MAINPID= is sent before the
// new process sends any message.
void supervisor::hand_over() {
    const pid_t pid = successor_->pid();
    status_.set_main_process(pid);
    if (parent_) parent_->serves(pid);
    successor_->let_serve();
    handed_over_ = true;
    signals_seen_ = 1;  // the next signal ends the wait for requests
    log::info("restarted", {"new_process", pid});
    report_restart(requested_by_, true, "process " + std::to_string(pid) + " serves");
}

}  // namespace apus::server
