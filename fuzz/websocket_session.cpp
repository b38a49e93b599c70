// SPDX-License-Identifier: Apache-2.0
#include "http/h1/protocol.hpp"
#include "http/h1/core.hpp"
#include "runtime/loop.hpp"
#include "web/application.hpp"

#include <apus/hub.hpp>

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

// Arbitrary input after a WebSocket handshake. The first byte selects the split, whether compression is
// negotiated, and whether the handler uses rooms.

namespace {

using namespace apus;
using apus::fuzz::must;

app make_app(hub& rooms) {
    const websocket_options how{
        .message = 4'096, .fragments = 8, .compress = true, .compress_from = 8, .window_bits = 9};
    app a;
    a.websocket(
        "/echo",
        [](websocket peer) -> task<> {
            while (auto message = co_await peer.receive()) {
                must(message->bytes.size() <= 4'096, "a message does not exceed the limit");
                co_await peer.send(*message);
            }
            must(peer.close_code() >= 1000, "an ended session has a close code");
        },
        how);
    a.websocket(
        "/room",
        [&rooms](websocket peer) -> task<> {
            auto seat = rooms.join("room", peer);
            while (auto message = co_await peer.receive()) rooms.send("room", *message);
        },
        how);
    return a;
}

std::string opening(bool room, bool compressed) {
    std::string text = room ? "GET /room" : "GET /echo";
    text +=
        " HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: "
        "13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    if (compressed) text += "Sec-WebSocket-Extensions: permessage-deflate\r\n";
    return text + "\r\n";
}

void take_all(int fd) {
    char bytes[64 * 1024];
    while (::recv(fd, bytes, sizeof bytes, 0) > 0) {}
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static runtime::loop loop(runtime::make_epoll_backend());
    static hub rooms;
    static web::application service(make_app(rooms));
    static const limits bounds;
    static http::h1::core core(loop, service, bounds);
    if (size < 1) return 0;
    const unsigned how = data[0];
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    int ends[2];
    must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0, "socketpair succeeds");
    core.open(ends[1], runtime::protocols::every).start();
    const std::string begin = opening(how & 64, how & 128);
    must(::send(ends[0], begin.data(), begin.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(begin.size()),
         "the opening handshake is sent");
    loop.turn(0);
    const std::size_t step = how & 15 ? how & 15 : text.size() + 1;
    for (std::size_t at = 0; at < text.size(); at += step) {
        if (::send(ends[0], text.data() + at, std::min(step, text.size() - at), MSG_NOSIGNAL) < 0) break;
        loop.turn(0);
        take_all(ends[0]);
    }
    if (how & 16) shutdown(ends[0], SHUT_WR);
    for (int i = 0; i < 4; ++i) loop.turn(0), take_all(ends[0]);
    ::close(ends[0]);
    for (auto* c = core.first; c;) std::exchange(c, c->next())->abandon();
    for (int turns = 0; core.connections.inside() > 0; ++turns) {
        must(turns < 100, "an abandoned connection ends within 100 turns");
        loop.turn(0);
    }
    return 0;
}
