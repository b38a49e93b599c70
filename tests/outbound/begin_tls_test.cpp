// SPDX-License-Identifier: Apache-2.0
#include "outbound/connecting.hpp"

#include "outbound/secure_server.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

using namespace apus;
using namespace apus::test;

namespace {

/// Accepts one connection, sends a greeting, and then forwards bytes to a port, or sends other bytes after the first
/// ones of the client.
class greeting_relay {
public:
    struct options {
        std::string greeting = "hello\n";
        std::uint16_t to = 0;       // 0: forwards nothing
        std::string responds = {};  // after the first bytes of the client
        bool closes = false;        // after the first bytes of the client
    };
    explicit greeting_relay(options o) : options_(std::move(o)) {
        sockaddr_in at = loopback(0);
        listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        socklen_t size = sizeof at;
        REQUIRE(::bind(listener_, reinterpret_cast<sockaddr*>(&at), size) == 0);
        REQUIRE(::listen(listener_, 1) == 0);
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
        port = ntohs(at.sin_port);
        thread_ = std::thread([this] { run(); });
    }
    greeting_relay(const greeting_relay&) = delete;
    greeting_relay& operator=(const greeting_relay&) = delete;
    ~greeting_relay() {
        stops_ = true;
        thread_.join();
        ::close(listener_);
    }
    std::uint16_t port = 0;

private:
    static sockaddr_in loopback(std::uint16_t number) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_port = htons(number);
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return at;
    }
    bool readable(int fd) const {
        pollfd one{fd, POLLIN, 0};
        while (!stops_)
            if (::poll(&one, 1, 5) > 0) return true;
        return false;
    }
    static void send(int fd, std::string_view bytes) { (void)::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

    void run() {
        if (!readable(listener_)) return;
        const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        send(fd, options_.greeting);
        if (options_.to != 0) forward(fd);
        else if (readable(fd)) {
            send(fd, options_.responds);
            char bytes[4096];
            (void)::recv(fd, bytes, sizeof bytes, 0);
            if (!options_.closes && !options_.responds.empty()) (void)readable(fd);
            while (!options_.closes && !stops_) ::poll(nullptr, 0, 5);
        }
        ::close(fd);
    }

    void forward(int fd) const {
        const int other = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in at = loopback(options_.to);
        if (::connect(other, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) return;
        pollfd both[] = {{fd, POLLIN, 0}, {other, POLLIN, 0}};
        char bytes[4096];
        for (bool open = true; open && !stops_;) {
            if (::poll(both, 2, 5) <= 0) continue;
            for (int i = 0; i < 2; ++i) {
                if (!both[i].revents) continue;
                const ssize_t n = ::recv(both[i].fd, bytes, sizeof bytes, 0);
                open = open && n > 0;
                if (n > 0) send(both[1 - i].fd, {bytes, static_cast<std::size_t>(n)});
            }
        }
        ::close(other);
    }

    options options_;
    int listener_ = -1;
    std::atomic<bool> stops_ = false;
    std::thread thread_;
};

/// Reads the greeting, begins TLS and sends a request. Returns the first line of the response, or the reason.
task<std::string> greeted(runtime::loop& loop, std::uint16_t port, const client_tls& tls, std::string host,
                          std::uint64_t timeout) {
    const std::uint64_t due = loop.now() + timeout;
    std::string why;
    const auto io = co_await outbound::connect_to_host(loop, {.host = "localhost", .port = port}, nullptr, due, why);
    if (!io) co_return "not connected: " + why;
    const auto line = [&io, due]() -> task<std::string> {
        while (!io->unread().contains('\n') && !io->ended()) {
            if (co_await io->reading.until(due) == outbound::wake::late) break;
            io->gather();
        }
        std::string got(io->unread().substr(0, io->unread().find('\n')));
        io->use(std::min(got.size() + 1, io->unread().size()));
        co_return std::move(got);
    };
    if (const std::string first = co_await line(); first != "hello") co_return "greeting: " + first;
    why = co_await outbound::begin_tls(*io, *tls.operator->(), std::move(host), due);
    if (!why.empty()) co_return "TLS: " + why;
    io->send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    co_return co_await line();
}

app plain_app() {
    app a;
    a.get("/", [] { return std::string("x"); });
    return a;
}

}  // namespace

TEST_CASE("TLS begins after the greeting of a server") {
    secure_server s(plain_app());
    const auto target = static_cast<std::uint16_t>(std::stoul(s.up.url().substr(s.up.url().rfind(':') + 1)));
    const std::string handshake_failed = "TLS: the TLS handshake has failed";
    const struct {
        greeting_relay::options relay;
        std::string host, got;
        std::uint64_t timeout = 5'000;
    } cases[] = {
        {{.to = target}, "localhost", "HTTP/1.1 200 OK\r"},
        {{.to = target}, "example.org", "TLS: the certificate is not trusted: hostname mismatch"},
        {{.greeting = "hello\nhello again\n", .to = target},
         "localhost",
         "TLS: the server has sent bytes before the TLS handshake"},
        {{.responds = "-ERR no TLS\r\n"}, "localhost", handshake_failed},
        {{.closes = true}, "localhost", handshake_failed},
        {{}, "localhost", "TLS: timeout while connecting", 100},
    };
    for (const auto& one : cases) {
        CAPTURE(one.got);
        const greeting_relay relay(one.relay);
        auto got = s.on.wait(greeted(s.on.loop, relay.port, s.options.tls, one.host, one.timeout));
        REQUIRE(got);
        CHECK(*got == one.got);
    }
}
