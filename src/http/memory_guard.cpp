// SPDX-License-Identifier: Apache-2.0
#include "http/memory_guard.hpp"

#include "http/connection.hpp"
#include "http/problem.hpp"

#include <algorithm>
#include <new>
#include <ranges>
#include <utility>

#include <malloc.h>

namespace apus::http {
namespace {

using runtime::memory_pressure;

constexpr std::uint64_t kibi = 1024;
// Bytes over which a connection is not read from, by the pressure.
constexpr std::uint64_t held_most[] = {~std::uint64_t{0}, 64 * kibi, 16 * kibi, 8 * kibi};
constexpr std::uint64_t little = 2 * kibi;  // closing a connection that holds no more would free nothing
constexpr std::uint64_t interval = 100;     // milliseconds between two looks at the connections
constexpr std::uint64_t patience = 1000;    // milliseconds in which memory must become less by itself
constexpr std::uint64_t rest = 1000;        // milliseconds without pressure, before memory is given back

}  // namespace

memory_guard::memory_guard(core& of) noexcept : core_(of), memory_(of.loop.memory()) {
    change_.of = this;
    change_.run = [](runtime::deferred& d) noexcept { static_cast<changing&>(d).of->react(); };
    timer_.of = this;
    timer_.fire = [](runtime::timer& t) noexcept { static_cast<ticking&>(t).of->tick(); };
    memory_.notify({[](void* self) noexcept {
                        auto& guard = *static_cast<memory_guard*>(self);
                        guard.core_.loop.later(guard.change_);
                    },
                    this});
}

memory_guard::~memory_guard() {
    memory_.notify({});
    core_.loop.forget(change_);
    core_.loop.timers().remove(timer_);
}

response memory_guard::refusal() {
    response res = problem(503, "the server is short of memory");
    res.header("retry-after", "1");
    return res;
}

bool memory_guard::is_over(const connection& c) const noexcept {
    const auto at = std::to_underlying(memory_.pressure());
    return c.held() > held_most[at] && !(c.favoured() && memory_.pressure() != memory_pressure::cutting);
}

std::uint32_t memory_guard::core_second() const noexcept { return static_cast<std::uint32_t>(core_.loop.now() / 1000); }

// Within no connection's event, so that connections may be closed.
void memory_guard::react() noexcept {
    try {
        if (memory_.pressure() == memory_pressure::cutting) cut_to(memory_.allowance() / 4 * 3);
    } catch (const std::bad_alloc&) {
        holders_.clear();  // the next tick makes the list again
    }
    if (!timer_.waits()) {
        cut_due_ = core_.loop.now() + patience;
        used_before_ = memory_.used();
        const bool pressed = memory_.pressure() != memory_pressure::none;
        core_.loop.timers().add(timer_, core_.loop.now() + (pressed ? interval : rest));
    } else if (memory_.pressure() != memory_pressure::none && timer_.due > core_.loop.now() + interval) {
        core_.loop.timers().add(timer_, core_.loop.now() + interval);
    }
    review_all();
}

void memory_guard::tick() noexcept {
    memory_.retry();
    const std::uint64_t now = core_.loop.now();
    if (memory_.pressure() == memory_pressure::none) {
        // Until little is held, since what is freed later is to go back too.
        const bool first = !std::exchange(eased_, true);
        if (!first) give_back();
        if (first || memory_.used() > memory_.allowance() / 16) core_.loop.timers().add(timer_, now + rest);
        return;
    }
    eased_ = false;
    if (now >= trim_due_) trim_due_ = now + rest / 4, give_back();
    try {
        if (now >= cut_due_) {
            const bool eases = memory_.used() + memory_.allowance() / 64 < used_before_;
            if (!eases) cut_to(memory_.allowance() / 16 * 9);
            cut_due_ = now + patience;
            used_before_ = memory_.used();
        }
        choose_favoured();
    } catch (const std::bad_alloc&) {
        holders_.clear();
    }
    review_all();
    core_.loop.timers().add(timer_, now + interval);
}

// Those that may be closed, and would free something.
void memory_guard::collect(std::vector<victim>& to) {
    to.clear();
    for (connection* c = core_.first; c; c = c->next())
        if (!c->was_cut() && c->held() > little) to.push_back({c, c->held(), c->moved()});
}

// The fastest of those that are held back go on, as many as there is room for: so that uploads which
// fill the memory together end one after the other.
void memory_guard::choose_favoured() {
    collect(holders_);
    for (connection* c = core_.first; c; c = c->next()) c->forget_half_moved();
    std::ranges::sort(holders_, [](const victim& a, const victim& b) { return a.moved > b.moved; });
    const std::uint64_t most = memory_.allowance() / 16 * 15;
    std::uint64_t room = most > memory_.used() ? (most - memory_.used()) / 2 : 0;
    bool first = true;
    for (const victim& v : holders_) {
        const bool fits = first || v.held <= room;
        v.of->favour(fits && v.held > held_most[std::to_underlying(memory_pressure::refusing)]);
        if (!v.of->favoured()) continue;
        room -= std::min(room, v.held);
        first = false;
    }
}

// Closes connections until no more than `bytes` are held: first those that hold most for what they moved.
void memory_guard::cut_to(std::uint64_t bytes) {
    std::uint64_t leaving = 0;  // what was closed before is as good as free
    for (const connection* c = core_.first; c; c = c->next())
        if (c->was_cut()) leaving += c->held();
    std::uint64_t left = memory_.used() - std::min(memory_.used(), leaving);
    if (left <= bytes) return;
    collect(holders_);
    const auto worth = [](const victim& v) {
        return static_cast<double>(v.held) / static_cast<double>(v.moved + 4 * kibi);
    };
    std::ranges::sort(holders_, [&](const victim& a, const victim& b) { return worth(a) > worth(b); });
    std::uint64_t cut = 0;
    for (const victim& v : holders_) {
        if (left <= bytes) break;
        left -= std::min(left, v.held);
        v.of->mark_cut();
        v.of->abandon();
        ++cut;
    }
    core_.counts.memory_cuts += cut;
    if (cut && core_.watcher) core_.watcher->connections_cut(cut);
}

// Those that have waited longest go first, since they may use up what there is again. Requests that are let
// go on may change the list.
void memory_guard::review_all() noexcept {
    try {
        holders_.clear();
        for (connection* c = core_.first; c; c = c->next())
            if (!c->was_cut() && (c->held_back() || c->held() > held_most[3])) holders_.push_back({c, c->held(), 0});
    } catch (...) {
        return;  // as above
    }
    for (const victim& v : holders_ | std::views::reverse) {
        if (v.of->was_cut()) continue;
        v.of->review_input();
        if (v.of->held_back() && v.of->held() > v.held) v.of->go_last(core_);
    }
}

// glibc keeps freed memory that lies below memory in use; the system gets its pages back here.
void memory_guard::give_back() noexcept { malloc_trim(0); }

}  // namespace apus::http
