// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/h1/wire.hpp"
#include "support/skipped.hpp"
#include "ws/frames.hpp"

#include <apus/hub.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::test {

inline app chatting(hub& rooms) {
    app a;
    const websocket_options how{.compress = true, .compress_from = 20};
    a.websocket(
        "/chat/{room}",
        [&rooms](websocket peer, std::string room) -> task<> {
            auto seat = rooms.join(room, peer);
            while (auto message = co_await peer.receive()) {
                // Messages sent directly to one peer use the session's own compression.
                if (message->bytes.starts_with("echo")) co_await peer.send(*message);
                else rooms.send(room, *message);
            }
        },
        how);
    return a;
}

/// A server core, with clients from which the test reads one by one.
class core_of_test {
public:
    explicit core_of_test(hub& rooms, std::unique_ptr<runtime::backend> io = runtime::make_epoll_backend())
        : loop_(std::move(io)), service_(chatting(rooms)), core_(loop_, service_, bounds_) {}
    ~core_of_test() {
        for (int fd : clients_) ::close(fd);
        for (auto* c = core_.first; c;) std::exchange(c, c->next())->abandon();
        while (core_.connections.inside() > 0) loop_.turn(1);
    }

    std::size_t join(std::string_view room, std::string_view lines = {}) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
            throw std::runtime_error("no sockets");
        clients_.push_back(ends[0]);
        came_.emplace_back();
        core_.open(ends[1], runtime::protocols::every).start();
        send(clients_.size() - 1, opening_request("/chat/" + std::string(room), lines));
        turn();
        take(clients_.size() - 1);
        came_.back().erase(0, came_.back().find("\r\n\r\n") + 4);
        return clients_.size() - 1;
    }
    void send(std::size_t client, std::string_view bytes) {
        REQUIRE(::send(clients_[client], bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
                static_cast<ssize_t>(bytes.size()));
    }
    void turn(int times = 4) {
        for (int i = 0; i < times; ++i) loop_.turn(0);
    }
    void take(std::size_t client) {
        char bytes[64 * 1024];
        for (ssize_t n; (n = ::recv(clients_[client], bytes, sizeof bytes, 0)) > 0;)
            came_[client].append(bytes, static_cast<std::size_t>(n));
    }
    std::string seen(std::size_t client) {
        turn();
        take(client);
        return test::take_frames(came_[client]);
    }
    std::string raw(std::size_t client) {
        turn();
        take(client);
        return std::exchange(came_[client], {});
    }
    bool has_bytes(std::size_t client) const {
        char byte;
        return ::recv(clients_[client], &byte, 1, MSG_PEEK) == 1;
    }
    runtime::loop& loop() noexcept { return loop_; }

private:
    limits bounds_;
    runtime::loop loop_;
    web::application service_;
    http::h1::core core_;
    std::vector<int> clients_;
    std::vector<std::string> came_;
};

inline void on_each_hub_backend(const std::function<void(std::unique_ptr<runtime::backend>)>& check) {
    check(runtime::make_epoll_backend());
    std::string why;
    if (auto io = runtime::make_uring_backend(why)) check(std::move(io));
    else support::skip_uring(why);
}

}  // namespace apus::test
