// SPDX-License-Identifier: Apache-2.0
// An HTTP/2 client that splits and delays frames. The input also controls the clock. When the input has ended, the
// connection and its memory must be released within the sum of the timeouts.
#include "http/connection.hpp"
#include "http/h1/core.hpp"
#include "property.hpp"
#include "runtime/loop.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/websocket.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <malloc.h>
#include <sanitizer/allocator_interface.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace apus;
using apus::fuzz::must;

#pragma weak __sanitizer_get_current_allocated_bytes  // null without AddressSanitizer

namespace {

constexpr std::string_view paths[] = {"/", "/read", "/late", "/pieces", "/skipped", "/ws"};

app make() {
    app a;
    a.get("/", [] { return std::string(3'000, 'h'); });
    a.post("/", [](body_text in) { return std::string(in.bytes); });
    a.post("/read", [](request& in) -> task<std::string> { co_return std::to_string((co_await in.body()).size()); });
    a.post("/skipped", [] { return "not read\n"; });
    a.get("/late", []() -> task<std::string> {
        co_await apus::sleep_for(seconds(600));
        co_return "late\n";
    });
    a.get("/pieces", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            for (int i = 0; i < 20; ++i) co_await out.write(std::string(20'000, 'p'));
        });
    });
    a.websocket("/ws", [](websocket peer) -> task<> {
        while (auto message = co_await peer.receive()) co_await peer.send(*message);
    });
    return a;
}

std::string number(std::uint32_t n, int bytes) {
    std::string all;
    while (bytes--) all += static_cast<char>(n >> bytes * 8 & 0xff);
    return all;
}

std::string frame(unsigned type, unsigned flags, std::uint32_t stream, std::string_view payload) {
    return number(static_cast<std::uint32_t>(payload.size()), 3) + number(type, 1) + number(flags, 1) +
           number(stream, 4) + std::string(payload);
}

std::string literal(std::string_view name, std::string_view value) {
    std::string all(1, '\0');
    (all += static_cast<char>(name.size())) += name;
    return (all += static_cast<char>(value.size())) += value;
}

std::string request(unsigned which, std::uint32_t stream, bool ends) {
    const std::string_view path = paths[which % std::size(paths)];
    const bool tunnel = path == "/ws", posts = path == "/read" || path == "/skipped" || which >= 128;
    std::string block = literal(":method", tunnel ? "CONNECT" : posts ? "POST" : "GET");
    block += literal(":scheme", "http") + literal(":path", path) + literal(":authority", "a");
    if (tunnel) block += literal(":protocol", "websocket") + literal("sec-websocket-version", "13");
    return frame(1, ends && !tunnel ? 5 : 4, stream, block);
}

/// A client that reads its actions from the input, byte by byte.
class client {
public:
    client(runtime::loop& on, http::h1::core& core, std::string_view program) : loop_(on), in_(program) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
        fd_ = ends[0];
        core.open(ends[1], runtime::protocols::every).start();
        unsent_ = std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") +
                  frame(4, 0, 0, next() % 2 ? "" : number(4, 2) + number(next(), 4));
        if (next() % 8) send(unsent_.size());  // usually sends the preface and SETTINGS at once
    }
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() { close(fd_); }

    void run() {
        while (!in_.empty()) step();
    }
    void pass(std::int64_t milliseconds) {
        loop_.io().clock().move(milliseconds);
        for (int i = 0; i < 3; ++i) loop_.turn(0);
        char bytes[16 * 1024];
        while (reads_ && recv(fd_, bytes, sizeof bytes, 0) > 0) {}
    }

private:
    unsigned next() {
        if (in_.empty()) return 0;
        const auto byte = static_cast<unsigned char>(in_.front());
        in_.remove_prefix(1);
        return byte;
    }
    std::string_view some(std::size_t most) {
        const std::string_view taken = in_.substr(0, most);
        in_.remove_prefix(taken.size());
        return taken;
    }
    void send(std::size_t most) {
        const ssize_t n = ::send(fd_, unsent_.data(), std::min(most, unsent_.size()), MSG_NOSIGNAL);
        if (n > 0) unsent_.erase(0, static_cast<std::size_t>(n));
    }
    // Queues a frame; a byte of the input determines how much of it is sent at once.
    void begin(const std::string& whole) {
        unsent_ += whole;
        const unsigned part = next();
        send(part >= 128 ? unsent_.size() : unsent_.size() * part / 128);
    }
    std::uint32_t stream() { return (next() % 16) * 2 + 1; }
    void step() {
        switch (const unsigned what = next(); what % 8) {
            case 0: {
                const unsigned type = next() % 14, flags = next();
                const std::uint32_t on = what & 8 ? 0 : stream();
                const std::size_t size = next();
                return begin(frame(type, flags, on, some(size)));
            }
            case 1: return send(next());
            case 2: return pass(std::int64_t{1} << (next() % 16));
            case 3: return void(reads_ = what & 8);
            case 4: opened_ += 2; return begin(request(next(), opened_, (what & 8) != 0));
            case 5: {
                const std::uint32_t on = stream();
                return begin(frame(0, what & 8 ? 1 : 0, on, std::string(next() * 16, 'd')));
            }
            case 6: return begin(frame(8, 0, what & 8 ? 0 : stream(), number(next() << 8, 4)));
            case 7: return what == 0xff ? void(shutdown(fd_, SHUT_WR)) : pass(1);
        }
    }

    runtime::loop& loop_;
    std::string_view in_;
    std::string unsent_;
    int fd_;
    std::uint32_t opened_ = static_cast<std::uint32_t>(-1);
    bool reads_ = true;
};

std::size_t in_use() {
    if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
    return mallinfo2().uordblks;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static runtime::loop loop(runtime::make_epoll_backend());
    static web::application service(make());
    static const limits bounds{.body = 100'000};
    static http::h1::core core(loop, service, bounds);
    static std::optional<std::size_t> level;

    client c(loop, core, {reinterpret_cast<const char*>(data), size});
    c.run();
    // The longest sequence of timeouts in seconds: a silent WebSocket (ping, pong, close), and then a connection
    // without a stream.
    constexpr int longest = 150;
    for (int i = 0; i < longest && core.connections.inside() > 0; ++i) c.pass(1000);
    must(core.connections.inside() == 0, "a silent connection ends after the timeouts");
    loop.turn(0);
    // Maximum size of the memory that is kept for reuse: exchanges, free lists, coroutine frames.
    constexpr std::size_t kept = 16 * 1024 * 1024;
    if (!level) level = in_use();
    must(in_use() < *level + kept, "a closed connection releases its memory");
    return 0;
}
