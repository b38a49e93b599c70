// SPDX-License-Identifier: Apache-2.0
#include <apus/redis/feed_broker.hpp>

#include "redis/cluster.hpp"
#include "redis/feed_message.hpp"
#include "redis/key_slot.hpp"
#include "redis/session.hpp"

#include <apus/log.hpp>

#include <optional>
#include <stdexcept>
#include <utility>

namespace apus::redis {
namespace {

const script& publish_script() {
    static const script it(R"(
        local room, channel, most, keep, token, name, data = unpack(ARGV)
        local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
        local first, previous = '1', ''
        if last[1] then first, previous = '0', last[1][1] end
        local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', most, '*', 'n', name, 'd', data, 't', token, 'f', first)
        redis.call('PEXPIRE', KEYS[1], keep)
        local function sized(text) return struct.pack('<I4', #text) .. text end
        redis.call('PUBLISH', channel,
                   'apus-fd1' .. first .. sized(room) .. sized(previous) .. sized(id) .. sized(token) .. sized(name) ..
                   data)
        return id
    )");
    return it;
}

using entries = std::vector<std::pair<std::string, std::vector<std::string>>>;

}  // namespace

struct feed_broker::parts {
    parts(client c, feed_broker_options o) : db(std::move(c)), how(std::move(o)) {}

    const client db;
    const feed_broker_options how;
    feed_options limits;
    std::optional<subscription> messages;  // belongs to the task that receives
};

feed_broker::feed_broker(client db, feed_broker_options how)
    : parts_(apus::detail::own_parts(new parts(std::move(db), std::move(how)))) {
    if (parts_->how.channel.empty()) throw std::invalid_argument("redis::feed_broker: the channel is empty");
}

feed_broker::~feed_broker() = default;

std::string feed_broker::node_of(std::string_view room) const {
    const auto& session = detail::session_of(parts_->db);
    if (session.state->to.kind != topology::cluster) return {};
    const host_port* const found =
        session.here().nodes()->server_of(slot_of_key(parts_->how.prefix + std::string(room)));
    return found ? to_text(*found) : std::string();
}

void feed_broker::configure(const feed_options& limits) { parts_->limits = limits; }

task<std::string> feed_broker::publish(std::string room, feed_event event, std::string token) {
    const parts& p = *parts_;
    co_return co_await p.db.eval<std::string>(publish_script(), p.how.prefix + room, room, p.how.channel,
                                              p.limits.room_events, p.limits.keep.milliseconds(), token, event.name,
                                              event.data);
}

task<std::vector<result<std::vector<apus::feed_broker::received>>>> feed_broker::read(std::vector<feed_position> from,
                                                                                      std::size_t count) {
    const parts& p = *parts_;
    batch all;
    for (const auto& each : from)
        all.add("XRANGE", p.how.prefix + each.room, each.after.empty() ? std::string("-") : each.after, "+", "COUNT",
                count);
    const auto found = co_await p.db.run(std::move(all));
    std::vector<result<std::vector<received>>> made;
    for (std::size_t i = 0; i < from.size(); ++i) {
        auto page = found.at<entries>(i);
        if (!page) {
            made.emplace_back(fail(std::move(page).error()));
            continue;
        }
        std::vector<received> events;
        for (auto& [id, fields] : *page) {
            events.push_back(read_feed_entry(std::move(id), std::move(fields)));
            events.back().room = from[i].room;
        }
        made.emplace_back(std::move(events));
    }
    co_return made;
}

task<std::vector<result<std::string>>> feed_broker::last_ids(std::vector<std::string> rooms) {
    const parts& p = *parts_;
    batch all;
    for (const auto& room : rooms) all.add("XREVRANGE", p.how.prefix + room, "+", "-", "COUNT", 1);
    const auto found = co_await p.db.run(std::move(all));
    std::vector<result<std::string>> made;
    for (std::size_t i = 0; i < rooms.size(); ++i) {
        auto last = found.at<entries>(i);
        if (!last) made.emplace_back(fail(std::move(last).error()));
        else made.emplace_back(last->empty() ? std::string() : std::move(last->front().first));
    }
    co_return made;
}

void feed_broker::end_receiving() noexcept { parts_->messages.reset(); }

task<std::optional<apus::feed_broker::received>> feed_broker::receive() {
    parts& p = *parts_;
    if (!p.messages) p.messages.emplace(p.db.subscribe(p.how.channel));
    while (true) {
        auto got = co_await p.messages->next();
        if (!got) co_return std::nullopt;
        if (got->gap) {
            received made;
            made.event.gap = true;
            co_return std::move(made);
        }
        if (auto read = read_feed_message(got->payload)) co_return std::move(read);
        log::warn("feed: a message of the channel is invalid", {"channel", p.how.channel});
    }
}

}  // namespace apus::redis
