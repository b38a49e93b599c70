// SPDX-License-Identifier: Apache-2.0
#include "outbound/pool.hpp"

#include "outbound/h2/connection.hpp"

#include <algorithm>

namespace apus::outbound {
namespace {

constexpr std::uint32_t max_tenths = 100;

}  // namespace

connection::connection(pool& p, origin& o, transport& t) noexcept
    : timer([](runtime::timer& self) noexcept {
          auto& c = static_cast<connection&>(self);
          c.of.drop(c);
      }),
      of(p),
      to(o),
      io(t) {}

void connection::on_event(transport&) noexcept { of.drop(*this); }

pool::pool(const client_options& o) : options(o), random(static_cast<unsigned>(runtime::coarse_clock().now())) {
    serve_.of = this;
    serve_.run = [](runtime::deferred& d) noexcept { static_cast<serving&>(d).of->serve_queue(); };
    run = [](runtime::loop_end& e) noexcept {
        auto& self = static_cast<pool&>(e);
        self.close_all();
        self.loop_ = nullptr;
        self.counts_ = nullptr;
    };
}

pool::~pool() {
    if (loop_) {
        close_all();
        runtime::loop::take_out(*this);
    }
}

runtime::loop& pool::loop() {
    if (!loop_) {
        loop_ = &runtime::loop::current();
        counts_ = &loop_->instruments().of(client_counts, {options.name});
        loop_->at_end(*this);
    }
    return *loop_;
}

runtime::instrument_group& pool::counts() {
    loop();
    return *counts_;
}

// Sets `open`, the number of connections.
void pool::count_open(std::uint64_t now) noexcept {
    count(connections_open, now - open);
    open = static_cast<std::uint32_t>(now);
}

void pool::close_all() noexcept {
    loop_->forget(serve_);
    while (close_oldest_idle()) {}
    close_shared();
}

origin& pool::origin_of(const std::string& name) {
    auto& o = origins_[name];
    if (o.name.empty()) o.name = name;
    return o;
}

// Removes an origin that is not in use, since the number of origins that a program contacts is not limited.
void pool::forget(origin& o) noexcept {
    if (o.open) return;
    for (auto* w : waiting_)
        if (w->to == &o) return;
    origins_.erase(origins_.find(o.name));
}

connection* pool::take_idle(origin& o, bool careful) noexcept {
    while (!o.idle.empty()) {
        connection* c = o.idle.back();
        if (!careful || !c->io.is_dead()) {
            o.idle.pop_back();
            loop_->timers().remove(*c);
            c->io.idle_watcher = nullptr;
            count(connections_idle, std::uint64_t{0} - 1);
            return c;
        }
        const origin_hold here(o);
        drop(*c);
    }
    return nullptr;
}

void pool::put_back(connection& c) noexcept {
    c.used = true;
    c.io.idle_watcher = &c;
    c.to.idle.push_back(&c);
    count(connections_idle);
    loop_->timers().add(c, loop_->due_in(options.idle));
    note_capacity();
}

void pool::drop(connection& c) noexcept {
    count(connections_idle, std::uint64_t{0} - std::erase(c.to.idle, &c));
    discard(c.to, &c);
}

void pool::discard(origin& o, connection* c) noexcept {
    if (c) {
        if (loop_) loop_->timers().remove(*c);
        c->io.close();
        delete c;
    }
    --o.open;
    count_open(open - 1);
    forget(o);
    note_capacity();
}

bool pool::close_oldest_idle() noexcept {
    connection* oldest = nullptr;
    h2::connection* shared = nullptr;
    std::uint64_t due = ~std::uint64_t{0};
    for (auto& [name, o] : origins_) {
        if (!o.idle.empty() && o.idle.front()->due < due) {
            oldest = o.idle.front();
            due = oldest->due;
        }
        for (auto* c : o.shared) {
            if (!c->idle() || c->idle_due() >= due) continue;
            shared = c;
            due = c->idle_due();
        }
    }
    if (shared && shared->idle_due() == due) shared->close();
    else if (oldest) drop(*oldest);
    return due != ~std::uint64_t{0};
}

bool pool::may_connect(origin& o) noexcept {
    if (o.open >= std::max(options.connections_per_origin, 1U)) return false;
    if (open < std::max(options.connections, 1U)) return true;
    const origin_hold here(o);
    return close_oldest_idle();
}

task<pool::lease> pool::acquire(std::string name, acquire_options how, std::uint64_t due) {
    loop();
    const std::uint64_t patience = std::min(due, loop_->due_in(options.queue));
    for (;;) {
        origin& o = origin_of(name);
        if (how.may_share && !how.fresh)
            if (h2::connection* c = take_shared(o, how.careful)) co_return lease(*this, o, *c);
        if (connection* c = how.fresh ? nullptr : take_idle(o, how.careful)) co_return lease(*this, o, c);
        // The caller needs a new connection: if the limit is reached, close an idle one.
        if (how.fresh && o.open >= options.connections_per_origin) close_idle(o);
        if (!awaits_dial(o, how.may_share) && may_connect(o)) {
            ++o.open;
            count_open(open + 1);
            count(connections_requested);
            o.dialing += how.may_share;
            co_return lease(*this, o, nullptr, how.may_share);
        }
        if (waiting_.size() >= options.waiting)
            co_await fail(503, "too many requests are waiting for upstream connections");
        request_waiting here{{}, &o, how.may_share};
        waiting_.push_back(&here);
        count(waits);
        count(requests_waiting);
        struct leaving {
            pool& of;
            request_waiting& who;
            std::uint64_t since;
            ~leaving() {
                of.count(requests_waiting, std::uint64_t{0} - 1);
                if (of.loop_) of.count(wait_time, of.loop_->io().clock().nanoseconds() - since);
                of.waiting_.remove(&who);
                of.forget(*who.to);
            }
        } leave{*this, here, loop_->io().clock().nanoseconds()};
        if (co_await here.at.until(patience) == wake::late)
            co_await fail(503, "all connections to the upstream server are in use");
    }
}

bool pool::close_idle(origin& o) noexcept {
    if (o.idle.empty()) return false;
    const origin_hold here(o);
    drop(*o.idle.front());
    return true;
}

bool pool::may_proceed(const request_waiting& w) noexcept {
    origin& o = *w.to;
    if (!o.idle.empty() || (w.may_share && find_shared(o))) return true;
    return !awaits_dial(o, w.may_share) && o.open < options.connections_per_origin &&
           (open < options.connections || may_connect(o));
}

// Resumes requests that can get a connection now, in order of arrival. A resumed request takes a connection, or waits
// again, before the next request is checked.
void pool::serve_queue() noexcept {
    const pool_hold here(*this);  // resumed tasks may release all other holds of the pool
    for (std::size_t n = waiting_.size(); n > 0 && !waiting_.empty(); --n) {
        request_waiting* w = waiting_.front();
        waiting_.pop_front();
        if (may_proceed(*w)) w->at.notify();
        else waiting_.push_back(w);
    }
}

bool pool::take_retry_credit() noexcept {
    if (tenths_ < 10) return false;
    tenths_ -= 10;
    return true;
}

void pool::add_retry_credit() noexcept { tenths_ = std::min(tenths_ + 1, max_tenths); }

}  // namespace apus::outbound
