// SPDX-License-Identifier: Apache-2.0
#include "postgres/pool.hpp"

#include "base/reason.hpp"
#include "postgres/connector.hpp"
#include "postgres/pool_counts.hpp"
#include "sql/failure.hpp"

#include <algorithm>
#include <utility>

namespace apus::postgres {
namespace {

// PQcancel may wait for a server without limit, so these threads are not used to connect, and are not joined.
blocking_pool& cancelling_threads() {
    static auto* it = new blocking_pool(blocking_limits{.threads = 4, .queue = 256}, "postgres");
    return *it;
}

}  // namespace

pool::pool(std::shared_ptr<shared_state> s)
    : per_core(*s),
      shared_(std::move(s)),
      loop_(runtime::loop::current()),
      counts_(loop_.instruments().of(pool_counts, {shared_->name})),
      delay_(loop_, 20),
      threads_(std::make_unique<blocking_pool>(blocking_limits{.threads = 2, .queue = 256}, "postgres")) {
    retry_.of = cleaning_.of = this;
    retry_.fire = [](runtime::timer& t) noexcept { static_cast<retry_timer&>(t).of->dispatch(); };
    cleaning_.run = [](runtime::deferred& d) noexcept { static_cast<cleaning&>(d).of->clean_up(); };
}

pool::~pool() {
    leave_core();
    *stops_ = ended_ = true;
    tasks_.cancel();
    listening_.reset();
    shared_->open -= opening_ + static_cast<unsigned>(connections_.size());
    counts_.subtract(connections_idle, connections_.size());
    connections_.clear();
    wait_for_closing();
    fail_all(sql::unreachable("this process is shutting down"));
    count_waiting();
    loop_.timers().remove(retry_);
    loop_.forget(cleaning_);
}

void pool::set_timer(call& c) noexcept {
    std::uint64_t due = c.of.deadline;
    // While there is no connection, calls wait at most for `connect_timeout`.
    if (connections_.empty()) due = std::min(due, loop_.due_in(options().connect_timeout));
    if (due != UINT64_MAX) loop_.timers().add(c, due);
}

void pool::submit(call& c) {
    if (c.of.deadline <= loop_.now()) {
        c.failed =
            sql::make_error({.state = "57014", .message = "the deadline has passed", .statement = c.of.text.sql});
        return c.finish();
    }
    set_timer(c);
    if (c.in) return c.in->submit(c);
    if (waiting_.empty() && c.what != call::kind::lease) {
        connection* to = best();
        if (to) return open_beside(*to), to->submit(c);
    }
    if (waiting_.size() >= options().queue) {
        c.failed = sql::too_busy("database_options::queue is full");
        return c.finish();
    }
    repeat(c);
}

void pool::repeat(call& c) {
    c.in = nullptr;
    if (ended_) {
        c.failed = sql::unreachable("this process is shutting down");
        return c.finish();
    }
    waiting_.push_back(c);
    dispatch();
}

void pool::leave(call& c) noexcept {
    waiting_.remove(c);
    count_waiting();
}

void pool::count_waiting() noexcept {
    counts_.add(calls_waiting, waiting_.size() - waiting_counted_);
    waiting_counted_ = waiting_.size();
}

void pool::count_use(bool begins) noexcept {
    if (begins) ++used_;
    else --used_;
    counts_.subtract(begins ? connections_idle : connections_in_use);
    counts_.add(begins ? connections_in_use : connections_idle);
}

void pool::late(call& c) noexcept {
    const bool no_server = c.waits && connections_.empty() && loop_.now() < c.of.deadline;
    if (c.waits && !no_server && loop_.now() < c.of.deadline) return set_timer(c);
    if (c.waits) leave(c);
    if (no_server) c.failed = sql::unreachable(why_not_.empty() ? "timeout while connecting" : why_not_);
    else
        c.failed =
            sql::make_error({.state = "57014", .message = "the deadline has passed", .statement = c.of.text.sql});
    if (c.in) std::exchange(c.in, nullptr)->abandon(c);
    c.finish();
}

// If no connection is idle, a statement waits in any case. Then a connection that has unsent statements is preferred:
// one system call sends all of them, and they wake up one process of the server.
std::size_t pool::cost(const connection& c) const noexcept {
    const std::size_t load = c.load() + (c.slow(loop_.now()) ? deep : 0);
    return !joins(c) ? load : load > together ? load - together : 1;
}

connection* pool::best() noexcept {
    // The connection of the preceding statement was the best one, and would be found again.
    const bool again = joined_ && used_ == connections_.size() && takes(*joined_) && joins(*joined_);
    if (again && !joined_->slow(loop_.now())) return joined_;
    connection* found = nullptr;
    std::size_t least = SIZE_MAX;
    for (auto& c : connections_) {
        if (!takes(*c)) continue;
        const std::size_t now = cost(*c);
        if (now < least) found = c.get(), least = now;
        if (now == 0) break;  // idle
    }
    return joined_ = found;
}

connection* pool::free() noexcept {
    const auto found = std::ranges::find_if(connections_, [](const auto& c) { return c->idle(); });
    return found == connections_.end() ? nullptr : found->get();
}

// A call that waits for exclusive use of a connection blocks later calls. Otherwise, later calls could occupy all
// connections forever.
void pool::dispatch() {
    if (ended_) return;
    again_ = true;
    if (std::exchange(dispatching_, true)) return;
    while (std::exchange(again_, false)) {
        while (!waiting_.empty()) {
            call& c = waiting_.front();
            connection* to = c.what == call::kind::lease ? free() : best();
            if (!to) open_one();
            else open_beside(*to);
            if (!to) break;
            leave(c);
            if (c.what != call::kind::lease) {
                to->submit(c);
                continue;
            }
            to->lend(c);
            c.in = to;
            c.finish();
        }
    }
    dispatching_ = false;
    count_waiting();
}

bool pool::may_open() const noexcept {
    if (opening_ >= 4) return false;
    return (connections_.empty() && opening_ == 0) || shared_->open < shared_->most;
}

// Opens another connection if this one is busy, so that later statements need not wait for the work of this connection.
void pool::open_beside(const connection& one) {
    if (one.load() == 0 || opening_ != 0 || !may_open() || loop_.now() < not_before_) return;
    begin_to_open();
}

void pool::open_one() {
    // Opens at most one connection for each waiting call.
    if (!may_open() || opening_ >= waiting_.size()) return;
    if (loop_.now() < not_before_) {
        if (!retry_.waits()) loop_.timers().add(retry_, not_before_);
        return;
    }
    begin_to_open();
}

void pool::begin_to_open() {
    ++opening_;
    ++shared_->open;
    tasks_.spawn(connect_one());
}

task<pgconn_ptr> pool::connect_on_thread() {
    auto work = [s = shared_, stops = stops_] {
        return connect(s->url, s->options.connect_timeout.milliseconds(), *stops);
    };
    co_return co_await threads_->run(owning(std::move(work)));
}

listening& pool::notifications() {
    if (!listening_) listening_ = std::make_unique<listening>(*this);
    return *listening_;
}

task<> pool::connect_one() {
    auto made = co_await connect_on_thread().outcome();
    --opening_;
    if (made) {
        failures_ = 0;
        opened(*std::move(made));
    } else {
        --shared_->open;
        ++failures_;
        counts_.add(connections_failed);
        why_not_ = base::reason_of(made.error());
        not_before_ = loop_.now() + backoff(failures_);
    }
    dispatch();
}

void pool::opened(std::shared_ptr<PGconn> c) {
    connections_.push_back(std::make_unique<connection>(*this, std::move(c)));
    counts_.add(connections_opened);
    counts_.add(connections_idle);
    // While there is a connection, waiting calls fail only at their own deadlines.
    waiting_.each([&](call& w) {
        if (w.of.deadline != UINT64_MAX) loop_.timers().add(w, w.of.deadline);
        else loop_.timers().remove(w);
    });
}

void pool::clean_up_later() noexcept { loop_.later(cleaning_); }

void pool::clean_up() noexcept {
    const auto gone = std::erase_if(connections_, [](const auto& c) { return c->dead(); });
    joined_ = nullptr;
    shared_->open -= static_cast<unsigned>(gone);
    counts_.subtract(connections_idle, gone);
    counts_.add(connections_closed, gone);
    if (connections_.empty()) waiting_.each([&](call& c) { set_timer(c); });
    dispatch();
}

void pool::cancel(cancel_ptr request, connection& of) { (void)tasks_.try_spawn(send_cancel(std::move(request), &of)); }

task<> pool::send_cancel(cancel_ptr request, connection* of) {
    auto work = [request] {
        char why[256];
        return PQcancel(request.get(), why, sizeof why);
    };
    (void)co_await cancelling_threads().run(owning(std::move(work))).outcome();
    const bool there = std::ranges::any_of(connections_, [&](const auto& c) { return c.get() == of; });
    if (there) of->cancel_sent();
}

void pool::fail_all(const error& why) {
    while (!waiting_.empty()) {
        call& c = waiting_.front();
        leave(c);
        c.failed = why;
        c.finish();
    }
}

}  // namespace apus::postgres
