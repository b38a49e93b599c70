// SPDX-License-Identifier: Apache-2.0
#include "server/route_listing.hpp"

#include <apus/app.hpp>
#include <apus/files.hpp>
#include <apus/websocket.hpp>

#include <doctest/doctest.h>

using namespace apus;

namespace {

app listed() {
    app made;
    made.get("/", [] { return "x"; });
    made.websocket("/chat/{room}", [](websocket, std::string_view) -> task<> { co_return; });
    made.mount("/static", files("tests"));
    return made;
}

}  // namespace

TEST_CASE("each route is listed once, and WebSockets are marked") {
    const auto make = [] { return listed(); };
    const std::string lines = server::list_routes(detail::make_with(make));
    CHECK(lines == "GET /\nGET /chat/{room} (WebSocket)\nGET /static\nGET /static/{path...}\n");
}
