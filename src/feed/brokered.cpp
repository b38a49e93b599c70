// SPDX-License-Identifier: Apache-2.0
// A feed with a broker: publishes, receives, and reads the events again that it may have missed.
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

constexpr std::size_t rooms_of_call = 64, events_of_call = 64, least_events = 2, most_unconfirmed = 4'096;
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

event_id id_of(const feed_event& of) noexcept { return feeds::read_event_id(of.id).value_or(event_id()); }

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

void feed_parts::failed(std::string_view why) {
    if (!away_.begin(base::outage::clock_now())) return;
    log::warn("feed: events reach this process only, and are not stored", {"reason", why});
    for (const auto& each : all_rooms()) each->wake();
}

void feed_parts::worked() noexcept {
    if (away_.end()) log::info("feed: events reach all processes again");
}

task<std::string> feed_parts::publish(std::string name, feed_event event) {
    if (away_.ongoing() && !away_.may_try(base::outage::clock_now())) {
        add_unstored(name, std::move(event));
        co_return std::string();
    }
    const std::string token = node_ + std::to_string(tokens_.fetch_add(1, std::memory_order_relaxed));
    const pending_event pending(*this, token);
    auto id = co_await broker_->publish(name, event, token).outcome();
    if (id) {
        worked();
        co_return *std::move(id);
    }
    if (!is_unreachable(id.error())) co_await failure(id.error());
    failed(base::reason_of(id.error()));
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
    if (const auto to = by_name_.find(name); to != by_name_.end()) add_event(to->second, std::move(event), {}, false);
}

void feed_parts::ask_for_position() {
    asked_ = true;
    (void)questions_.try_send(true);
}

// Adds a message, and returns null. If an event before it is missing, returns the room instead.
std::shared_ptr<feeds::room> feed_parts::take(received got) {
    const std::lock_guard lock(mutex_);
    if (const auto pending = pending_.find(got.token); pending != pending_.end()) pending->second = id_of(got.event);
    const auto to = by_name_.find(got.room);
    const event_id id = id_of(got.event);
    if (to == by_name_.end() || !id) return nullptr;
    room& of = *to->second->of;
    const auto last = of.last_id();
    if (!last) return nullptr;
    const auto previous = feeds::read_event_id(got.previous);
    if (!got.first && previous && *previous > *last) return to->second->of;
    add_known(to->second, std::move(got));
    return nullptr;
}

// Adds an event after all events before it. An event that the readers here already have moves the room's position.
void feed_parts::add_known(places::iterator to, received got) {
    room& of = *to->of;
    const event_id id = id_of(got.event);
    if (!unconfirmed_.contains(got.token)) return add_event(to, std::move(got.event), id, got.first);
    if (got.first && of.last_id() > id) bytes_ += static_cast<std::size_t>(of.add_gap(id, how_));
    else of.skip(id);
}

feed_parts::places::iterator feed_parts::place_of(const room& of) {
    const auto found = by_name_.find(of.name());
    return found == by_name_.end() || found->second->of.get() != &of ? places_.end() : found->second;
}

// Readers get a gap; the events after `last` follow.
void feed_parts::lose_events(room& of, event_id last) {
    const std::lock_guard lock(mutex_);
    if (place_of(of) != places_.end()) bytes_ += static_cast<std::size_t>(of.add_gap(last, how_));
}

// Rooms whose readers have not waited for the position get a gap, since events may be missing.
void feed_parts::begin_room(room& of, const result<std::string>& last_id) {
    if (!last_id) {
        if (of.report_unreadable())
            log::warn("feed: a room cannot be read", {"room", of.name()}, {"reason", base::reason_of(last_id.error())});
        return;
    }
    const auto id = feeds::read_event_id(*last_id).value_or(event_id());
    if (of.is_read_without_position()) lose_events(of, id);
    else of.begin_after(id);
}

// Asks for the positions of all rooms that have none. Returns whether each room has one now.
task<bool> feed_parts::find_positions() {
    auto rooms = all_rooms();
    std::erase_if(rooms, [](const auto& each) { return each->last_id().has_value(); });
    std::size_t count = rooms_of_call;
    bool all = true, any = false;
    while (!rooms.empty()) {
        count = std::min(count, rooms.size());
        std::vector<std::string> names;
        for (auto i = rooms.end() - static_cast<std::ptrdiff_t>(count); i != rooms.end(); ++i)
            names.push_back((*i)->name());
        const auto ids = co_await broker_->last_ids(std::move(names)).outcome();
        if (!ids && count > 1) {  // one room may be the reason, such as one of a node that is down
            count = 1;
            continue;
        }
        if (!ids && !any) {
            failed(base::reason_of(ids.error()));
            co_return false;
        }
        any = any || ids;
        const auto begin = rooms.end() - static_cast<std::ptrdiff_t>(count);
        for (std::size_t i = 0; ids && i < std::min(count, ids->size()); ++i)
            begin_room(*begin[static_cast<std::ptrdiff_t>(i)], (*ids)[i]);
        all = all && std::all_of(begin, rooms.end(), [](const auto& each) { return each->last_id().has_value(); });
        rooms.erase(begin, rooms.end());
    }
    co_return all;
}

