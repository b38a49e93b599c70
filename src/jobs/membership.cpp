// SPDX-License-Identifier: Apache-2.0
#include "jobs/membership.hpp"

#include "crypto/random.hpp"

#include <apus/log.hpp>
#include <apus/when_any.hpp>

#include <algorithm>

#include <unistd.h>

namespace apus::jobs {
namespace {

std::uint64_t loop_now() noexcept { return runtime::loop::current().now(); }

// Returns a unique id. It contains host name and process id, which identify the process for operators.
std::string new_worker_id() {
    char host[64] = "host";
    (void)gethostname(host, sizeof host - 1);
    std::string id;
    for (const char* c = host; *c && id.size() < 40; ++c) id += *c > ' ' && *c < 127 ? *c : '-';
    return id + ":" + std::to_string(getpid()) + ":" + crypto::random_hex(8);
}

// Ends at `until` without an error, so that `when_any` cancels a statement that hangs.
task<> wait_until(wake_signal& never, std::uint64_t until) { co_await never.wait(until); }

}  // namespace

std::vector<worker_row> beat_observer::dead(const std::vector<worker_row>& rows, std::uint64_t now) {
    if (now - last_read_ >= lease_) known_.clear();
    last_read_ = now;
    std::map<std::string, seen> next;
    std::vector<worker_row> found;
    for (const auto& row : rows) {
        const auto at = known_.find(row.id);
        const bool same = at != known_.end() && at->second.beat == row.beat;
        const std::uint64_t since = same ? at->second.since : now;
        next[row.id] = {row.beat, since};
        if (now - since >= lease_) found.push_back(row);
    }
    known_ = std::move(next);
    return found;
}

membership::membership(const store& in, std::list<detail::attempt>& running, const duration& lease)
    : store_(in),
      running_(running),
      lease_(static_cast<std::uint64_t>(lease.milliseconds())),
      others_(static_cast<std::uint64_t>(lease.milliseconds())) {}

task<> membership::join() {
    const std::string id = new_worker_id();
    const std::uint64_t now = loop_now();
    co_await store_.enlist(id);
    id_ = id;
    renewed_ = now;
}

task<> membership::leave() {
    left_ = true;
    if (!id_.empty()) co_await store_.leave(std::exchange(id_, {}));
}

bool membership::is_valid() const noexcept { return !id_.empty() && loop_now() < renewed_ + 2 * lease_ / 3; }

void membership::lose(const char* why) noexcept {
    const auto ended = [](const detail::attempt& a) { return a.ended_by() != detail::attempt_end::none; };
    if (std::ranges::all_of(running_, ended)) return;
    log::error("this node has lost its jobs", {"reason", why}, {"queue", store_.queue()}, {"jobs", running_.size()});
    for (auto& each : running_) each.end(detail::attempt_end::lease_lost);
}

// The lease is counted from the start of the statement, so it expires on this node before it expires for other nodes.
task<> membership::renew() {
    const std::uint64_t now = loop_now();
    if (left_) co_return;
    if (id_.empty()) co_return co_await join();
    if (co_await store_.beat(id_)) {
        renewed_ = now;
        co_return;
    }
    lose("another node saw no heartbeats of this node and has expelled it");
    id_.clear();
    co_await join();
}

task<> membership::rescue() {
    for (const auto& one : others_.dead(co_await store_.workers(), loop_now()))
        if (one.id != id_ && co_await store_.expel(one))
            log::warn("expelled a node without heartbeats", {"worker", one.id}, {"queue", store_.queue()});
    const auto count = co_await store_.rescue("the node that ran the attempt has ended or was unreachable\n");
    if (count != 0) log::warn("returned jobs of expelled nodes", {"jobs", count}, {"queue", store_.queue()});
}

task<> membership::end_cancelled() {
    if (id_.empty() || running_.empty()) co_return;
    for (const std::int64_t id : co_await store_.cancelled(id_))
        for (auto& each : running_)
            if (each.job().id == id) each.end(detail::attempt_end::cancelled);
}

// Ends all attempts if the lease has expired because the machine was suspended or the database was unreachable. The
// attempts end before other nodes take the jobs.
void membership::check_lease() noexcept {
    if (!is_valid()) lose("the lease was not renewed in time");
}

task<> membership::beat_and_rescue() {
    wake_signal never;
    const std::uint64_t begun = loop_now();
    // Other nodes take the jobs after the whole lease, so attempts have a third of the lease to end.
    const std::uint64_t last = std::max(renewed_ + 2 * lease_ / 3, begun + lease_ / 3);
    const auto renewed = co_await when_any(renew(), wait_until(never, last)).outcome();
    if (!renewed)
        log::error("cannot renew the lease of jobs", {"queue", store_.queue()}, {"reason", renewed.error().detail()},
                   {"cause", renewed.error().cause()});
    check_lease();
    if (!is_valid()) co_return;
    const auto done = co_await when_any(rescue(), wait_until(never, loop_now() + lease_ / 3)).outcome();
    if (!done)
        log::error("cannot look for dead nodes", {"reason", done.error().detail()}, {"cause", done.error().cause()});
}

task<> membership::run() {
    wake_signal never;
    const std::uint64_t step = std::max<std::uint64_t>(lease_ / 3, 1);
    std::uint64_t next_beat = loop_now() + step;
    while (true) {
        co_await wake_.wait(next_beat);
        if (loop_now() >= next_beat) {
            check_lease();
            co_await beat_and_rescue();
            next_beat = loop_now() + (is_valid() ? step : std::max<std::uint64_t>(step / 4, 1));
        }
        (void)co_await when_any(end_cancelled(), wait_until(never, loop_now() + step)).outcome();
    }
}

}  // namespace apus::jobs
