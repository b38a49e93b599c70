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
// Bytes of memory, by memory pressure. Reading from a connection that holds more is suspended.
constexpr std::uint64_t max_held[] = {~std::uint64_t{0}, 64 * kibi, 16 * kibi, 8 * kibi};
constexpr std::uint64_t little = 2 * kibi;          // bytes; a connection that holds at most this is not evicted
constexpr std::uint64_t max_modest = 128 * kibi;    // connections up to this size may cause the eviction of others
constexpr std::size_t max_evictions_per_turn = 32;  // connections closed in one event loop iteration
constexpr std::uint64_t interval = 100;             // milliseconds between two reviews of the connections
constexpr std::uint64_t short_interval = 10;        // milliseconds between two looks at the resident memory
constexpr std::uint64_t patience = 1000;            // milliseconds within which memory use must fall
constexpr std::uint64_t rest = 1000;                // milliseconds without pressure until memory is trimmed

}  // namespace

memory_guard::memory_guard(core& of) noexcept : core_(of), memory_(of.loop.memory()), uncounted_(resident_.bytes()) {
    change_.of = this;
    change_.run = [](runtime::deferred& d) noexcept { static_cast<deferred_review&>(d).of->react(); };
    timer_.of = this;
    timer_.fire = [](runtime::timer& t) noexcept { static_cast<tick_timer&>(t).of->tick(); };
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
    return c.held() > max_held[at] + c.idle_memory() && !(c.exempt() && memory_.pressure() != memory_pressure::cutting);
}

std::uint32_t memory_guard::core_second() const noexcept { return static_cast<std::uint32_t>(core_.loop.now() / 1000); }

// The loop calls this function outside the events of connections, so this function may close connections.
void memory_guard::react() noexcept {
    try {
        if (memory_.pressure() == memory_pressure::cutting) evict_to(memory_.allowance() / 4 * 3);
    } catch (const std::bad_alloc&) {
        victims_.clear();  // the next tick builds the list again
    }
    if (!timer_.waits()) {
        evict_due_ = core_.loop.now() + patience;
        used_before_ = memory_.used();
        const bool pressed = memory_.pressure() != memory_pressure::none;
        look_due_ = core_.loop.now() + interval;
        core_.loop.timers().add(timer_, core_.loop.now() + (pressed ? short_interval : rest));
    } else if (memory_.pressure() != memory_pressure::none && timer_.due > core_.loop.now() + interval) {
        look_due_ = core_.loop.now() + interval;
        core_.loop.timers().add(timer_, core_.loop.now() + short_interval);
    }
    review_all();
}

void memory_guard::tick() noexcept {
    memory_.retry();
    const std::uint64_t now = core_.loop.now();
    if (memory_.pressure() != memory_pressure::none && (now >= trim_due_ || is_fragmented())) trim();
    if (now < look_due_) return continue_eviction();
    look_due_ = now + interval;
    if (memory_.pressure() == memory_pressure::none) {
        // The timer continues until memory use is small, so that memory freed later is also returned to the system.
        evicting_to_ = 0;
        const bool first = !std::exchange(was_without_pressure_, true);
        if (!first) trim();
        if (first || memory_.used() > memory_.allowance() / 16) core_.loop.timers().add(timer_, now + rest);
        return;
    }
    was_without_pressure_ = false;
    try {
        if (now >= evict_due_) {
            const bool eases = memory_.used() + memory_.allowance() / 64 < used_before_;
            if (!eases) evict_to(memory_.allowance() / 16 * 9);
            evict_due_ = now + patience;
            used_before_ = memory_.used();
        }
        choose_exempt();
    } catch (const std::bad_alloc&) {
        victims_.clear();
    }
    review_all();
    wait_for_tick();
}

// Continues an eviction that takes several event loop iterations: closes further connections.
void memory_guard::continue_eviction() noexcept {
    try {
        if (evicting_to_) evict_to(memory_.pressure() == memory_pressure::none ? memory_.used() : evicting_to_);
    } catch (const std::bad_alloc&) {
        victims_.clear();
    }
    wait_for_tick();
}

// Starts the timer, unless it runs. An eviction in progress continues after 1 ms.
void memory_guard::wait_for_tick() noexcept {
    if (timer_.waits()) return;
    const std::uint64_t now = core_.loop.now();
    core_.loop.timers().add(timer_, evicting_to_ ? now + 1 : std::min(look_due_, now + short_interval));
}

// Returns true if this connection holds more memory per transferred byte than the other.
bool memory_guard::victim::is_worse_than(const victim& other) const noexcept {
    return held * (other.traffic + 4 * kibi) > other.held * (traffic + 4 * kibi);
}

// Collects the connections whose eviction would free memory.
void memory_guard::collect(std::vector<victim>& to) {
    to.clear();
    for (connection* c = core_.first; c; c = c->next())
        if (!c->was_evicted() && c->held() > little) to.push_back({c, c->held(), c->traffic()});
}

