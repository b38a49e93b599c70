// SPDX-License-Identifier: Apache-2.0
#include "redis/connection.hpp"

#include "redis/failure.hpp"
#include "redis/pool.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace apus::redis {

using codec::outcome;
using codec::resp::kind;

connection::connection(pool& p, transport_ptr t)
    : pool_(p), io_(std::move(t)), scanner_({.bytes = p.options().reply_size}), heard_(p.loop().now()) {
    io_->idle_watcher = this;
    pool_.counts().add(connections_open);
    pool_.counts().add(connections_opened);
}

connection::~connection() {
    const auto items = std::exchange(items_, {});
    close();
    for (const item& one : items) {
        if (!one.of) continue;
        one.of->in = nullptr;
        one.of->failed = unreachable("the connection was closed");
        one.of->finish();
    }
}

void connection::close() noexcept {
    if (!io_) return;
    io_->idle_watcher = nullptr;
    io_.reset();
    pool_.counts().subtract(connections_open);
}

void connection::submit(call& c) {
    c.in = this;
    c.ticket = first_ticket_ + items_.size();
    c.sent_at = pool_.loop().now();
    if (items_.empty()) waits_since_ = c.sent_at;
    items_.push_back({&c, c.expected});
    io_->send(c.wire);
    // Redis has closed the idle connection, and the loop has not reported this event yet.
    if (io_->ended()) lost("Redis has closed the connection");
}

bool connection::silent_for(std::uint64_t milliseconds) const noexcept {
    return !items_.empty() && pool_.loop().now() - std::max(heard_, waits_since_) > milliseconds;
}

void connection::post(std::string_view wire) {
    if (!io_) return;
    items_.push_back({nullptr, 1});
    io_->send(wire);
}

void connection::abandon(const call& c) {
    if (c.ticket >= first_ticket_ && c.ticket - first_ticket_ < items_.size())
        items_[static_cast<std::size_t>(c.ticket - first_ticket_)].of = nullptr;
}

void connection::on_event(outbound::transport&) noexcept { receive(); }

void connection::has_room(outbound::transport&) noexcept { pool_.dispatch(); }

void connection::receive() {
    io_->gather();
    heard_ = pool_.loop().now();
    while (io_) {
        const std::string_view in = io_->unread();
        const auto got = scanner_.scan(in);
        if (got.state == outcome::bad) return on_refusal(*got.why);
        if (got.state == outcome::partial) break;
        // Subscriptions use another connection.
        if (got.value == kind::push) pool_.on_push(*this, in.substr(0, got.used));
        else if (!on_reply(in.substr(0, got.used)))
            return lost("Redis has sent a reply although no command was in flight");
        if (io_) io_->use(got.used);
    }
    if (io_ && io_->ended()) lost("Redis has closed the connection");
}

bool connection::on_reply(std::string_view reply) {
    if (items_.empty()) return false;
    item& front = items_.front();
    if (front.of) {
        front.of->received.append(reply);
        front.of->ends.push_back(front.of->received.size());
    }
    if (--front.left != 0) return true;
    call* const done = front.of;
    items_.pop_front();
    ++first_ticket_;
    if (items_.empty()) pool_.on_idle();
    if (done) pool_.on_reply(*this, *done);
    if (!done || pool_.take_back(*this, *done)) return true;
    done->in = nullptr;
    done->finish();
    return true;
}

void connection::on_refusal(const codec::refusal& why) {
    using namespace codec::resp::refusals;
    call* const of = items_.empty() ? nullptr : items_.front().of;
    const bool large = &why == &reply_too_large || &why == &too_many_elements;
    if (of && large)
        of->failed =
            unusable(of->name, "over redis::client_options::reply_size or 4194304 elements: read the value in parts");
    lost(why.reason);
}

void connection::lost(std::string_view why) {
    if (!io_) return;
    const std::string reason(why);
    const auto items = std::exchange(items_, {});
    first_ticket_ += items.size();
    close();
    pool_.counts().add(connections_lost);
    for (const item& one : items) {
        if (!one.of) continue;
        one.of->in = nullptr;
        pool_.interrupted(*one.of, reason);
    }
    pool_.on_lost(*this);
}

}  // namespace apus::redis
