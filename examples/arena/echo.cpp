// SPDX-License-Identifier: Apache-2.0
#include "arena/echo.hpp"

#include <apus/websocket.hpp>

#include <string>

namespace arena {
namespace {

apus::response same(apus::body_text body) {
    apus::response res;
    res.body(std::string(body.bytes), "application/octet-stream");
    return res;
}

apus::task<> same_messages(apus::websocket peer) {
    while (auto message = co_await peer.receive()) co_await peer.send(*message);
}

}  // namespace

void add_echo(apus::app& app) {
    app.post("/echo", same);
    app.websocket("/ws", same_messages);
}

}  // namespace arena
