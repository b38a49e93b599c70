// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rooms of events with a history: a client that reconnects gets the events that it missed.

#include <apus/broadcast.hpp>
#include <apus/detail/owned_parts.hpp>
#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/task.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus {

/// An event of a room, or a gap between events.
struct feed_event {
    std::string id;    ///< See `feed::follow`. Empty for an event that is not stored, and for a gap.
    std::string name;  ///< Type of the event: see `event_writer::send`. May be empty.
    std::string data;
    /// Whether events before the next one may be missing: read the current state.
    /// The other members are empty. The events that are still stored follow.
    bool gap = false;
};

/// A feed_event that readers share; never empty.
using feed_message = broadcast_message<feed_event>;

/// Options of a feed. A feed with a broker keeps in memory only events of rooms that have readers.
struct feed_options {
    std::size_t room_events = 1'000;                   ///< Maximum stored events of a room. At least 1.
    std::size_t room_bytes = std::size_t(1) << 20U;    ///< Maximum bytes of these events. At least 1,024.
    std::size_t total_bytes = std::size_t(64) << 20U;  ///< Maximum bytes of all rooms with events in memory.
    duration keep = seconds(3'600);                    ///< Events of a room are removed when its last event is older.
};

/// Position in a room: the event after which to read. An empty `after` means the beginning.
struct feed_position {
    std::string room, after;
};

/// Stores the events of all processes of a service, and sends them to all processes.
/// Functions may be called on any core. Errors 503 and 504 mean that the broker is unreachable.
class feed_broker {
public:
    /// An event that another process or this one has published, or a gap (`event.gap`).
    struct received {
        std::string room;
        feed_event event;
        std::string token;     ///< As passed to `publish`.
        std::string previous;  ///< Id of the event before this one; empty if unknown.
        bool first = false;    ///< Whether the room had no stored events before.
    };

    virtual ~feed_broker();

    /// Stores an event and sends it to all processes. Returns its id.
    /// Ids have the form `NUMBER-NUMBER`, and increase within a room. The first number should be milliseconds of the
    /// broker's clock: readers get a gap before the first event of a room unless it is `keep` later than the last one.
    virtual task<std::string> publish(std::string room, feed_event event, std::string token) = 0;

    /// Reads up to `count` events of each room, oldest first.
    /// Returns an error for each room that cannot be read.
    /// The first event is the one at the position itself if it is still stored.
    virtual task<std::vector<result<std::vector<received>>>> read(std::vector<feed_position> from,
                                                                  std::size_t count) = 0;

    /// Returns the id of the last event of each room, or an error.
    /// The id is empty for a room without stored events.
    virtual task<std::vector<result<std::string>>> last_ids(std::vector<std::string> rooms) = 0;

    /// Waits for the next event of any room, in the order of publication.
    /// The first one is a gap; another gap follows when events may have been missed. Called by one task at a time.
    /// Returns nullopt when the core stops. If the task is destroyed, no event is lost.
    virtual task<std::optional<received>> receive() = 0;
    /// Called on the core of `receive` when no more events will be received.
    virtual void end_receiving() noexcept = 0;

    /// Returns the name of the server that stores a room, for brokers with several servers.
    /// While a server is unreachable, the rooms of other servers are not delayed. The name may be out of date.
    virtual std::string node_of(std::string_view room) const;

    /// Called once, before the other functions.
    virtual void configure(const feed_options&) = 0;
};

namespace detail {

class feed_parts;
class feed_reader_parts;

struct feed_owner {
    static void keep(feed_parts*) noexcept;
    static void let_go(feed_parts*) noexcept;
};

}  // namespace detail

/// Reads the events of a room. Belongs to the core that created it. Returned by `feed::follow`.
class feed_reader {
public:
    explicit feed_reader(detail::owned_parts<detail::feed_reader_parts>);  ///< Used by the library.

    /// Waits for the next event or gap, without a time limit. At most one call at a time.
    task<feed_message> next();

private:
    detail::owned_parts<detail::feed_reader_parts> parts_;
};

/// Rooms of events that span the cores of a process and, with a broker, the processes of a service.
/// Any core may publish and follow. Copies refer to the same feed. Create it outside `make_app`.
///
/// Readers of a room get its events once, in one order. An event is stored once per process; a reader has a position
/// in the room. If it falls behind these events, it reads from the broker, at most 256 KiB or two events at a time;
/// without a broker, it gets a gap.
///
/// Without a broker, the history is lost when the process ends: the next process begins with a gap.
///
/// While the broker, or the node of a room, is unreachable, events reach only the readers in the publisher's process,
/// have no id, and are not stored: a client that reconnects does not get them again. One warning is logged per node.
/// Afterwards, readers get the events that the broker has stored meanwhile.
class feed {
public:
    /// `last_id` that begins at the oldest stored event.
    static constexpr std::string_view from_start = "0-0";

    /// Throws `std::invalid_argument` for options outside their ranges.
    explicit feed(const feed_options& = {});
    /// The broker must outlive the feed. Run `run` in the background.
    feed(const feed_options&, feed_broker&);

    /// Publishes an event in a room. Returns its id; empty if the broker was unreachable.
    /// Throws `std::invalid_argument` if `name` contains a line break or NUL. An event with more bytes than
    /// `feed_options::room_bytes`: error 413. After another error of the broker (500), no reader gets the event.
    task<std::string> publish(std::string room, std::string data, std::string name = {}) const;

    /// Follows a room. `last_id` is the id of the last event that the client has received.
    /// Without it, the reader gets the events that are published after this call returns. If the event cannot be found
    /// in the room, the reader gets a gap and then all stored events.
    task<feed_reader> follow(std::string room, std::string last_id = {}) const;

    /// Receives the events of the broker until the task is cancelled.
    /// Run one task per process: use `router::background`. Throws `std::logic_error` if `run` is already running, or
    /// the feed has no broker.
    task<> run() const;

private:
    detail::shared<detail::feed_owner, detail::feed_parts> parts_;
};

}  // namespace apus
