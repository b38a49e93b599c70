// SPDX-License-Identifier: Apache-2.0
// A feed with a broker: publishes and receives.
#include "base/raised_flag.hpp"
#include "base/reason.hpp"
#include "feed/parts.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/when_any.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus::detail {
namespace {

constexpr std::size_t most_unconfirmed = 4'096, most_nodes = 1'024;
constexpr duration pause_after_failure = milliseconds(200), pause_before_questions = seconds(1);

using received = feed_broker::received;
using event_id = feeds::event_id;

struct received_or_why {
    std::optional<received> event;
    std::string why;
    bool failed = false;
};

// Sets `to` even if another task of the same `when_any` ends first.
task<> next_of(feed_broker& from, std::optional<received_or_why>& to) {
    auto got = co_await from.receive().outcome();
    if (got) to.emplace(*std::move(got), std::string(), false);
    else to.emplace(std::nullopt, std::string(base::reason_of(got.error())), true);
}

task<> next_question(const channel<bool>& from) { co_await from.receive(); }
task<> wait(duration how_long) { co_await sleep_for(how_long); }

bool is_unreachable(const error& why) noexcept { return why.status() == 503 || why.status() == 504; }

log::field node_field(const feed_node& of) noexcept {
    return of.name.empty() ? log::field() : log::field("node", of.name);
}

event_id id_of(const feed_event& of) noexcept { return feeds::read_event_id(of.id).value_or(event_id()); }

// Returns whether an event is the next one after `last`, as far as its message tells. The broker removes a room `keep`
// after its last event, so the next event is not later than that.
bool follows(const received& got, event_id last, duration keep) noexcept {
    const event_id id = id_of(got.event);
    const bool next = got.previous.empty() ? !got.first || !last : feeds::read_event_id(got.previous) == last;
    return next && id > last && id.time - last.time <= static_cast<std::uint64_t>(keep.milliseconds());
}

class receiving {
public:
    explicit receiving(feed_broker& from) noexcept : from_(from) {}
    receiving(const receiving&) = delete;
    receiving& operator=(const receiving&) = delete;
    ~receiving() { from_.end_receiving(); }

private:
    feed_broker& from_;
};

}  // namespace

// An event whose publication is in flight.
class feed_parts::pending_event {
public:
    pending_event(feed_parts& of, const std::string& token) : of_(of), token_(token) {
        const std::lock_guard lock(of_.mutex_);
        of_.pending_.emplace(token, event_id());
    }
    pending_event(const pending_event&) = delete;
    pending_event& operator=(const pending_event&) = delete;
    ~pending_event() {
        const std::lock_guard lock(of_.mutex_);
        of_.pending_.erase(token_);
    }

private:
    feed_parts& of_;
    const std::string& token_;
};

feed_node& feed_parts::node_of(const std::string& room) {
    std::string name = broker_->node_of(room);
    const std::lock_guard lock(nodes_mutex_);
    if (nodes_.size() >= most_nodes && !nodes_.contains(name)) name.clear();
    return nodes_.try_emplace(name, name).first->second;
}

void feed_parts::failed(feed_node& of, std::string_view why) {
    if (!of.away.begin(base::outage::clock_now())) return;
    log::warn("feed: events reach this process only, and are not stored", {"reason", why}, node_field(of));
    of.failed = true;
    any_failed_ = true;  // last: the task that receives clears it first
    (void)questions_.try_send(true);
}

void feed_parts::worked(feed_node& of) noexcept {
    if (of.away.end()) log::info("feed: events reach all processes again", node_field(of));
}

task<std::string> feed_parts::publish(std::string name, feed_event event) {
    feed_node& node = node_of(name);
    if (node.away.ongoing() && !node.away.may_try(base::outage::clock_now())) {
        add_unstored(name, std::move(event));
        co_return std::string();
    }
    const std::string token = node_ + std::to_string(tokens_.fetch_add(1, std::memory_order_relaxed));
    const pending_event pending(*this, token);
    auto id = co_await broker_->publish(name, event, token).outcome();
    if (id) {
        worked(node);
        co_return *std::move(id);
    }
    if (!is_unreachable(id.error())) co_await failure(id.error());
    failed(node, base::reason_of(id.error()));
    {
        const std::lock_guard lock(mutex_);
        // The broker has sent the event before the connection was lost, so readers have it.
        if (const event_id sent = pending_.at(token)) co_return text_of(sent);
        // The broker may have stored the event; its readers here must not get it again.
        unconfirmed_.insert(token);
        oldest_unconfirmed_.push_back(token);
        if (oldest_unconfirmed_.size() > most_unconfirmed) {
            unconfirmed_.erase(oldest_unconfirmed_.front());
            oldest_unconfirmed_.pop_front();
        }
    }
    add_unstored(name, std::move(event));
    co_return std::string();
}

