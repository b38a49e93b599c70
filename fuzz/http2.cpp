// SPDX-License-Identifier: Apache-2.0
// Frames, including HPACK data, on an HTTP/2 connection with handlers that read, write and wait. The first byte of the
// input selects the split. The connection and its handlers must end for any input.
#include "http/connection.hpp"
#include "http/h1/core.hpp"
#include "runtime/loop.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>
#include <apus/stream.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <unistd.h>

using namespace apus;

namespace {

app make() {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.post("/", [](body_text in) { return std::string(in.bytes); });
    a.get("/s", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            for (int i = 0; i < 10; ++i) co_await out.write(std::string(20'000, 'p'));
            out.trailer("x-sum", "42");
        });
    });
    a.post("/r", [](request& in) -> task<std::string> { co_return std::to_string((co_await in.body()).size()); });
    a.get("/u", [] {
        return upgrade("echo", [](request& in, writer& out) -> task<> {
            for (std::string_view piece = co_await in.read(); !piece.empty(); piece = co_await in.read())
                co_await out.write(piece);
        });
    });
    return a;
}

void take_all(int fd) {
    char bytes[64 * 1024];
    while (recv(fd, bytes, sizeof bytes, 0) > 0) {}
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static runtime::loop loop(runtime::make_epoll_backend());
    static web::application service(make());
    static const limits bounds{.body = 100'000};
    static http::h1::core core(loop, service, bounds);
    if (size < 1) return 0;
    std::string_view in(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t cut = data[0] ? data[0] : size;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
    core.open(ends[1], runtime::protocols::every).start();
    // Always sends the preface, since most inputs would otherwise not be HTTP/2.
    const std::string first = std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + std::string("\0\0\0\4\0\0\0\0\0", 9);
    if (send(ends[0], first.data(), first.size(), MSG_NOSIGNAL) < 0) std::abort();
    for (std::size_t at = 0; at < in.size(); at += cut) {
        const std::string_view piece = in.substr(at, cut);
        if (send(ends[0], piece.data(), piece.size(), MSG_NOSIGNAL) < 0) break;
        loop.turn(0);
        take_all(ends[0]);
    }
    for (int i = 0; i < 4; ++i) loop.turn(0), take_all(ends[0]);
    close(ends[0]);
    for (int i = 0; core.connections.inside() > 0; ++i) {
        if (i == 100) core.first->abandon();
        if (i == 1000) std::abort();
        loop.turn(0);
    }
    return 0;
}
