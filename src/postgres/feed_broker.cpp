// SPDX-License-Identifier: Apache-2.0
#include <apus/sql/feed_broker.hpp>

#include "base/hex.hpp"
#include "feed/event_id.hpp"
#include "postgres/feed_hint.hpp"
#include "sql/database_parts.hpp"

#include <apus/json.hpp>
#include <apus/log.hpp>
#include <apus/sql/table.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

namespace apus::sql {

/// A position as the statements get it. `room` has hexadecimal digits.
struct feed_place {
    std::string room;
    std::int64_t at, time, number;
};

struct stored_feed_event {
    std::int64_t at, time, number;
    bool first;
    std::vector<unsigned char> token, name, data;
};

struct last_feed_event {
    std::int64_t at, time, number;
};

namespace {

constexpr std::size_t longest_room = 1'024, longest_channel = 63;
constexpr std::int64_t longest_keep = std::int64_t(100) * 365 * 86'400'000;

std::vector<unsigned char> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
std::string text_of(const std::vector<unsigned char>& bytes) { return {bytes.begin(), bytes.end()}; }

std::string id_of(std::int64_t time, std::int64_t number) {
    return feeds::text_of({static_cast<std::uint64_t>(time), static_cast<std::uint64_t>(number)});
}

error invalid_room() { return error(400, "the name of the room has more than 1024 bytes"); }

// A client may send any id.
std::int64_t clamped(std::uint64_t n) noexcept {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return n > static_cast<std::uint64_t>(most) ? most : static_cast<std::int64_t>(n);
}

// Adds a room as item `at` of a list of JSON, unless its name is too long.
void add_place(std::vector<feed_place>& to, std::size_t at, std::string_view room, feeds::event_id from) {
    if (room.size() > longest_room) return;
    to.push_back({.room = base::hex(room),
                  .at = static_cast<std::int64_t>(at),
                  .time = clamped(from.time),
                  .number = clamped(from.number)});
}

}  // namespace

struct feed_broker::parts {
    parts(database d, feed_broker_options o) : db(std::move(d)), how(std::move(o)) {}

    const database db;
    const feed_broker_options how;
    feed_options limits;
    std::optional<notification_stream> hints;  // belongs to the task that receives
};

feed_broker::feed_broker(database db, feed_broker_options how)
    : parts_(apus::detail::own_parts(new parts(std::move(db), std::move(how)))) {
    const std::string& channel = parts_->how.channel;
    if (channel.empty() || channel.size() > longest_channel || channel.contains('\0'))
        throw std::invalid_argument("sql::feed_broker: the channel must have 1 to 63 bytes without NUL");
    if (detail::session_access::of(parts_->db)->db->name() != "postgres")
        throw std::invalid_argument("sql::feed_broker: " + std::string(postgres::feeds_need_postgres));
}

feed_broker::~feed_broker() = default;

void feed_broker::configure(const feed_options& limits) { parts_->limits = limits; }

task<std::string> feed_broker::publish(std::string room, feed_event event, std::string token) {
    const parts& p = *parts_;
    if (room.size() > longest_room) co_await failure(invalid_room());
    const std::int64_t most = clamped(p.limits.room_events);
    const std::int64_t keep = std::min<std::int64_t>(p.limits.keep.milliseconds(), longest_keep);
    co_return co_await p.db.one<std::string>("select apus_feed_publish($1, $2, $3, $4, $5, $6, $7)", p.how.channel,
                                             bytes_of(room), most, keep, bytes_of(token), bytes_of(event.name),
                                             bytes_of(event.data));
}

task<std::vector<result<std::vector<apus::feed_broker::received>>>> feed_broker::read(std::vector<feed_position> from,
                                                                                      std::size_t count) {
    const parts& p = *parts_;
    std::vector<feed_place> places;
    std::vector<result<std::vector<received>>> made;
    for (std::size_t i = 0; i < from.size(); ++i) {
        add_place(places, i, from[i].room, feeds::read_event_id(from[i].after).value_or(feeds::event_id()));
        if (from[i].room.size() > longest_room) made.emplace_back(fail(invalid_room()));
        else made.emplace_back(std::vector<received>());
    }
    auto found = co_await p.db.all<stored_feed_event>(
        "select p.at, e.time, e.number, e.first, e.token, e.name, e.data "
        "from json_to_recordset($2::text::json) as p(room text, at bigint, time bigint, number bigint) "
        "join apus_feed_rooms r on r.feed = $1 and r.name = decode(p.room, 'hex') "
        "and r.expires_at > floor(extract(epoch from clock_timestamp()) * 1000) "
        "cross join lateral (select * from apus_feed_events o where o.room = r.id "
        "and (o.time, o.number) >= (p.time, p.number) order by o.time, o.number limit $3) e "
        "order by p.at, e.time, e.number",
        p.how.channel, to_json(places), clamped(count));
    for (auto& each : found) {
        received event;
        event.room = from.at(static_cast<std::size_t>(each.at)).room;
        event.event = {.id = id_of(each.time, each.number), .name = text_of(each.name), .data = text_of(each.data)};
        event.token = text_of(each.token);
        event.first = each.first;
        made[static_cast<std::size_t>(each.at)]->push_back(std::move(event));
    }
    co_return made;
}

task<std::vector<result<std::string>>> feed_broker::last_ids(std::vector<std::string> rooms) {
    const parts& p = *parts_;
    std::vector<feed_place> places;
    std::vector<result<std::string>> made;
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        add_place(places, i, rooms[i], {});
        if (rooms[i].size() > longest_room) made.emplace_back(fail(invalid_room()));
        else made.emplace_back(std::string());
    }
    const auto found = co_await p.db.all<last_feed_event>(
        "select p.at, r.time, r.number from json_to_recordset($2::text::json) as p(room text, at bigint) "
        "join apus_feed_rooms r on r.feed = $1 and r.name = decode(p.room, 'hex') "
        "and r.expires_at > floor(extract(epoch from clock_timestamp()) * 1000)",
        p.how.channel, to_json(places));
    for (const auto& each : found) made.at(static_cast<std::size_t>(each.at)) = id_of(each.time, each.number);
    co_return made;
}

void feed_broker::end_receiving() noexcept { parts_->hints.reset(); }

task<std::optional<apus::feed_broker::received>> feed_broker::receive() {
    parts& p = *parts_;
    if (!p.hints) p.hints.emplace(p.db.listen(p.how.channel));
    while (true) {
        const auto got = co_await p.hints->next();
        if (!got) co_return std::nullopt;
        if (got->gap) {
            received made;
            made.event.gap = true;
            co_return std::move(made);
        }
        if (auto read = postgres::read_feed_hint(got->payload)) co_return std::move(read);
        log::warn("feed: a notification of the channel is invalid", {"channel", p.how.channel});
    }
}

}  // namespace apus::sql
