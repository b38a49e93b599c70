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

constexpr std::size_t events_of_page = 256;

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

    /// Asks `run` for the position of a room.
    void ask_for_position(std::shared_ptr<room>);
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

    places::iterator find_or_make(const std::string& name);
    void add_event(places::iterator, feed_event, event_id, bool first);
    void remove_old(std::uint64_t now);
    std::vector<std::shared_ptr<room>> all_rooms() const;

    void take(feed_broker::received);
    task<bool> find_positions(std::vector<std::shared_ptr<room>>);
    task<bool> read_missed(std::vector<std::shared_ptr<room>>);
    void lose_events(room&, event_id last);
    bool take_page(room&, std::vector<feed_broker::received>);
    task<bool> catch_up();
    void failed(std::string_view why) noexcept;
    void worked() noexcept;

    std::atomic<std::uint32_t> owners_{1};
    const feed_options how_;
    feed_broker* const broker_;
    const std::string node_;
    const std::uint64_t start_;
    base::outage away_;
    std::atomic<bool> running_{false};
    std::atomic<std::uint64_t> tokens_{0};
    const channel<bool> questions_{1};

    mutable std::mutex mutex_;
    places places_;  // the room whose last event is oldest comes first
    std::unordered_map<std::string_view, places::iterator> by_name_;
    std::size_t bytes_ = 0;
    std::uint64_t number_ = 0;
    std::vector<std::shared_ptr<room>> asking_;
    // Tokens of events that were sent without the broker, but which the broker may have stored.
    std::unordered_set<std::string> unconfirmed_;
    std::deque<std::string> oldest_unconfirmed_;
};

/// A reader's position, and the events that it has read from the broker.
class feed_reader_parts {
public:
    feed_reader_parts(shared<feed_owner, feed_parts> in, const std::string& name)
        : in_(std::move(in)), of_(in_->enter(name)), changes_(of_->changes().subscribe()), at_(of_->at_end()) {}
    feed_reader_parts(const feed_reader_parts&) = delete;
    feed_reader_parts& operator=(const feed_reader_parts&) = delete;
    ~feed_reader_parts() { in_->leave(*of_); }

    task<> begin(std::string last_id);
    task<feed_message> next();

private:
    void begin_with_gap();
    task<> wait_for_position();
    task<> read_page();

    shared<feed_owner, feed_parts> in_;
    std::shared_ptr<feeds::room> of_;
    subscription<bool> changes_;
    feeds::room::position at_;
    std::deque<feed_event> read_;
    bool gap_ = false, reads_broker_ = false;
};

}  // namespace apus::detail
