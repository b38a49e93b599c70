// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"

#include <algorithm>
#include <cassert>
#include <ctime>
#include <utility>

namespace apus::runtime {
namespace {

thread_local loop* of_this_thread = nullptr;

}  // namespace

loop::loop(std::unique_ptr<backend> io) : io_(std::move(io)), timers_(io_->clock().now()) {
    assert(!of_this_thread);
    of_this_thread = this;
    activity::of_thread = &doing();
    io_->buffers().count_in(memory_);
}

loop::~loop() {
    if (of_this_thread == this) settle();
    inbox_.drain();
    of_this_thread = nullptr;
    activity::of_thread = nullptr;
}

loop& loop::current() noexcept {
    assert(of_this_thread);
    return *of_this_thread;
}
bool loop::exists() noexcept { return of_this_thread != nullptr; }

void loop::post(posted_call& l) noexcept {
    // Copied before the call is posted, because the loop may then be destroyed at any time.
    auto wake_up = io_->wake_up();
    if (inbox_.post(l)) wake_up->signal();
}

void loop::later(deferred& d) noexcept {
    if (d.waits()) return;
    ++deferred_calls_;
    d.next = nullptr;
    d.at = last_;
    *last_ = &d;
    last_ = &d.next;
}

void loop::forget(deferred& d) noexcept {
    if (!d.waits()) return;
    deferred_calls_.set(deferred_calls_ - 1);
    *d.at = d.next;
    (d.next ? d.next->at : last_) = d.at;
    d.at = nullptr;
}

void loop::at_end(loop_end& e) noexcept {
    e.next = ends_;
    e.at = &ends_;
    if (ends_) ends_->at = &e.next;
    ends_ = &e;
}

void loop::take_out(loop_end& e) noexcept {
    if (!e.at) return;
    *e.at = e.next;
    if (e.next) e.next->at = e.at;
    e.at = nullptr;
}

void loop::settle() noexcept {
    while (loop_end* e = ends_) {
        take_out(*e);
        e->run(*e);
    }
    while (io_->leaving()) io_->turn(0);
}

void loop::run_deferred() noexcept {
    // Also runs calls that are deferred by these calls, up to the limit per turn.
    for (; first_ && calls_left_ != 0; --calls_left_) {
        deferred& d = *first_;
        forget(d);
        d.run(d);
    }
}

// After a long turn, or a long wait for a CPU, deadlines may have expired for input that arrived in time, but is not
// received yet. So late timers are postponed by one turn, which receives this input.
void loop::fire_timers() noexcept {
    constexpr std::uint64_t late = 50;  // milliseconds
    const std::uint64_t now = io_->clock().now();
    const auto due = timers_.next_due();
    if (due && now > *due + late && !std::exchange(waited_for_input_, true)) return;
    waited_for_input_ = false;
    timers_.advance(now);
}

std::int64_t loop::wait_for(std::int64_t longest) {
    if (auto due = timers_.next_due()) {
        auto now = io_->clock().now();
        auto until = *due > now ? static_cast<std::int64_t>(*due - now) : 0;
        longest = longest < 0 ? until : std::min(longest, until);
    }
    // `sleep` must be the last call: from then on, senders wake this thread.
    return longest != 0 && inbox_.sleep() ? longest : 0;
}

void loop::turn(std::int64_t longest_wait) {
    // `flush_queues` may resume a task that defers a call or sets a timer. So both steps are repeated before the wait
    // is computed.
    bool idle = false;
    do {
        run_deferred();
        idle = io_->flush_queues();
    } while (first_ && calls_left_ != 0);
    if (first_) ++postponing_turns_;
    // These steps may also have stopped the loop, and then there may be nothing that ends a wait.
    const std::int64_t wait = idle && !first_ && !stopped_ ? wait_for(longest_wait) : 0;
    if (wait != 0) doing().sleeps();
    io_->turn(wait);
    calls_left_ = calls_per_turn;
    fire_timers();
    inbox_.drain();
    run_deferred();
}

void loop::run() {
    while (!stopped_) turn();
}

std::int64_t unix_seconds() noexcept {
    return of_this_thread ? of_this_thread->io().clock().unix_seconds() : std::time(nullptr);
}

}  // namespace apus::runtime
