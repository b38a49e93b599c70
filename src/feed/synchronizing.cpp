// SPDX-License-Identifier: Apache-2.0
// Asks the broker for the positions of new rooms, and for events that may have been missed. Each node has a task for
// its calls, so that a node that does not respond delays its own rooms only. Messages arrive in the meantime.
#include "base/raised_flag.hpp"
#include "base/reason.hpp"
#include "feed/parts.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <utility>

namespace apus::detail {
namespace {

constexpr std::size_t most_rooms = 64, most_events = 64, least_events = 2, most_bytes = std::size_t(4) << 20U;
constexpr duration pause_of_node = milliseconds(200), pause_after_waste = milliseconds(20);

using received = feed_broker::received;
using event_id = feeds::event_id;

std::size_t bytes_of(const std::vector<result<std::vector<received>>>& pages) noexcept {
    std::size_t bytes = 0;
    for (const auto& page : pages)
        if (page)
            for (const auto& each : *page) bytes += feeds::size_of(each.event);
    return bytes;
}

// Sets the size of the next call after one that has returned so many bytes.
void adapt(feed_node& of, std::size_t bytes) noexcept {
    if (bytes < most_bytes / 2) {
        of.rooms = std::min(most_rooms, of.rooms * 2);
        of.events = std::min(most_events, of.events * 2);
    } else if (bytes > most_bytes) {
        of.rooms = std::max<std::size_t>(1, of.rooms / 2);
        of.events = std::max(least_events, of.events / 2);
    }
}

event_id id_or_zero(const std::string& id) noexcept { return feeds::read_event_id(id).value_or(event_id()); }

}  // namespace

// Callers of this function and the next one have locked the mutex. A call in flight does not suffice: it may have been
// executed before.
void feed_parts::enqueue(places::iterator at) {
    if (at->call == call_state::in_flight) at->again = true;
    at->hinted = false;
    if (at->call != call_state::none) return;
    feed_node& node = node_of(at->of->name());
    if (node.away.ongoing()) at->of->report_unreachable();
    at->asked = &node;
    (at->of->last_id() ? node.behind : node.unknown).push_back(at->of);
    at->call = call_state::waits;
    if (!node.synchronizes) (void)questions_.try_send(true);
}

void feed_parts::try_later(place& of) {
    of.incomplete = any_incomplete_ = true;
    (void)questions_.try_send(true);
}

void feed_parts::enqueue_asked() {
    const std::lock_guard lock(mutex_);
    for (const auto& each : std::exchange(asked_, {}))
        if (const auto at = place_of(*each); at && !each->last_id()) enqueue(*at);
}

void feed_parts::enqueue_all() {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, at] : by_name_) enqueue(at);
}

void feed_parts::enqueue_incomplete() {
    const std::lock_guard lock(mutex_);
    any_incomplete_ = false;
    for (const auto& [name, at] : by_name_)
        if (std::exchange(at->incomplete, false)) enqueue(at);
}

// A node that fails may have stored events without sending them, such as a primary of a cluster before a failover. The
// channel belongs to another node, so it has no gap. A core that publishes may know another node for a room than this
// one, before or after a failover. So if the node has no room here, all rooms are read again.
void feed_parts::retry_rooms_of_failed_nodes() {
    if (!any_failed_.exchange(false)) return;
    std::vector<const feed_node*> failed;
    {
        const std::lock_guard lock(nodes_mutex_);
        for (auto& [name, node] : nodes_)
            if (node.failed.exchange(false)) failed.push_back(&node);
    }
    if (failed.empty()) return;
    const std::lock_guard lock(mutex_);
    const auto has_failed = [&](const feed_node* node) { return std::ranges::find(failed, node) != failed.end(); };
    bool any = false;
    for (const auto& [name, at] : by_name_) {
        if (!has_failed(&node_of(at->of->name())) && !has_failed(at->asked)) continue;
        at->of->report_unreachable();
        try_later(*at);
        any = true;
    }
    if (any) return;
    for (const auto& [name, at] : by_name_) try_later(*at);
}

