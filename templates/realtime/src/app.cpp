// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <apus/events.hpp>
#include <apus/files.hpp>
#include <apus/sleep.hpp>

namespace {

apus::task<> tick(apus::event_writer& out) {
    for (unsigned long i = 1;; ++i) {
        const std::string number = std::to_string(i);
        co_await out.send(number, "tick", number);
        co_await apus::sleep_for(apus::seconds(1));
    }
}

}  // namespace

apus::app make_app(apus::hub& rooms) {
    apus::app app;
    app.websocket("/rooms/{room}", [&rooms](apus::websocket peer, std::string room) -> apus::task<> {
        auto seat = rooms.join(room, peer);  // leaves the room at the end of this scope
        while (auto message = co_await peer.receive()) rooms.send(room, *message);
    });
    app.get("/ticks", [] { return apus::events(tick); });
    app.get("/", [](apus::request& req) { return apus::file_response(req, "public/index.html"); });
    app.mount("/static", apus::files("public"));
    // apus: modules
    return app;
}
