// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nats/nats_server.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>

namespace apus::test {

inline const std::string nats_info = "INFO {\"headers\":true,\"max_payload\":1000}\r\n";

/// Plays the same script to each client: waits for a text from the client, and then sends a text.
class scripted_nats {
public:
    struct step {
        std::string after;  ///< Empty: at once.
        std::string says = {};
    };
    struct options {
        std::vector<step> steps = {};
        bool closes = false;    ///< Whether to close the connection after the last text.
        std::size_t piece = 0;  ///< Bytes sent at a time; 0: all at once.
        bool deaf = false;      ///< Whether to stop reading after the last step.
    };
    /// Script of a server that accepts the client, and then does these steps.
    static std::vector<step> accepted(std::vector<step> more = {}) {
        std::vector<step> made = {{"", nats_info}, {"PING\r\n", "PONG\r\n"}};
        made.insert(made.end(), more.begin(), more.end());
        return made;
    }

    explicit scripted_nats(options o) : options_(std::move(o)), listener_(bound_socket(port_)) {
        const int small = 4'096;  // so that a server that does not read slows down its clients soon
        if (options_.deaf) ::setsockopt(listener_, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        if (::listen(listener_, 64) != 0) throw std::runtime_error("listen");
        thread_ = std::thread([this] { run(); });
    }
    scripted_nats(const scripted_nats&) = delete;
    scripted_nats& operator=(const scripted_nats&) = delete;
    ~scripted_nats() {
        stops_ = true;
        thread_.join();
        for (const client& c : clients_) ::close(c.fd);
        ::close(listener_);
    }

    std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
    std::string url() const { return "nats://" + host(); }
    unsigned count() const noexcept { return accepted_; }  ///< Number of clients so far.

private:
    struct client {
        int fd;
        std::size_t done = 0;
        std::string got = {}, to_send = {};
        std::size_t sent = 0;  // of `to_send`
    };

    void run() {
        while (!stops_) {
            pollfd waiting{listener_, POLLIN, 0};
            if (::poll(&waiting, 1, 1) > 0) {
                clients_.push_back({.fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)});
                ++accepted_;
            }
            std::erase_if(clients_, [this](client& c) {
                if (serve(c)) return false;
                ::close(c.fd);
                return true;
            });
        }
    }

    bool serve(client& c) {
        char bytes[65536];
        if (!options_.deaf || c.done < options_.steps.size()) {
            const ssize_t n = ::recv(c.fd, bytes, sizeof bytes, MSG_DONTWAIT);
            if (n == 0) return false;
            if (n > 0) c.got.append(bytes, static_cast<std::size_t>(n));
        }
        for (; c.done < options_.steps.size(); ++c.done) {
            const step& next = options_.steps[c.done];
            const auto at = c.got.find(next.after);
            if (at == c.got.npos) break;
            c.got.erase(0, at + next.after.size());
            c.to_send += next.says;
        }
        const std::size_t all = c.to_send.size();
        const std::size_t piece = options_.piece ? std::min(options_.piece, all - c.sent) : all - c.sent;
        const ssize_t sent = ::send(c.fd, c.to_send.data() + c.sent, piece, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) c.sent += static_cast<std::size_t>(sent);
        if (sent < 0 && errno != EAGAIN) return false;
        return !options_.closes || c.done < options_.steps.size() || c.sent < all;
    }

    options options_;
    std::uint16_t port_ = 0;
    int listener_;
    std::vector<client> clients_;
    std::atomic<bool> stops_ = false;
    std::atomic<unsigned> accepted_ = 0;
    std::thread thread_;
};

}  // namespace apus::test