// Calls of an earlier `run` were cancelled.
void feed_parts::reset_calls() {
    {
        const std::lock_guard lock(nodes_mutex_);
        for (auto& [name, node] : nodes_) {
            node.unknown.clear();
            node.behind.clear();
        }
    }
    const std::lock_guard lock(mutex_);
    asked_.clear();
    for (const auto& [name, at] : by_name_) {
        at->call = call_state::none;
        if (!at->of->last_id()) enqueue(at);
    }
}

// Returns the rooms of the next call, which are no longer in the queue.
feed_parts::rooms_of_call feed_parts::begin_call(std::deque<std::shared_ptr<room>>& from, std::size_t most) {
    const std::lock_guard lock(mutex_);
    rooms_of_call made;
    for (; !from.empty() && made.size() < most; from.pop_front()) {
        const auto found = place_of(*from.front());
        if (!found) continue;
        const auto at = *found;
        at->call = call_state::in_flight;
        at->again = false;
        at->wanted = {};
        made.push_back(std::move(from.front()));
    }
    return made;
}

void feed_parts::report(room& of, const error& why) {
    if (of.report_unreadable())
        log::warn("feed: a room cannot be read", {"room", of.name()}, {"reason", base::reason_of(why)});
}

// The rooms wait for a smaller call, since one of them, or the size of the reply, may be the reason. After the smallest
// one, the room waits until it is tried again, so that it does not delay others.
feed_parts::progress feed_parts::fail_call(feed_node& of, const rooms_of_call& rooms, const error& why, bool smallest) {
    const bool unreachable = why.status() == 503 || why.status() == 504;
    if (unreachable) failed(of, base::reason_of(why));
    else if (smallest) report(*rooms.front(), why);
    const std::lock_guard lock(mutex_);
    for (const auto& each : rooms) {
        const auto found = place_of(*each);
        if (!found) continue;
        const auto at = *found;
        at->call = call_state::none;
        if (smallest && !unreachable) each->forget_position();
        if (smallest) try_later(*at);
        else enqueue(at);
    }
    return unreachable ? progress::unreachable : progress::some;
}

// Rooms whose readers have not waited for the position get a gap, since events may be missing.
void feed_parts::take_position(room& of, const result<std::string>& last_id) {
    if (!last_id) report(of, last_id.error());
    else of.report_readable();
    const std::lock_guard lock(mutex_);
    const auto found = place_of(of);
    if (!found) return;
    const auto at = *found;
    at->call = call_state::none;
    if (!last_id) return try_later(*at);
    const auto id = id_or_zero(*last_id);
    if (of.is_read_without_position()) add_gap(at, id);
    else of.begin_after(id);
    at->read_to = id;
    if (at->again || at->wanted > id) enqueue(at);
}

task<feed_parts::progress> feed_parts::find_positions(feed_node& of, const rooms_of_call& rooms) {
    std::vector<std::string> names;
    names.reserve(rooms.size());
    for (const auto& each : rooms) names.push_back(each->name());
    const auto ids = co_await broker_->last_ids(std::move(names)).outcome();
    if (!ids) {
        of.positions = std::max<std::size_t>(1, rooms.size() / 8);
        co_return fail_call(of, rooms, ids.error(), rooms.size() == 1);
    }
    worked(of);
    of.positions = std::min(most_rooms, of.positions * 2);
    const result<std::string> none = fail(500, "the broker has returned no id");
    for (std::size_t i = 0; i < rooms.size(); ++i) take_position(*rooms[i], i < ids->size() ? (*ids)[i] : none);
    co_return progress::some;
}

