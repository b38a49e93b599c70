// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/resp/reply.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace apus::test {

inline const std::string redis_hello = "%1\r\n+proto\r\n:3\r\n";

/// Sends each client the scripted texts, one per command, regardless of the commands.
/// After the last text, sends nothing more, or closes the connection.
class scripted_redis {
public:
    struct options {
        std::vector<std::string> says;
        bool closes = false;    ///< Whether to close the connection after the last text.
        std::size_t piece = 0;  ///< Bytes sent at a time; 0: all at once.
    };
    explicit scripted_redis(options o) : options_(std::move(o)) {
        folder_ = std::filesystem::temp_directory_path() / "apus-scripted-XXXXXX";
        if (!::mkdtemp(folder_.data())) throw std::runtime_error("mkdtemp");
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        (folder_ + "/socket").copy(at.sun_path, sizeof at.sun_path - 1);
        listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (::bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 || ::listen(listener_, 64) != 0)
            throw std::runtime_error("listen");
        thread_ = std::thread([this] { run(); });
    }
    scripted_redis(const scripted_redis&) = delete;
    scripted_redis& operator=(const scripted_redis&) = delete;
    ~scripted_redis() {
        stops_ = true;
        thread_.join();
        for (const client& c : clients_) ::close(c.fd);
        ::close(listener_);
        std::filesystem::remove_all(folder_);
    }

    std::string url() const { return "unix:" + folder_ + "/socket"; }
    unsigned accepted() const noexcept { return accepted_; }
    unsigned reads() const noexcept { return reads_; }  ///< Number of reads that returned bytes.

private:
    struct client {
        int fd;
        std::size_t said = 0;
        std::string got = {}, to_send = {};
    };

    void run() {
        while (!stops_) {
            pollfd waiting{listener_, POLLIN, 0};
            if (::poll(&waiting, 1, 1) > 0) {
                clients_.push_back({.fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)});
                ++accepted_;
            }
            for (std::size_t i = 0; i < clients_.size();) {
                if (serve(clients_[i])) {
                    ++i;
                    continue;
                }
                ::close(clients_[i].fd);
                clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }

    bool serve(client& c) {
        char bytes[65536];
        const ssize_t n = ::recv(c.fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n == 0) return false;
        if (n > 0) c.got.append(bytes, static_cast<std::size_t>(n)), ++reads_;
        while (true) {
            const auto command = codec::resp::reply_scanner().scan(c.got);
            if (command.state != codec::outcome::done) break;
            c.got.erase(0, command.used);
            if (c.said < options_.says.size()) c.to_send += options_.says[c.said++];
        }
        const std::size_t piece = options_.piece ? std::min(options_.piece, c.to_send.size()) : c.to_send.size();
        const ssize_t sent = ::send(c.fd, c.to_send.data(), piece, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) c.to_send.erase(0, static_cast<std::size_t>(sent));
        if (sent < 0 && errno != EAGAIN) return false;
        return !options_.closes || c.said < options_.says.size() || !c.to_send.empty();
    }

    options options_;
    std::string folder_;
    int listener_ = -1;
    std::vector<client> clients_;
    std::atomic<bool> stops_ = false;
    std::atomic<unsigned> accepted_ = 0, reads_ = 0;
    std::thread thread_;
};

}  // namespace apus::test
