// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/h1/protocol.hpp"
#include "net/listener.hpp"
#include "runtime/loop.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace apus::test {

/// The kind of socket: with TCP, resets are visible; Unix sockets have small buffers.
enum class over {
    unix_pair,
    tcp
};

/// A raw connection to an app, for clients that are slow, misbehave or disconnect.
/// By default, APUS_IO selects the backend. A thread can have either one `wire` or one `test::client`.
class wire {
public:
    explicit wire(app a, limits l = {}, over kind = over::unix_pair, std::unique_ptr<runtime::backend> io = backend())
        : kind_(kind), bounds_(l), loop_(std::move(io)), service_(std::move(a)), core_(loop_, service_, bounds_) {
        connect();
    }
    ~wire() {
        hang_up();
        for (auto* c = core_.first; c;) std::exchange(c, c->next())->abandon();
        while (core_.connections.inside() > 0) loop_.turn(1);
    }

    /// Sends all bytes, and runs the loop while the socket is full.
    void send(std::string_view bytes) {
        turn_until([&] {
            const ssize_t n = bytes.empty() ? 0 : ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
            return bytes.empty() || (n < 0 && errno != EAGAIN);
        });
    }

    /// Sends without waiting; returns the number of bytes, or -1.
    ssize_t try_send(std::string_view bytes) const { return ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

    /// Returns received bytes, at most `most`. Does not run the loop.
    std::string take(std::size_t most = 1 << 16) {
        std::string bytes(most, '\0');
        const ssize_t n = ::recv(fd_, bytes.data(), most, 0);
        ended = ended || n == 0 || (n < 0 && errno != EAGAIN);
        was_reset = was_reset || (n < 0 && errno == ECONNRESET);
        bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
        return bytes;
    }

    /// Returns all bytes up to and including `text`, or up to the end.
    std::string until(std::string_view text) {
        std::string all;
        turn_until([&] {
            all += take();
            return all.contains(text) || ended;
        });
        return all;
    }

    /// Returns all bytes until the app closes the connection.
    std::string rest() {
        std::string all;
        turn_until([&] {
            all += take();
            return ended;
        });
        return all;
    }

    void turn(int times) {
        for (int i = 0; i < times; ++i) loop_.turn(0);
    }
    /// Advances the loop's clock.
    void pass(std::int64_t milliseconds) {
        turn(2);
        loop_.io().clock().move(milliseconds);
        turn(4);
    }
    void turn_until(const std::function<bool()>& done) {
        const auto due = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!done()) {
            if (std::chrono::steady_clock::now() > due) throw std::runtime_error("nothing happened for 10 s");
            loop_.turn(1);
        }
    }

    /// Closes the current connection, and opens another one.
    void connect(runtime::protocols spoken = runtime::protocols::every) {
        hang_up();
        const auto [ours, theirs] = kind_ == over::tcp ? tcp_pair() : unix_pair();
        fd_ = ours;
        ended = was_reset = false;
        core_.open(theirs, spoken).start();
    }
    /// Closes the client's socket so that the app sees a reset. Works only with TCP.
    void reset() noexcept {
        const linger hard{1, 0};
        setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        hang_up();
    }
    void half_close() noexcept { shutdown(fd_, SHUT_WR); }
    void hang_up() noexcept {
        if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    }
    /// Returns the bytes on the core's memory account after a client has sent `bytes` and disconnected.
    std::uint64_t used_after_leaving(std::string_view bytes) {
        connect();
        send(bytes);
        turn(20);
        hang_up();
        wait_for_close();
        return loop().memory().used();
    }

    /// Runs the loop until the app has released all connections.
    void wait_for_close() {
        turn_until([this] { return core_.connections.inside() == 0; });
    }

    /// Returns another client's socket, and the app's end of the connection.
    static std::pair<int, int> tcp_pair() {
        auto listener = net::listener::open(*net::endpoint::parse("127.0.0.1:0")).value();
        const int ours = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (::connect(ours, listener.where().address(), listener.where().size()) != 0)
            throw std::runtime_error("no connection");
        fcntl(ours, F_SETFL, O_NONBLOCK);
        return {ours, accept4(listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    }

    http::h1::core& core() noexcept { return core_; }
    runtime::loop& loop() noexcept { return loop_; }

    bool ended = false;      ///< The app has closed the connection.
    bool was_reset = false;  ///< The app has closed the connection by a reset.

private:
    static std::pair<int, int> unix_pair() {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
            throw std::runtime_error("no sockets");
        return {ends[0], ends[1]};
    }
    static std::unique_ptr<runtime::backend> backend() {
        const char* wanted = std::getenv("APUS_IO");
        std::string why;
        auto io = runtime::make_backend(wanted ? wanted : "", why);
        if (!io) throw std::runtime_error(why);
        return io;
    }

    over kind_;
    limits bounds_;
    runtime::loop loop_;
    web::application service_;
    http::h1::core core_;
    int fd_ = -1;
};

/// Returns the status codes of all final and interim responses in `bytes`, such as "100 200".
inline std::string statuses(std::string_view bytes) {
    std::string all;
    for (std::size_t at = 0; (at = bytes.find("HTTP/1.1 ", at)) != bytes.npos; at += 9)
        if (bytes.substr(at + 9, 3).find_first_not_of("0123456789") == bytes.npos)
            (all += all.empty() ? "" : " ") += bytes.substr(at + 9, 3);
    return all;
}

}  // namespace apus::test
