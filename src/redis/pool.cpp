// SPDX-License-Identifier: Apache-2.0
#include "redis/pool.hpp"

#include "base/reason.hpp"
#include "codec/resp/command.hpp"
#include "redis/failure.hpp"

#include <algorithm>
#include <utility>

namespace apus::redis {
namespace {

constexpr std::string_view stops = "the server stops";

// A transaction that Redis has discarded ends with EXECABORT.
std::string_view last_reply(const call& c) { return reply_at(c.received, c.ends, c.ends.size() - 1); }

// Returns whether a server that is a replica has refused one of the commands.
bool is_refused_by_replica(const call& c) {
    for (std::size_t i = 0; i < c.ends.size(); ++i)
        if (reply_at(c.received, c.ends, i).starts_with("-READONLY")) return true;
    const std::string_view last = last_reply(c);
    return last.starts_with("-EXECABORT") && last.contains(" READONLY ");
}

// Returns whether none of the commands was executed, if one of them was refused.
bool is_all_or_nothing(const call& c) {
    return c.expected == 1 || (c.name == "MULTI" && last_reply(c).starts_with("-EXECABORT"));
}

}  // namespace

lease::~lease() {
    if (of) of->give_back(*this);
}

pool::pool(std::shared_ptr<const shared_state> s)
    : per_core(*s),
      state_(std::move(s)),
      loop_(runtime::loop::current()),
      counts_(loop_.instruments().of(command_counts, {state_->name})),
      delay_(loop_, 10) {
    retry_.of = retirement_.of = recheck_.of = this;
    cleaning_.of = this;
    retry_.fire = [](runtime::timer& t) noexcept { static_cast<retry_timer&>(t).of->dispatch(); };
    retirement_.fire = [](runtime::timer& t) noexcept { static_cast<retry_timer&>(t).of->close_retired(); };
    recheck_.fire = [](runtime::timer& t) noexcept { static_cast<retry_timer&>(t).of->check_primary_again(); };
    cleaning_.run = [](runtime::deferred& d) noexcept { static_cast<cleaning&>(d).of->clean_up(); };
    if (const auto& o = options().cache; o.bytes != 0) {
        cache_ = std::make_unique<reply_cache>(o.bytes);
        cached_counts_ = &loop_.instruments().of(cache_counts, {state_->name});
    }
    if (state_->to.kind == topology::cluster) nodes_ = std::make_unique<cluster>(*this);
    if (state_->to.kind == topology::sentinel) static_cast<void>(spawn(watch_primary()));
}

pool::~pool() {
    leave_core();
    ended_ = true;
    tasks_.cancel();
    cleanups_.cancel();
    subscriber_.reset();
    main_.reset();
    retired_.clear();
    idle_.clear();
    for (lease* one : leases_) {
        one->on.reset();
        one->of = nullptr;
    }
    fail_waiting(stops);
    forget_replies();
    loop_.timers().remove(retry_);
    loop_.timers().remove(retirement_);
    loop_.timers().remove(recheck_);
    loop_.forget(cleaning_);
}

// While there is no connection, calls wait at most for `connect_timeout`.
void pool::set_timer(call& c) noexcept {
    const std::uint64_t due =
        is_connected() || c.bound ? c.deadline : std::min(c.deadline, after(options().connect_timeout));
    loop_.timers().add(c, due);
}

void pool::submit(call& c) {
    if (calls_ >= options().queue) {
        c.failed = too_busy("over redis::client_options::queue");
        return c.finish();
    }
    c.counted = true;
    ++calls_;
    if (c.deadline <= loop_.now()) {
        c.failed = redis::late(c.name);
        return c.finish();
    }
    set_timer(c);
    if (c.bound) {
        if (c.in && !c.in->dead()) return c.in->submit(c);
        c.in = nullptr;
        c.failed = unreachable("the reserved connection was lost");
        return c.finish();
    }
    // Detects a silent connection even if no call reaches its deadline, since callers may cancel their tasks before the
    // deadline.
    const auto longest = static_cast<std::uint64_t>(options().command_timeout.milliseconds());
    if (is_connected() && main_->silent_for(longest)) main_->lost("Redis does not respond");
    if (waiting_.empty() && is_connected() && main_->accepts()) return main_->submit(c);
    wait(c);
    dispatch();
}

void pool::wait(call& c) {
    waiting_.push_back(&c);
    c.waits = std::prev(waiting_.end());
    count_waiting();
}

void pool::count_waiting() noexcept {
    counts_.add(commands_waiting, waiting_.size() - waiting_counted_);
    waiting_counted_ = waiting_.size();
}

void pool::fail_waiting(std::string_view why) {
    while (!waiting_.empty()) {
        waiting_.front()->failed = unreachable(why);
        waiting_.front()->unreached = true;
        waiting_.front()->finish();
    }
}

void pool::leave(call& c) noexcept {
    if (c.waits) waiting_.erase(*c.waits), c.waits.reset();
    count_waiting();
    calls_ -= std::exchange(c.counted, false) ? 1 : 0;
}

void pool::late(call& c) noexcept {
    const bool early = loop_.now() < c.deadline;
    if (c.waits && is_connected() && early) return loop_.timers().add(c, c.deadline);
    if (c.waits && !is_connected()) {
        c.failed = unreachable(why_not_.empty() ? "timeout while connecting" : why_not_);
        c.unreached = true;
    } else c.failed = redis::late(c.name);
    connection* const in = std::exchange(c.in, nullptr);
    c.finish();
    if (!in) return;
    in->abandon(c);
    // Redis has sent nothing since this command was sent, so later commands would not get replies either.
    if (in->heard() <= c.sent_at) in->lost("Redis does not respond");
}

void pool::interrupted(call& c, const std::string& why) {
    if (c.repeatable && !c.bound && !c.failed && !ended_ && !std::exchange(c.repeated, true)) {
        c.received.clear();
        c.ends.clear();
        wait(c);
        return set_timer(c);
    }
    if (!c.failed) c.failed = unreachable(why + "; the command may have been executed: " + c.name);
    c.finish();
}

void pool::on_lost(const connection& c) noexcept {
    if (&c == main_.get()) {
        forget_replies();
        failures_ = loop_.now() - opened_at_ < short_life ? failures_ + 1 : 0;
        not_before_ = failures_ ? loop_.now() + backoff(failures_) : loop_.now();
        for (call* one : waiting_) set_timer(*one);
    }
    loop_.later(cleaning_);
}

void pool::on_idle() noexcept {
    if (!retired_.empty()) loop_.later(cleaning_);
}

bool pool::take_back(const connection& from, call& c) {
    if (state_->to.kind != topology::sentinel || !is_refused_by_replica(c)) return false;
    if (&from == main_.get()) retire_main();
    check_primary();
    if (!is_all_or_nothing(c) || c.bound || ended_ || std::exchange(c.repeated, true)) return false;
    c.received.clear();
    c.ends.clear();
    c.in = nullptr;
    wait(c);
    set_timer(c);
    loop_.later(cleaning_);
    return true;
}

void pool::retire_main() {
    if (!main_) return;
    forget_replies();
    retired_.push_back({std::move(main_), after(options().command_timeout)});
    for (call* one : waiting_) set_timer(*one);
    if (!retirement_.waits()) loop_.timers().add(retirement_, retired_.back().until);
    loop_.later(cleaning_);
}

void pool::close_retired() noexcept {
    for (const retired& one : retired_)
        if (one.until <= loop_.now()) one.on->lost("Redis does not respond");
    // The connections were retired in this order, with the same period.
    for (const retired& one : retired_)
        if (!one.on->dead() && !retirement_.waits()) loop_.timers().add(retirement_, one.until);
}

void pool::clean_up() noexcept {
    if (main_ && main_->dead()) main_.reset();
    std::erase_if(retired_, [](const retired& c) { return c.on->dead() || c.on->idle(); });
    if (retired_.empty()) loop_.timers().remove(retirement_);
    std::erase_if(idle_, [](const auto& c) { return c->dead(); });
    dispatch();
}

void pool::dispatch() {
    while (!ended_ && !waiting_.empty()) {
        if (!is_connected()) return open();
        if (!main_->accepts()) return;
        call& c = *waiting_.front();
        waiting_.erase(*std::exchange(c.waits, std::nullopt));
        count_waiting();
        main_->submit(c);
    }
}

void pool::open() {
    if (opening_) return;
    if (loop_.now() < not_before_) return loop_.timers().add(retry_, not_before_);
    opening_ = true;
    if (!spawn(connect_one())) opening_ = false;
}

task<> pool::connect_one() {
    auto made = co_await connect_main(after(options().connect_timeout)).outcome();
    opening_ = false;
    if (made) {
        opened(*std::move(made));
    } else {
        counts_.add(connections_failed);
        why_not_ = base::reason_of(made.error());
        not_before_ = loop_.now() + backoff(++failures_);
        // The cluster may have another node for these commands.
        if (state_->of_cluster) fail_waiting(why_not_);
    }
    dispatch();
}

void pool::opened(connected to) {
    opened_at_ = loop_.now();
    why_not_.clear();
    if (main_) retire_main();
    main_ = std::make_unique<connection>(*this, std::move(to.io));
    main_server_ = to.at;
    // While there is a connection, waiting calls fail only at their own deadlines.
    for (call* c : waiting_) set_timer(*c);
    main_->start();
}

task<std::unique_ptr<lease>> pool::reserve(std::uint64_t due) {
    if (leases_.size() >= options().reserved) co_await failure(too_busy("over redis::client_options::reserved"));
    auto made = std::make_unique<lease>(*this);
    leases_.push_back(made.get());
    if (!idle_.empty()) {
        made->on = std::move(idle_.back());
        idle_.pop_back();
        if (!made->on->dead()) co_return std::move(made);
    }
    // The pool may be destroyed while this task connects: this copy keeps the state alive.
    const auto state = state_;
    auto to = co_await connect(*state, loop_, std::min(due, after(options().connect_timeout)));
    if (!made->of) co_await failure(unreachable(stops));
    note_server(to.at);
    made->on = std::make_unique<connection>(*this, std::move(to.io));
    made->on->start();
    co_return std::move(made);
}

// Keeps an idle connection for reuse, after UNWATCH. Closes a connection that has commands in flight.
void pool::give_back(lease& from) noexcept {
    std::erase(leases_, &from);
    if (!from.on || !from.on->idle() || idle_.size() >= most_idle) return;
    std::string unwatch;
    codec::resp::append_command(unwatch, {"UNWATCH"});
    from.on->post(unwatch);
    idle_.push_back(std::move(from.on));
}

subscriber& pool::subscriptions() {
    if (!subscriber_) subscriber_ = std::make_unique<subscriber>(*this);
    return *subscriber_;
}

}  // namespace apus::redis
