// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/outage.hpp"
#include "feed/event_id.hpp"
#include "feed/room.hpp"

#include <apus/channel.hpp>
#include <apus/feed.hpp>
#include <apus/task_scope.hpp>

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

/// A server of the broker: see `feed_broker::node_of`. Its calls delay no room of another node.
struct feed_node {
    explicit feed_node(std::string n) : name(std::move(n)) {}

    const std::string name;
    base::outage away;
    std::atomic<bool> failed{false};  // an outage has begun: see `retry_rooms_of_failed_nodes`
    // The next members belong to the task that receives. Rooms wait in turn for their position, or, if it is known,
    // for the events after it.
    std::deque<std::shared_ptr<feeds::room>> unknown, behind;
    std::size_t positions = 64, rooms = 64, events = 64;  // maximum of the next call
    bool synchronizes = false;                            // a task makes the calls
};

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

    task<> run();

private:
    enum class call_state : std::uint8_t {
        none,
        waits,      // in a queue of the room's node
        in_flight,  // the broker is asked for the position, or for events
    };
    enum class progress : std::uint8_t {
        none,
        some,
        wasted,  // messages have required calls that returned no event
        unreachable
    };
    struct place {
        std::shared_ptr<room> of;
        unsigned readers = 0;
        std::uint64_t used;   // time of the last event
        std::uint64_t heard;  // of the last event by the broker, or the time at which the first reader came
        bool counts = false;  // the place is in `places_`, and its memory in `bytes_`
        const feed_node* asked = nullptr;  // the node of the last call for the room
        call_state call = call_state::none;
        bool again = false;       // the call in flight may not return all events
        bool any = false;         // the next page may begin with any event
        bool incomplete = false;  // a call for the missing events has failed
        bool hinted = false;      // only a message requires the call
        event_id wanted = {};     // an event that was not added while the call is in flight
        event_id read_to = {};    // the last event that the broker has returned
    };
    using places = std::list<place>;
    using rooms_of_call = std::vector<std::shared_ptr<room>>;

    class pending_event;
    places::iterator find_or_make(const std::string& name);
    std::optional<places::iterator> place_of(const room&);
    void erase(places::iterator);
    void add_event(places::iterator, feed_event, event_id);
    void add_gap(places::iterator, event_id last);
    void note_gain(places::iterator, std::ptrdiff_t bytes);
    void clear(places::iterator);
    void remove_old(std::uint64_t now);

    feed_node& node_of(const std::string& room);
    void add_unstored(const std::string& name, feed_event);
    void take(feed_broker::received);
    void add_known(places::iterator, feed_broker::received);
    void failed(feed_node&, std::string_view why);
    static void worked(feed_node&) noexcept;

    // Only for the task that receives: see synchronizing.cpp.
    void enqueue(places::iterator);
    void try_later(place&);
    void enqueue_asked();
    void enqueue_all();
    void enqueue_incomplete();
    void retry_rooms_of_failed_nodes();
    void reset_calls();
    rooms_of_call begin_call(std::deque<std::shared_ptr<room>>& from, std::size_t most);
    progress fail_call(feed_node&, const rooms_of_call&, const error& why, bool smallest);
    void report(room&, const error& why);
    void take_position(room&, const result<std::string>& last_id);
    bool take_page(room&, event_id after, result<std::vector<feed_broker::received>>, std::size_t count);
    bool is_complete(const place&, event_id after, const std::vector<feed_broker::received>&) const noexcept;
    task<progress> find_positions(feed_node&, const rooms_of_call&);
    task<progress> read_missed(feed_node&, const rooms_of_call&);
    task<> synchronize(feed_node&);
    void synchronize_all(task_scope&);

    std::atomic<std::uint32_t> owners_{1};
    const feed_options how_;
    feed_broker* const broker_;
    const std::string node_;
    const std::uint64_t start_;
    base::outage channel_away_;
    std::atomic<bool> running_{false}, any_failed_{false};
    std::atomic<std::uint64_t> tokens_{0};
    const channel<bool> questions_{1};

    std::mutex nodes_mutex_;
    std::unordered_map<std::string, feed_node> nodes_;
    bool any_incomplete_ = false;  // only for the task that receives

    std::mutex mutex_;
    places places_;        // with events; the room whose last event is oldest comes first
    places empty_places_;  // without events
    std::unordered_map<std::string_view, places::iterator> by_name_;
    std::size_t bytes_ = 0;
    std::uint64_t number_ = 0;
    std::vector<std::shared_ptr<room>> asked_;           // see `ask_for_position`
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
        const std::shared_ptr<feeds::room>& room() const noexcept { return of_; }
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
