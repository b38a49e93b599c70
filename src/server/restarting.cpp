// SPDX-License-Identifier: Apache-2.0
#include "server/restart_report.hpp"
#include "server/supervisor.hpp"

#include <apus/log.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

// Restarts, and the service manager: the parts of the supervisor that concern other processes.

namespace apus::server {

// This process is ready to serve; the old one decides whether it does. Until then nothing is accepted, so that a
// restart that fails has no effect on clients. Returns false on a signal.
bool supervisor::await_predecessor() {
    if (!predecessor_) return true;
    predecessor_.report_ready();
    const auto until = clock::now() + std::chrono::nanoseconds(shared_.options.restart_deadline.nanoseconds());
    return wait_for([this] { return signal_ || predecessor_.has_left(); }, until) && !signal_;
}

// Stores the sockets in the service manager, if it stores descriptors, so that they outlive a killed process.
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

// Reports to the service manager's watchdog that all cores turn: each has run a posted call since the last report. So a
// core that hangs stops the reports. Returns the milliseconds until the next call, or -1.
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

// The manager learns of its new main process from this one, which it knows. Only then may the new one report.
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