// Exempts the fastest throttled connections from throttling, as many as fit into the free memory. If all uploads
// together need more memory than is free, they then complete one after the other. Connections that hold little memory
// are exempt as long as they make progress.
void memory_guard::choose_exempt() {
    collect(victims_);
    for (connection* c = core_.first; c; c = c->next()) c->halve_traffic();
    std::ranges::sort(victims_, [](const victim& a, const victim& b) { return a.traffic > b.traffic; });
    const std::uint64_t most = memory_.allowance() / 16 * 15;
    std::uint64_t room = most > memory_.used() ? (most - memory_.used()) / 2 : 0;
    bool first = true;
    for (const victim& v : victims_) {
        const bool moves = v.held <= max_modest && v.traffic >= v.held / 2;
        const bool fits = first || v.held <= room;
        v.of->set_exempt(moves || (fits && v.held > max_held[std::to_underlying(memory_pressure::refusing)]));
        if (!v.of->exempt() || moves) continue;
        room -= std::min(room, v.held);
        first = false;
    }
}

// Evicts other connections in favor of a small request, which many slow connections would otherwise block. Frees a
// sixteenth of the memory at once, so that evictions are rare. The connection of the request is then exempt from
// throttling.
bool memory_guard::makes_room(connection& c, std::uint64_t bytes) noexcept {
    const std::uint64_t part = memory_.allowance() / 16;
    const bool modest = bytes <= modest_request && c.held() + bytes <= max_modest;
    if (!modest || exhausted()) return memory_.pressure() < memory_pressure::refusing;
    try {
        if (retained() + bytes > part * 14) evict_to(part * 13, &c);
    } catch (const std::bad_alloc&) {
        return false;
    }
    if (retained() + bytes > part * (evicting_to_ ? 16 : 14)) return false;
    c.set_exempt(true);
    return true;
}

// A new connection needs little memory at first. It is accepted as long as the memory in use exceeds the allowance by
// less than a sixteenth, or while an eviction is in progress.
bool memory_guard::accepts_connection() noexcept {
    const std::uint64_t most = memory_.allowance() / 16 * 17;
    if (retained() < most || evicting_to_) return true;
    // Evicts at most once per millisecond, because the search for victims takes longer than accepting a connection.
    if (std::exchange(last_eviction_, core_.loop.now()) == core_.loop.now()) return false;
    try {
        evict_to(memory_.allowance() / 4 * 3);
    } catch (const std::bad_alloc&) {
        return false;
    }
    return retained() < most || evicting_to_;
}

// Closes connections until at most `bytes` of memory are in use. Connections with the most memory per transferred byte
// are closed first. The kernel takes 0.2 ms to close a socket with much data, so a large eviction takes several event
// loop iterations.
void memory_guard::evict_to(std::uint64_t bytes, const connection* spared) {
    std::uint64_t left = retained();  // without the memory of connections that are being closed
    evicting_to_ = 0;
    if (left <= bytes) return;
    collect(victims_);
    const auto first = victims_.begin();
    const auto end = first + static_cast<std::ptrdiff_t>(std::min(victims_.size(), max_evictions_per_turn));
    std::partial_sort(first, end, victims_.end(), [](const victim& a, const victim& b) { return a.is_worse_than(b); });
    std::uint64_t evicted = 0;
    for (const victim& v : std::ranges::subrange(first, end)) {
        if (left <= bytes) break;
        if (v.of == spared) continue;
        left -= std::min(left, v.held);
        add_evicted(v.of->held());
        v.of->mark_evicted();
        v.of->abandon();
        ++evicted;
    }
    core_.counts.memory_cuts += evicted;
    if (left > bytes && end != victims_.end()) {
        evicting_to_ = bytes;
        core_.loop.timers().add(timer_, core_.loop.now() + 1);
    }
    if (evicted && core_.watcher) core_.watcher->connections_evicted(evicted);
}

// Resumes connections in the order in which they were throttled, because resumed connections may use up the memory.
// Iterates over a copy of the list, because resumed requests may change the list.
void memory_guard::review_all() noexcept {
    try {
        reviewed_.clear();
        for (connection* c = core_.first; c; c = c->next())
            if (!c->was_evicted() && (c->throttled() || c->held() > max_held[3]))
                reviewed_.push_back({c, c->held(), 0});
    } catch (...) {
        return;  // no memory for the copy; the next tick tries again
    }
    for (const victim& v : reviewed_ | std::views::reverse) {
        if (v.of->was_evicted()) continue;
        v.of->review_input();
        if (v.of->throttled() && v.of->held() > v.held) v.of->move_to_back(core_);
    }
}

// Returns true if the process occupies much more memory than is in use. This happens while many buffers grow: glibc
// keeps the blocks of their former sizes.
bool memory_guard::is_fragmented() const noexcept {
    return core_.loop.now() >= trim_from_ &&
           resident_.bytes() > uncounted_ + memory_.used() + memory_.most_fragmentation();
}

// Returns freed pages to the system. glibc keeps them if memory at higher addresses is in use. `malloc_trim` is slow
// for a large heap, so it is called for at most a twentieth of the core's time, or a fifth if the heap is fragmented.
void memory_guard::trim() noexcept {
    const std::uint64_t begun = core::nanoseconds();
    malloc_trim(0);
    const std::uint64_t took = (core::nanoseconds() - begun) / 1'000'000;
    trim_due_ = core_.loop.now() + std::max(rest / 4, 20 * took);
    trim_from_ = core_.loop.now() + std::max(short_interval, 5 * took);
    const std::uint64_t resident = resident_.bytes(), other = resident - std::min(resident, memory_.used());
    uncounted_ = memory_.pressure() == memory_pressure::none ? other : std::max(uncounted_, other);
}

}  // namespace apus::http
