// SPDX-License-Identifier: Apache-2.0
#include "arena/fortunes.hpp"
#include "arena/items.hpp"
#include "arena/stored_items.hpp"
#include "arena/sum.hpp"
#include "arena/upload.hpp"
#include "transport.hpp"
#include "world.hpp"

#include <apus/app.hpp>
#include <apus/compression.hpp>
#include <apus/files.hpp>
#include <apus/hub.hpp>
#include <apus/json.hpp>

#include <cstdlib>
#include <string>

namespace {

constexpr apus::literal greeting = "Hello, World!";

struct message {
    std::string_view message;
    int id;
    bool ok;
};

void add_bodies(apus::app& app) {
    static const std::string small(64 * 1024, 'x');
    static const std::string large(1024 * 1024, 'x');
    app.get("/body/64k", [] { return apus::response::literal(small); });
    app.get("/body/1m", [] { return apus::response::literal(large); });
}

void add_routes(apus::app& app, int count) {
    for (int i = 0; i < count; ++i) {
        const std::string thing = "/area" + std::to_string(i % 100) + "/thing" + std::to_string(i);
        if (i % 2 == 0) app.get(apus::runtime_route{thing}, [] { return greeting; });
        else app.get(apus::runtime_route{thing + "/{id}"}, [](std::string_view) { return greeting; });
    }
}

apus::app wrapped() {
    apus::app app;
    for (int i = 0; i < 10; ++i)
        app.use([](apus::request& req, apus::next_handler next) -> apus::task<apus::response> {
            co_return co_await next(req);
        });
    app.get("/", [] { return greeting; });
    return app;
}

// Adds the routes that need data; without data, as outside the suite, they are omitted.
void add_data(apus::app& app, const std::string& folder, const std::vector<arena::item>& items) {
    if (folder.empty()) return;
    app.mount("/static", apus::files(folder + "/static"));
    apus::app compressed;
    compressed.use(apus::compress_responses());
    arena::add_items(compressed, items);
    app.mount(std::move(compressed));
}

void add_database(apus::app& app) {
    const char* url = std::getenv("DATABASE_URL");
    const char* most = std::getenv("DATABASE_MAX_CONN");
    if (!url) return;
    // Each of many requests sends twenty statements at once, so more than the default may wait.
    const apus::sql::database db(url,
                                 {.connections = most ? static_cast<unsigned>(std::atoi(most)) : 0, .queue = 16'384});
    arena::add_async_db(app, db);
    arena::add_fortunes(app, db, "../../../examples/arena/templates");
    add_world(app, db);
}

void add_sockets(apus::app& app, apus::hub& rooms) {
    app.websocket("/ws", [](apus::websocket peer) -> apus::task<> {
        while (auto message = co_await peer.receive()) co_await peer.send(*message);
    });
    app.websocket("/broadcast", [&rooms](apus::websocket peer) -> apus::task<> {
        auto seat = rooms.join("everybody", peer);
        while (auto message = co_await peer.receive()) rooms.send("everybody", *message);
    });
}

apus::app make_app(const std::string& folder, const std::vector<arena::item>& items, apus::hub& rooms) {
    const char* routes = std::getenv("ROUTES");
    apus::app app;
    app.get("/bench", [] { return greeting; });
    app.get("/json", [] { return message{greeting, 42, true}; });
    add_data(app, folder, items);
    add_database(app);
    add_bodies(app);
    add_routes(app, routes ? std::atoi(routes) : 0);
    arena::add_upload(app);
    arena::add_sums(app);
    app.mount("/middlewares", wrapped());
    add_sockets(app, rooms);
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    const char* named = std::getenv("DATA");
    const std::string folder = named ? named : "";
    const auto items = named ? arena::read_items(folder + "/dataset.json") : std::vector<arena::item>();
    apus::hub rooms;
    return apus::serve([&] { return make_app(folder, items, rooms); }, argc, argv, transport(folder));
}
