// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "feed/event_id.hpp"

#include <apus/feed.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

namespace apus::feeds {

using item = detail::broadcast_value<feed_event>;

/// Returns the memory that an event needs, approximately.
std::size_t size_of(const feed_event&) noexcept;

feed_event gap();

/// The newest events of a room in this process, in the order in which readers get them.
/// For any thread.
class room {
public:
    /// Where a reader continues.
    struct position {
        std::uint64_t next = 0;  ///< Number of the next entry.
        event_id last;           ///< The reader already has the events up to this id.
        /// Older entries without ids are not for this reader.
        /// Its client may have got them over another connection.
        std::uint64_t live_from = 0;
        /// Set if entries between the last read one and the oldest one were removed.
        bool behind = false;
    };

    explicit room(std::string name) : name_(std::move(name)) {}
    room(const room&) = delete;
    room& operator=(const room&) = delete;
    ~room();

    const std::string& name() const noexcept { return name_; }

    /// Appends an event, and wakes the readers. Returns the bytes that the room has gained.
    /// They are negative if `limits` removed older events. An event with an id that is not after `last_id` is ignored.
    std::ptrdiff_t add(feed_event, event_id, const feed_options& limits);
    /// Appends a gap: the events after `last` follow.
    std::ptrdiff_t add_gap(event_id last, const feed_options& limits);
    /// Moves the room to an event whose readers already have it.
    void skip(event_id);
    /// Removes all entries. Returns the bytes that the room has lost.
    std::size_t clear();

    /// Sets the id after which the broker's events of this room follow, if it is not known.
    void begin_after(event_id last);
    std::optional<event_id> last_id() const;  ///< nullopt until `begin_after` or `add_gap`.
    /// Tells that a reader does not wait for `begin_after`, so that it may miss events.
    void read_without_position() noexcept { blind_ = true; }
    bool is_read_without_position() const noexcept { return blind_; }
    /// Returns whether this is the first call after `report_readable`.
    bool report_unreadable() noexcept { return !unreadable_.exchange(true); }
    void report_readable() noexcept { unreadable_ = unreachable_ = false; }
    /// Wakes readers that wait for `begin_after`: they do not wait until `report_readable`.
    void report_unreachable() {
        if (!unreachable_.exchange(true)) wake();
    }
    bool is_unreachable() const noexcept { return unreachable_; }

    /// Events after the last one cannot be read; readers get a gap with the next position.
    void forget_position();
    bool empty() const;        ///< Whether there are no entries.
    bool has(event_id) const;  ///< Whether there is an entry with this id.

    /// Returns the next event that the reader does not have, and moves the position.
    /// Null if there is none, or if the position is behind.
    item* take(position&) const;
    position at_end() const;
    position at_start() const;
    /// Returns the position after an event; nullopt if events after it may be missing here.
    std::optional<position> after(event_id) const;

    const broadcast<bool>& changes() const noexcept { return changes_; }
    void wake() const;  ///< Wakes all readers.

private:
    struct entry {
        event_id id;  // zero: not stored, or a gap
        item* value;
    };
    void begin(event_id last);
    std::ptrdiff_t append(entry, const feed_options&);
    std::ptrdiff_t begin_anew(event_id last, const feed_options&);
    std::size_t remove_oldest();

    const std::string name_;
    const broadcast<bool> changes_{{.capacity = 1}};
    std::atomic<bool> blind_{false}, unreadable_{false}, unreachable_{false};
    mutable std::mutex mutex_;
    std::deque<entry> entries_;
    std::uint64_t first_ = 0;  // number of the oldest entry
    std::size_t bytes_ = 0;
    std::optional<event_id> last_;
    // All events of the room after this one are in `entries_`. nullopt: see `begin`.
    std::optional<event_id> complete_after_;
};

}  // namespace apus::feeds
