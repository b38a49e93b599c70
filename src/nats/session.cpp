// SPDX-License-Identifier: Apache-2.0
#include "nats/session.hpp"

#include "base/reason.hpp"
#include "codec/nats/command.hpp"
#include "crypto/random.hpp"
#include "nats/failure.hpp"

#include <utility>

namespace apus::nats {

session::session(std::shared_ptr<const shared_state> s)
    : per_core(*s),
      state_(std::move(s)),
      loop_(runtime::loop::current()),
      counts_(loop_.instruments().of(client_counts, {state_->name})),
      // Other clients must not be able to guess the subject, and thereby to send responses.
      inbox_("_INBOX." + crypto::random_hex(16) + "."),
      delay_(loop_, 10) {
    retry_.of = check_.of = deliver_.of = this;
    changes_.of = this;
    retry_.fire = [](runtime::timer& t) noexcept { static_cast<session_timer&>(t).of->open(); };
    check_.fire = [](runtime::timer& t) noexcept { static_cast<session_timer&>(t).of->check(); };
    deliver_.fire = [](runtime::timer& t) noexcept { static_cast<session_timer&>(t).of->receive(); };
    changes_.run = [](runtime::deferred& d) noexcept { static_cast<changes&>(d).of->send_subscriptions(); };
}

session::~session() {
    constexpr std::string_view stops = "the server stops";
    leave_core();
    ended_ = true;
    tasks_.cancel();
    close();
    fail_calls(stops);
    while (!waiting_.empty()) {
        waiting_.front()->failed = unreachable(stops);
        waiting_.front()->finish();
    }
    for (const auto& [number, one] : listeners_) one->end();
    loop_.timers().remove(retry_);
    loop_.forget(changes_);
}

// While there is no connection, calls wait at most for `connect_timeout`.
void session::set_timer(call& c) noexcept {
    loop_.timers().add(c, io_ ? c.deadline : std::min(c.deadline, after(options().connect_timeout)));
}

bool session::try_publish(const outgoing& what) {
    if (!io_ || io_->ended() || !waiting_.empty() || io_->unsent() >= most_unsent) return false;
    if (what.size > info_.max_payload || (what.has_headers && !info_.headers)) return false;
    io_->send(what.wire);
    counts_.add(messages_published);
    start_checks();
    return true;
}

void session::submit(call& c) {
    if (calls_ >= options().queue) {
        c.failed = too_busy("over nats::client_options::queue");
        return c.finish();
    }
    c.counted = true;
    ++calls_;
    if (c.deadline <= loop_.now()) {
        c.failed = nats::late("a connection");
        return c.finish();
    }
    set_timer(c);
    waiting_.push_back(&c);
    c.waits = std::prev(waiting_.end());
    dispatch();
}

void session::leave(call& c) noexcept {
    if (c.waits) waiting_.erase(*std::exchange(c.waits, std::nullopt));
    if (c.inbox != 0) requests_.erase(c.inbox);
    if (c.awaits_pong)
        for (expected_pong& one : pongs_)
            if (one.flush == &c) one.flush = nullptr;
    calls_ -= std::exchange(c.counted, false) ? 1 : 0;
}

void session::late(call& c) noexcept {
    if (c.waits && io_ && loop_.now() < c.deadline) return loop_.timers().add(c, c.deadline);
    if (c.waits && !io_) c.failed = unreachable(why_not_.empty() ? "timeout while connecting" : why_not_);
    else c.failed = nats::late(c.inbox != 0 ? "response" : "confirmation");
    c.finish();
}

void session::dispatch() {
    while (!ended_ && !waiting_.empty()) {
        if (!io_) return open();
        if (io_->unsent() >= most_unsent) return;
        call& c = *waiting_.front();
        waiting_.erase(*std::exchange(c.waits, std::nullopt));
        send(c);
    }
}

void session::has_room(outbound::transport&) noexcept {
    if (std::exchange(owes_pong_, false)) io_->send(codec::nats::pong);
    dispatch();
}

void session::send(call& c) {
    if (c.what.wire.empty()) {
        c.awaits_pong = true;
        return send_ping({.flush = &c});
    }
    if (c.what.size > info_.max_payload) {
        c.failed = too_large(c.what.size, info_.max_payload);
        return c.finish();
    }
    if (c.what.has_headers && !info_.headers) {
        c.failed = unusable("the NATS server does not support headers");
        return c.finish();
    }
    if (c.inbox != 0) {
        if (!std::exchange(inbox_subscribed_, true)) {
            std::string wire;
            codec::nats::append_subscribe(wire, inbox_ + "*", {}, inbox_number_);
            io_->send(wire);
        }
        requests_.emplace(c.inbox, &c);
    }
    io_->send(c.what.wire);
    counts_.add(messages_published);
    start_checks();
    if (c.inbox == 0) c.finish();
    // The server has closed the connection, and the loop has not reported this event yet.
    if (io_->ended()) lost("NATS has closed the connection");
}

void session::send_ping(expected_pong what) {
    pongs_.push_back(what);
    ++pings_;
    io_->send(codec::nats::ping);
    start_checks();
    if (io_->ended()) lost("NATS has closed the connection");
}

void session::add(listener& one) {
    listeners_.emplace(one.number, &one);
    loop_.later(changes_);
}

void session::remove(listener& one) noexcept {
    listeners_.erase(one.number);
    if (!io_ || !one.is_sent()) return;
    std::string wire;
    codec::nats::append_unsubscribe(wire, one.number);
    io_->send(wire);
}

void session::send_subscriptions() {
    if (ended_ || listeners_.empty()) return;
    if (!io_) return open();
    std::string wire;
    for (const auto& [number, one] : listeners_) {
        if (one->is_sent()) continue;
        codec::nats::append_subscribe(wire, one->subject, one->queue, number);
        one->sent(pings_ + 1);
    }
    if (wire.empty()) return;
    io_->send(wire);
    // The server confirms subscriptions by its response to the PING after them.
    send_ping({.flush = nullptr, .confirms = true});
}

void session::open() {
    if (opening_ || ended_ || io_ || !is_needed()) return;
    if (!unreachable_since_) unreachable_since_ = loop_.now();
    if (loop_.now() < not_before_) return loop_.timers().add(retry_, not_before_);
    opening_ = true;
    if (!tasks_.try_spawn(connect_one())) opening_ = false;
}

task<> session::connect_one() {
    // The end of the session cancels this task.
    const net::host_port& to = state_->to.hosts[host_ % state_->to.hosts.size()];
    auto made = co_await connect(*state_, loop_, to, after(options().connect_timeout)).outcome();
    opening_ = false;
    if (made) {
        opened(*std::move(made));
    } else {
        counts_.add(connections_failed);
        ++host_;
        not_before_ = loop_.now() + delay_.after(++failures_);
        note_unreachable(base::reason_of(made.error()));
        open();
    }
}

void session::opened(connected to) {
    io_ = std::move(to.io);
    info_ = to.info;
    io_->idle_watcher = this;
    opened_at_ = loop_.now();
    why_not_.clear();
    last_error_.clear();
    unreachable_since_.reset();
    counts_.add(connections_open);
    counts_.add(connections_opened);
    // While there is a connection, waiting calls fail only at their own deadlines.
    for (call* c : waiting_) set_timer(*c);
    start_checks();
    send_subscriptions();
    dispatch();
    if (io_) receive();
}

void session::note_unreachable(std::string_view why) {
    why_not_ = why;
    if (!unreachable_since_) unreachable_since_ = loop_.now();
    const auto patience = static_cast<std::uint64_t>(options().connect_timeout.milliseconds());
    if (loop_.now() - *unreachable_since_ < patience) return;
    for (const auto& [number, one] : listeners_) one->fail_starting(unreachable(why));
}

void session::start_checks() noexcept {
    sent_ = true;
    if (check_.waits()) return;
    heard_ = true;  // a PING that is sent just before the check needs time for its response
    loop_.timers().add(check_, after(options().ping_interval));
}

// While the connection is in use, sends PING at intervals. An unused connection needs no timer.
void session::check() {
    if (!io_) return;
    // While `deliver_` waits, received messages are still to be passed on, so the server has responded.
    if (!pongs_.empty() && !heard_ && !deliver_.waits()) return lost("NATS does not respond");
    const bool used = std::exchange(sent_, false) || !listeners_.empty() || !requests_.empty() || !pongs_.empty();
    if (!used) return;
    heard_ = false;
    loop_.timers().add(check_, after(options().ping_interval));
    if (pongs_.empty()) {
        send_ping({.flush = nullptr});
        sent_ = false;
    }
}

void session::close() noexcept {
    if (!io_) return;
    io_->idle_watcher = nullptr;
    io_.reset();
    inbox_subscribed_ = heard_ = sent_ = owes_pong_ = false;
    loop_.timers().remove(check_);
    loop_.timers().remove(deliver_);
    counts_.subtract(connections_open);
}

void session::fail_calls(std::string_view why) {
    for (const expected_pong& one : std::exchange(pongs_, {})) {
        if (!one.flush) continue;
        one.flush->awaits_pong = false;
        one.flush->failed = unreachable(std::string(why).append("; published messages may be lost"));
        one.flush->finish();
    }
    for (const auto& [number, one] : std::exchange(requests_, {})) {
        one->failed = unreachable(std::string(why).append("; the request may have been processed"));
        one->finish();
    }
}

void session::lost(std::string_view why) {
    if (!io_) return;
    const std::string reason = last_error_.empty() ? std::string(why) : std::string(why) + ": " + last_error_;
    close();
    counts_.add(connections_lost);
    for (const auto& [number, one] : listeners_) one->interrupt();
    fail_calls(reason);
    ++host_;
    failures_ = loop_.now() - opened_at_ < short_life ? failures_ + 1 : 0;
    not_before_ = failures_ != 0 ? loop_.now() + delay_.after(failures_) : loop_.now();
    for (call* one : waiting_) set_timer(*one);
    note_unreachable(reason);
    open();
}

}  // namespace apus::nats
