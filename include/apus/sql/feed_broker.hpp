// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rooms of events for all processes of a service, on PostgreSQL: for `apus::feed` (feed.hpp).

#include <apus/detail/owned_parts.hpp>
#include <apus/feed.hpp>
#include <apus/sql.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::sql {

/// Options of a feed_broker.
struct feed_broker_options {
    /// Name of the channel, and of the rooms in the tables. 1 to 63 bytes of UTF-8 without NUL.
    /// Services that share a database need different values.
    std::string channel = "apus_feed";
};

/// Stores the events of each room in a table of PostgreSQL, and notifies all processes.
///
/// A function of the database does both. It locks the row of the room until the commit, so ids increase in the order of
/// the commits. A notification has the id of an event; each process with readers in the room reads the event from the
/// table. The table keeps `feed_options::room_events` events of a room, whatever their size. `feed_options::keep` after
/// its last event, a room has no events; later events of any room delete its rows.
///
/// The name of a room has at most 1,024 bytes; otherwise error 400. The isolation level of the connections must be
/// `read committed`, the default of PostgreSQL. Create the tables with `migrate_feeds` or `feed_schema`.
class feed_broker final : public apus::feed_broker {
public:
    /// Create it before the feed, outside `make_app`.
    /// Throws `std::invalid_argument` for an invalid channel, and for a database of SQLite.
    explicit feed_broker(database db, feed_broker_options how = {});
    ~feed_broker() override;

    // See the base class.
    void configure(const feed_options&) override;
    task<std::string> publish(std::string room, feed_event event, std::string token) override;
    task<std::vector<result<std::vector<received>>>> read(std::vector<feed_position> from, std::size_t count) override;
    task<std::vector<result<std::string>>> last_ids(std::vector<std::string> rooms) override;
    /// Events have no data, and `previous` is never the last event, so that `feed` reads the room.
    task<std::optional<received>> receive() override;
    void end_receiving() noexcept override;

private:
    struct parts;
    apus::detail::owned_parts<parts> parts_;
};

/// Returns the statements that create the tables of feeds, for a migration of the program.
std::string_view feed_schema() noexcept;

/// Creates the tables of feeds in PostgreSQL if they are missing.
/// Opens its own connection and blocks the thread: call it in `main` or `serve_options::prepare`. Any number of
/// processes may call it at the same time. Throws `migration_error`, also for a URL of SQLite.
void migrate_feeds(std::string_view url);

}  // namespace apus::sql