// Reads a page of each room from its last id on. A room with more events waits for its next turn.
task<feed_parts::progress> feed_parts::read_missed(feed_node& of, const rooms_of_call& rooms) {
    std::vector<feed_position> from;
    std::vector<event_id> after;
    for (const auto& each : rooms) {
        after.push_back(each->last_id().value_or(event_id()));
        from.push_back({each->name(), text_of(after.back())});
    }
    const std::size_t events = of.events;
    auto pages = co_await broker_->read(std::move(from), events).outcome();
    if (!pages) {
        of.rooms = std::max<std::size_t>(1, rooms.size() / 8);
        of.events = std::max(least_events, events / 8);
        co_return fail_call(of, rooms, pages.error(), rooms.size() == 1 && events == least_events);
    }
    worked(of);
    adapt(of, bytes_of(*pages));
    pages->resize(rooms.size(), fail(500, "the broker has returned no page"));
    bool useful = false;
    for (std::size_t i = 0; i < rooms.size(); ++i)
        useful |= take_page(*rooms[i], after[i], std::move((*pages)[i]), events);
    co_return useful ? progress::some : progress::wasted;
}

// Returns whether a page that was read from the event `after` on follows the events of the room. If the room has
// expired since this event, only events that were too old are lost. Ids have the time of the broker's clock, which may
// differ from the clock of this process, so they are compared with ids only.
bool feed_parts::is_complete(const place& of, event_id after, const std::vector<received>& page) const noexcept {
    const auto keep = static_cast<std::uint64_t>(how_.keep.milliseconds());
    if (page.empty()) return !after || base::outage::clock_now() - of.heard >= keep;
    const event_id first = id_or_zero(page.front().event.id);
    if (first == after) return true;
    return page.front().first && (!after || (first > after && first.time - after.time >= keep));
}

// Adds the events of a page, which was read from the event `after` on. Without this event, older ones are missing.
// Returns false if only a message has required the page, which has no new event.
bool feed_parts::take_page(room& of, event_id after, result<std::vector<received>> page, std::size_t count) {
    if (!page) report(of, page.error());
    else of.report_readable();
    const std::lock_guard lock(mutex_);
    const auto found = place_of(of);
    if (!found) return true;
    const auto at = *found;
    at->call = call_state::none;
    const bool hinted = std::exchange(at->hinted, false);
    if (!page) {
        of.forget_position();
        try_later(*at);
        return true;
    }
    if (!std::exchange(at->any, false) && !is_complete(*at, after, *page)) {
        add_gap(at, {});
        at->any = true;
        at->read_to = {};
        enqueue(at);
        return !hinted;
    }
    bool added = false;
    for (auto& each : *page) {
        const event_id id = id_or_zero(each.event.id);
        at->read_to = std::max(at->read_to, id);
        if (id <= of.last_id()) continue;
        add_known(at, std::move(each));
        added = true;
    }
    const bool more = page->size() >= count && at->read_to > after;
    if (more || at->again || at->wanted > of.last_id()) enqueue(at);
    at->hinted = !more && !at->again;
    return added || !hinted;
}

task<> feed_parts::synchronize(feed_node& of) {
    const base::raised_flag synchronizes(of.synchronizes);
    while (true) {
        auto positions = progress::none, events = progress::none;
        const auto unknown = begin_call(of.unknown, of.positions);
        if (!unknown.empty()) positions = co_await find_positions(of, unknown);
        const auto behind = begin_call(of.behind, of.rooms);
        if (!behind.empty()) events = co_await read_missed(of, behind);
        if (positions == progress::none && events == progress::none) co_return;
        if (positions == progress::unreachable || events == progress::unreachable) co_await sleep_for(pause_of_node);
        else if (events == progress::wasted) co_await sleep_for(pause_after_waste);
    }
}

void feed_parts::synchronize_all(task_scope& calls) {
    std::vector<feed_node*> waiting;
    {
        const std::lock_guard lock(nodes_mutex_);
        for (auto& [name, node] : nodes_)
            if (!node.synchronizes && !(node.unknown.empty() && node.behind.empty())) waiting.push_back(&node);
    }
    for (auto* const each : waiting) (void)calls.try_spawn(synchronize(*each));
}

}  // namespace apus::detail
