// SPDX-License-Identifier: Apache-2.0
#include "base/thrown.hpp"
#include "http/h1/wire.hpp"
#include "ws/frames.hpp"

#include <apus/websocket.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus;
using test::closing;
using test::opening_request;
using test::wire;

namespace {

std::string told;  // failures reported for the log

}  // namespace

TEST_CASE("a WebSocket handler's 5xx error is logged once, without detail to its client") {
    struct row {
        std::string_view path, sees, logged;
    };
    constexpr row rows[] = {{"/503", "close:1011:internal error ", "503 the disk is full;"},
                            {"/500", "close:1011:internal error ", "500 the disk is full;"},
                            {"/409", "close:1011:the disk is full ", ""}};
    app a;
    a.websocket("/{status}", [](websocket, int status) -> task<> { co_await fail(status, "the disk is full"); });
    wire w(std::move(a));
    const auto before = base::on_failure([](int status, std::string_view why, std::string_view) noexcept {
        told += std::to_string(status) + " " + std::string(why) + ";";
    });
    for (const row& r : rows) {
        CAPTURE(r.path);
        told.clear();
        w.connect();
        w.send(opening_request(r.path));
        std::string came = w.until("\r\n\r\n");
        came.erase(0, came.find("\r\n\r\n") + 4);
        w.send(closing(1000));
        came += w.rest();
        CHECK(test::take_frames(came) == r.sees);
        CHECK(told == r.logged);
    }
    base::on_failure(before);
}
