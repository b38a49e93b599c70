// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/websocket.hpp>

void build(apus::app& app) {
    app.websocket("/chat", [](apus::websocket) {});
}
