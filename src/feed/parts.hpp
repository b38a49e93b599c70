// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/outage.hpp"
#include "feed/event_id.hpp"
#include "feed/room.hpp"

#include <apus/channel.hpp>
#include <apus/feed.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace apus::feeds {

std::uint64_t milliseconds_since_1970() noexcept;

}  // namespace apus::feeds

namespace apus::detail {

/// The rooms of a feed. For any thread.
class feed_parts {
public:
    using room = feeds::room;
    using event_id = feeds::event_id;

    feed_parts(const feed_options& how, feed_broker* broker);

    void keep() noexcept { owners_.fetch_add(1, std::memory_order_relaxed); }
    void let_go() noexcept {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

    feed_broker* broker() const noexcept { return broker_; }
    bool fits(const feed_event& of) const noexcept { return feeds::size_of(of) <= how_.room_bytes; }

    /// Returns the room, which exists until `leave`.
    std::shared_ptr<room> enter(const std::string& name);
    void leave(const room&) noexcept;

    std::string publish_here(const std::string& name, feed_event);
    task<std::string> publish(std::string name, feed_event);

    /// Asks `run` for the positions of all rooms that have none.
    void ask_for_position();
    /// Whether the broker is unreachable.
    bool alone() const noexcept { return away_.ongoing(); }

    task<> run();

private:
    struct place {
        std::shared_ptr<room> of;
        unsigned readers = 0;
        std::uint64_t used;  // time of the last event
    };
    using places = std::list<place>;

    class pending_event;
    // A room whose events after its last id may be missing. `any`: the next page may begin with any event.
    struct missing_events {
        std::shared_ptr<room> of;
        bool any = false;
    };

    places::iterator find_or_make(const std::string& name);
    places::iterator place_of(const room&);
    void erase(places::iterator);
    void add_event(places::iterator, feed_event, event_id, bool first);
    void remove_old(std::uint64_t now);
    std::vector<std::shared_ptr<room>> all_rooms() const;

    void add_unstored(const std::string& name, feed_event);
    std::shared_ptr<room> take(feed_broker::received);
    void add_known(places::iterator, feed_broker::received);
    void lose_events(room&, event_id last);
    void begin_room(room&, const result<std::string>& last_id);
    task<bool> find_positions();
    task<bool> read_missed(std::vector<missing_events>);
    bool has_expired(event_id last) const noexcept;
    bool take_page(missing_events&, result<std::vector<feed_broker::received>>, std::size_t count);
    task<bool> catch_up();
    void failed(std::string_view why);
    void worked() noexcept;

    std::atomic<std::uint32_t> owners_{1};
    const feed_options how_;
    feed_broker* const broker_;
    const std::string node_;
    const std::uint64_t start_;
    base::outage away_;
    std::atomic<bool> running_{false}, asked_{false};
    std::atomic<std::uint64_t> tokens_{0};
    const channel<bool> questions_{1};

    mutable std::mutex mutex_;
    places places_;  // the room whose last event is oldest comes first
    std::unordered_map<std::string_view, places::iterator> by_name_;
    std::size_t bytes_ = 0;
    std::uint64_t number_ = 0;
    std::unordered_map<std::string, event_id> pending_;  // tokens in flight, with the id if the event has arrived
    // Tokens of events that were sent without the broker, but which the broker may have stored.
    std::unordered_set<std::string> unconfirmed_;
    std::deque<std::string> oldest_unconfirmed_;
};

/// A reader's position, and the events that it has read from the broker.
class feed_reader_parts {
public:
    feed_reader_parts(shared<feed_owner, feed_parts> in, const std::string& name)
        : of_(std::move(in), name), changes_(of_->changes().subscribe()), at_(of_->at_end()) {}

    task<> begin(std::string last_id);
    task<feed_message> next();

private:
    class seat {
    public:
        seat(shared<feed_owner, feed_parts> in, const std::string& name) : in_(std::move(in)), of_(in_->enter(name)) {}
        seat(const seat&) = delete;
        seat& operator=(const seat&) = delete;
        ~seat() { in_->leave(*of_); }
        feed_parts& feed() const noexcept { return *in_; }
        feeds::room* operator->() const noexcept { return of_.get(); }

    private:
        shared<feed_owner, feed_parts> in_;
        std::shared_ptr<feeds::room> of_;
    };

    void go_to(feeds::room::position);
    void begin_with_gap();
    task<> wait_for_position();
    task<> read_page();

    seat of_;
    subscription<bool> changes_;
    feeds::room::position at_;
    std::deque<feed_event> read_;
    std::size_t page_ = 2;  // events to read at a time
    bool gap_ = false, reads_broker_ = false;
    bool any_ = false;  // the next page may begin with any event
};

}  // namespace apus::detail