void feed_parts::add_unstored(const std::string& name, feed_event event) {
    const std::lock_guard lock(mutex_);
    if (const auto to = by_name_.find(name); to != by_name_.end()) add_event(to->second, std::move(event), {});
}

void feed_parts::ask_for_position(std::shared_ptr<room> of) {
    {
        const std::lock_guard lock(mutex_);
        if (!running_) return;  // `run` begins with the rooms that have no position
        asked_.push_back(std::move(of));
    }
    (void)questions_.try_send(true);
}

// Adds a message that follows the last event. Otherwise the broker is asked, since an event may be missing, or the
// message may not be about an event of the room: any client of Redis that may publish can send messages.
void feed_parts::take(received got) {
    const std::lock_guard lock(mutex_);
    if (const auto pending = pending_.find(got.token); pending != pending_.end()) pending->second = id_of(got.event);
    const auto to = by_name_.find(got.room);
    const event_id id = id_of(got.event);
    if (to == by_name_.end() || !id) return;
    place& at = *to->second;
    const auto last = at.of->last_id();
    if (last && (at.of->has(id) || (id <= at.read_to && !got.first))) return;
    if (last && follows(got, *last, how_.keep)) return add_known(to->second, std::move(got));
    // The call in flight may have been executed before the event was stored.
    if (at.call == call_state::in_flight) at.wanted = std::max(at.wanted, id);
    else if (last && at.call == call_state::none) {
        enqueue(to->second);
        at.hinted = true;
    }
}

// Adds an event after all events before it. An event that the readers here already have moves the room's position.
void feed_parts::add_known(places::iterator to, received got) {
    room& of = *to->of;
    const event_id id = id_of(got.event);
    if (unconfirmed_.contains(got.token)) return of.skip(id);
    add_event(to, std::move(got.event), id);
}

// Returns nullopt if the last reader has left the room.
std::optional<feed_parts::places::iterator> feed_parts::place_of(const room& of) {
    const auto found = by_name_.find(of.name());
    if (found == by_name_.end() || found->second->of.get() != &of) return std::nullopt;
    return found->second;
}

task<> feed_parts::run() {
    if (!broker_) throw std::logic_error("feed: a feed without a broker has no `run`");
    if (running_.exchange(true)) throw std::logic_error("feed: `run` is called twice: call it once per process");
    const base::raised_flag running(running_);
    const receiving ends(*broker_);
    reset_calls();
    task_scope calls({.on_failure = task_failure::only_logged, .limit = most_nodes, .name = "feed"});
    std::uint64_t retry_at = 0;
    while (true) {
        std::optional<received_or_why> got;
        co_await when_any(next_of(*broker_, got), next_question(questions_),
                          wait(any_incomplete_ ? pause_before_questions : seconds(3'600)));
        enqueue_asked();
        retry_rooms_of_failed_nodes();
        if (const auto now = base::outage::clock_now(); any_incomplete_ && now >= retry_at) {
            retry_at = now + static_cast<std::uint64_t>(pause_before_questions.milliseconds());
            enqueue_incomplete();
        }
        if (got && got->failed) {
            if (channel_away_.begin(base::outage::clock_now()))
                log::warn("feed: events of other processes do not arrive", {"reason", got->why});
            co_await sleep_for(pause_after_failure);
        } else if (got && !got->event) {
            co_return;
        } else if (got) {
            if (channel_away_.end()) log::info("feed: events of other processes arrive again");
            if (got->event->event.gap) enqueue_all();
            else take(*std::move(got->event));
        }
        synchronize_all(calls);
    }
}

}  // namespace apus::detail
