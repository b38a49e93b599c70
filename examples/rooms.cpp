// SPDX-License-Identifier: Apache-2.0
// Rooms whose clients get the events that they missed while they were disconnected. With REDIS_URL, the
// rooms are in all processes that use the same Redis; with DATABASE_URL, in those that use the same PostgreSQL.
// Otherwise they are in this process.
#include <apus/app.hpp>
#include <apus/environment.hpp>
#include <apus/events.hpp>
#include <apus/json.hpp>
#include <apus/query.hpp>
#include <apus/redis/feed_broker.hpp>
#include <apus/sql/feed_broker.hpp>
#include <apus/websocket.hpp>
#include <apus/when_any.hpp>

#include <string>

namespace {

// The browser sends the id of the last event that it got in Last-Event-ID.
apus::response follow_events(const apus::feed& rooms, std::string room) {
    return apus::events(
        [rooms, room = std::move(room)](apus::event_writer& out) -> apus::task<> {
            auto reader = co_await rooms.follow(room, std::string(out.last_id()));
            while (true) {
                const auto next = co_await reader.next();
                if (next->gap) co_await out.send("", "reload");
                else co_await out.send(next->data, next->name, next->id);
            }
        },
        {.retry = apus::milliseconds(100)});
}

struct position {
    std::string after;
};
struct message {
    std::string id, data;
};

// A WebSocket has no such field: the page connects to /rooms/tea/socket?after=ID.
apus::task<> send_events(apus::websocket& peer, const apus::feed& rooms, std::string room, std::string after) {
    auto reader = co_await rooms.follow(std::move(room), std::move(after));
    while (peer.is_open()) {
        const auto next = co_await reader.next();
        if (next->gap) co_await peer.send("reload");
        else co_await peer.send(apus::to_json(message{next->id, next->data}));
    }
}

apus::task<> receive_until_closed(apus::websocket& peer) {
    while (co_await peer.receive()) {}
}

// Without `receive`, the task would not notice that the client has left while the room has no events.
apus::task<> follow_socket(apus::websocket peer, apus::feed rooms, std::string room, std::string after) {
    co_await apus::when_any(send_events(peer, rooms, std::move(room), std::move(after)), receive_until_closed(peer));
}

bool is_set(const char* name) { return !apus::from_environment<std::string>(name, "").empty(); }

apus::feed rooms_on_redis() {
    const auto db = apus::from_environment<apus::redis::client>("REDIS_URL", "");
    static apus::redis::feed_broker broker(db);
    return apus::feed({}, broker);
}

apus::feed rooms_on_postgres() {
    const auto db = apus::from_environment<apus::sql::database>("DATABASE_URL", "");
    static apus::sql::feed_broker broker(db);
    return apus::feed({}, broker);
}

apus::feed make_rooms() {
    if (is_set("REDIS_URL")) return rooms_on_redis();
    if (is_set("DATABASE_URL")) return rooms_on_postgres();
    return apus::feed();
}

apus::app make_app(const apus::feed& rooms, bool shared) {
    apus::app app;
    app.get("/rooms/{room}/events", [rooms](std::string room) { return follow_events(rooms, std::move(room)); });
    app.websocket("/rooms/{room}/socket",
                  [rooms](apus::websocket peer, std::string room, apus::query<position> from) -> apus::task<> {
                      return follow_socket(std::move(peer), rooms, std::move(room), std::move(from->after));
                  });
    app.post("/rooms/{room}", [rooms](std::string room, apus::body_text sent) {
        return rooms.publish(std::move(room), std::string(sent.bytes));
    });
    if (shared) app.background([rooms] { return rooms.run(); });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const bool shared = is_set("REDIS_URL") || is_set("DATABASE_URL");
    const auto make = [shared] {
        static const apus::feed rooms = make_rooms();  // for all cores
        return make_app(rooms, shared);
    };
    const auto prepare = [] {
        if (is_set("DATABASE_URL")) apus::sql::migrate_feeds(apus::from_environment<std::string>("DATABASE_URL", ""));
    };
    return apus::serve(make, argc, argv, {.prepare = prepare});
}
