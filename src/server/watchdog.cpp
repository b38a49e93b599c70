// SPDX-License-Identifier: Apache-2.0
#include "server/watchdog.hpp"

#include "server/request_summary.hpp"

#include <apus/log.hpp>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <string_view>
#include <utility>

namespace apus::server {
namespace {

#ifdef NDEBUG
constexpr bool always_with_stack = false;
#else
constexpr bool always_with_stack = true;
#endif

// Log fields of a loop's current request, copied while the loop cannot destroy the request.
struct copied_request {
    std::string method, target, route, id;
};
copied_request request_of(runtime::activity& doing) {
    const runtime::inspection looks(doing);
    const auto r = request_summary::of(looks.request());
    return {std::string(r.method), std::string(r.target), std::string(r.route), std::string(r.id)};
}

}  // namespace

watchdog::watchdog(duration limit, bool with_stack)
    : limit_(static_cast<std::uint64_t>(std::max(limit.milliseconds(), std::int64_t{0}))) {
    if (limit_ && (with_stack || always_with_stack)) stacks_.emplace();
}

void watchdog::watch(runtime::activity& doing, pthread_t thread) { loops_.push_back({&doing, thread}); }

std::uint64_t watchdog::clock() noexcept {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1000 + static_cast<std::uint64_t>(t.tv_nsec) / 1'000'000;
}

int watchdog::look(std::uint64_t now) {
    constexpr std::uint64_t blocked_step = 20;
    if (!limit_ || loops_.empty()) return -1;
    const auto again_in = [&](std::uint64_t milliseconds) {
        due_ = now + milliseconds;
        return static_cast<int>(milliseconds);
    };
    const bool rung = armed_ && std::ranges::any_of(loops_, [](auto& each) {
                          return !each.doing->alarm.load(std::memory_order_relaxed);
                      });
    if (rung) {
        armed_ = false;
        return again_in(limit_);
    }
    if (now < due_) return static_cast<int>(due_ - now);
    longest_wait_ = wait_per_look;
    bool idle = true, blocked = false;
    std::uint64_t next = limit_;
    for (auto& each : loops_) {
        const std::uint64_t since = each.doing->busy_since.load(std::memory_order_relaxed);
        look_at(each, now, since);
        idle = idle && since == 0;
        blocked = blocked || each.reported;
        if (since != 0 && since + limit_ > now) next = std::min(next, since + limit_ - now);
    }
    if (blocked) next = std::min(next, blocked_step);
    if (!idle || blocked) {
        armed_ = false;
        return again_in(next);
    }
    // A loop that wakes up now may miss the alarm; the next check finds that the loop is busy.
    if (std::exchange(armed_, true)) return -1;
    for (auto& each : loops_) each.doing->alarm.store(&wakeup_, std::memory_order_release);
    return again_in(limit_);
}

void watchdog::look_at(watched& w, std::uint64_t now, std::uint64_t since) {
    if (w.reported && since != w.reported) {
        const std::uint64_t ended = since ? since : now, milliseconds = ended - std::exchange(w.reported, 0);
        count(w, milliseconds);
        log::warn("the core is no longer blocked", {"core", static_cast<std::uint64_t>(&w - loops_.data())},
                  {"ms", milliseconds}, optional_field("route", w.route));
    }
    if (w.reported) return count(w, now - since);
    if (since == 0 || now < since + limit_) return;
    w.reported = since;
    w.counted = 0;
    report(w, "the core is blocked", now - since);
    count(w, now - since);
}

// Adds the time since the last call, so that the totals contain loops that are still blocked.
void watchdog::count(watched& w, std::uint64_t milliseconds) {
    if (!totals_ || milliseconds <= w.counted) return;
    const bool first = w.counted == 0;
    const std::uint64_t more = milliseconds - std::exchange(w.counted, milliseconds);
    totals_->add(w.stack, w.route, {first ? 1 : 0, static_cast<std::int64_t>(more)});
}

void watchdog::report(watched& w, const char* message, std::uint64_t milliseconds) {
    const auto r = request_of(*w.doing);
    w.stack.clear();
    if (stacks_) std::ranges::copy(stacks_->of(w.thread, longest_wait_), std::back_inserter(w.stack));
    const std::string stack = text_of_stack(w.stack);
    w.route = r.route;
    log::warn(message, {"core", static_cast<std::uint64_t>(&w - loops_.data())}, {"ms", milliseconds},
              optional_field("method", r.method), optional_field("target", r.target), optional_field("route", r.route),
              optional_field("request_id", r.id), optional_field("stack", stack));
}

void watchdog::report_blocking_request(unsigned number, const char* message) {
    auto& w = loops_[number];
    longest_wait_ = wait_per_look;
    report(w, message, w.doing->busy_time(clock()));
}

}  // namespace apus::server