// Reads pages of the rooms from their last ids on, until each room has all of its events. Calls that fail are repeated
// for fewer rooms and events, since a reply may be too large. Returns false if the broker is unreachable.
task<bool> feed_parts::read_missed(std::vector<missing_events> of) {
    std::size_t rooms = rooms_of_call, events = events_of_call;
    bool any = false;
    while (!of.empty()) {
        const std::size_t count = std::min(rooms, of.size());
        std::vector<feed_position> from;
        for (auto i = of.end() - static_cast<std::ptrdiff_t>(count); i != of.end(); ++i)
            from.push_back({i->of->name(), text_of(i->of->last_id().value_or(event_id()))});
        auto pages = co_await broker_->read(std::move(from), events).outcome();
        if (!pages || pages->size() != count) {
            if (rooms > 1 || events > least_events) {
                rooms = std::max<std::size_t>(1, rooms / 8);
                events = std::max(least_events, events / 8);
                continue;
            }
            if (!any && !pages && is_unreachable(pages.error())) {
                failed(base::reason_of(pages.error()));
                co_return false;
            }
            of.back().of->forget_position();
            of.pop_back();
            continue;
        }
        any = true;
        rooms = std::min(rooms_of_call, rooms * 2);
        std::vector<missing_events> more;
        for (std::size_t i = of.size() - count, page = 0; page < count; ++i, ++page)
            if (take_page(of[i], std::move((*pages)[page]), events)) more.push_back(of[i]);
        of.erase(of.end() - static_cast<std::ptrdiff_t>(count), of.end());
        of.insert(of.end(), more.begin(), more.end());
    }
    co_return true;
}

// Returns whether a room that is empty now has only lost events that were too old.
bool feed_parts::has_expired(event_id last) const noexcept {
    const auto age = static_cast<std::int64_t>(feeds::milliseconds_since_1970() - last.time);
    return age >= how_.keep.milliseconds();
}

// Returns whether the room may have more events. Without the event at the position, older ones are missing.
bool feed_parts::take_page(missing_events& from, result<std::vector<received>> page, std::size_t count) {
    room& to = *from.of;
    if (!page) {
        to.forget_position();
        return false;
    }
    const event_id last = to.last_id().value_or(event_id());
    if (!std::exchange(from.any, false)) {
        if (last && page->empty() && has_expired(last)) return false;
        const bool complete =
            last ? !page->empty() && id_of(page->front().event) == last : page->empty() || page->front().first;
        if (!complete) {
            lose_events(to, {});
            return from.any = true;
        }
    }
    const std::lock_guard lock(mutex_);
    const auto place = place_of(to);
    if (place == places_.end()) return false;
    for (auto& each : *page) {
        each.first = false;
        if (id_of(each.event) > to.last_id()) add_known(place, std::move(each));
    }
    return page->size() >= count && to.last_id() != last;
}

task<bool> feed_parts::catch_up() {
    std::vector<missing_events> known;
    for (auto& each : all_rooms())
        if (each->last_id()) known.push_back({std::move(each)});
    co_return co_await read_missed(std::move(known));
}

task<> feed_parts::run() {
    if (!broker_) throw std::logic_error("feed: a feed without a broker has no `run`");
    if (running_.exchange(true)) throw std::logic_error("feed: `run` is called twice: call it once per process");
    const base::raised_flag running(running_);
    const receiving ends(*broker_);
    bool settled = true;
    std::uint64_t retry_at = 0;
    while (true) {
        std::optional<received_or_why> got;
        co_await when_any(next_of(*broker_, got), next_question(questions_),
                          wait(settled ? seconds(3'600) : pause_before_questions));
        if (asked_.exchange(false) || (!settled && base::outage::clock_now() >= retry_at)) {
            settled = co_await find_positions();
            retry_at = base::outage::clock_now() + static_cast<std::uint64_t>(pause_before_questions.milliseconds());
        }
        if (!got) continue;
        if (got->failed) {
            failed(got->why);
            co_await sleep_for(pause_after_failure);
        } else if (!got->event) {
            co_return;
        } else if (!got->event->event.gap) {
            const auto incomplete = take(*std::move(got->event));
            if (!incomplete) continue;
            std::vector<missing_events> of(1, {incomplete});
            if (!co_await read_missed(std::move(of))) incomplete->forget_position();
            settled = settled && incomplete->last_id();
        } else {
            // Later events wait until the missed ones are known.
            while (!co_await catch_up()) co_await sleep_for(pause_after_failure);
            worked();
            settled = co_await find_positions();
        }
    }
}

}  // namespace apus::detail
