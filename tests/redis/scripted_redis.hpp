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

#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace apus::test {

inline const std::string redis_hello = "%1\r\n+proto\r\n:3\r\n";

/// Sends each client the scripted texts, one per command, regardless of the commands.
/// After the last text, sends nothing more, or closes the connection. PORT in a text is replaced by the server's port.
class scripted_redis {
public:
    struct options {
        std::vector<std::string> says = {};
        bool closes = false;                  ///< Whether to close the connection after the last text.
        std::size_t piece = 0;                ///< Bytes sent at a time; 0: all at once.
        std::vector<std::string> later = {};  ///< What clients are told that connect after `change`.
        bool tcp = false;                     ///< Listens on a TCP port of 127.0.0.1 instead of a Unix socket.
    };
    explicit scripted_redis(options o) : options_(std::move(o)) {
        if (options_.tcp) listen_on_port();
        else listen_on_path();
        thread_ = std::thread([this] { run(); });
    }
    scripted_redis(const scripted_redis&) = delete;
    scripted_redis& operator=(const scripted_redis&) = delete;
    ~scripted_redis() {
        stops_ = true;
        thread_.join();
        for (const client& c : clients_) ::close(c.fd);
        ::close(listener_);
        if (!folder_.empty()) std::filesystem::remove_all(folder_);
    }

    std::string port() const { return std::to_string(port_); }
    std::string url() const { return "unix:" + folder_ + "/socket"; }
    void change() noexcept { changed_ = true; }  ///< Sends new clients the texts of `options::later`.
    unsigned accepted() const noexcept { return accepted_; }
    unsigned reads() const noexcept { return reads_; }  ///< Number of reads that returned bytes.

private:
    struct client {
        int fd;
        const std::vector<std::string>* says;
        std::size_t said = 0;
        std::string got = {}, to_send = {};
    };

    template <class Address>
    void listen_on(const Address& at) {
        listener_ = ::socket(reinterpret_cast<const sockaddr&>(at).sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (::bind(listener_, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 || ::listen(listener_, 64) != 0)
            throw std::runtime_error("listen");
    }

    void listen_on_path() {
        folder_ = std::filesystem::temp_directory_path() / "apus-scripted-XXXXXX";
        if (!::mkdtemp(folder_.data())) throw std::runtime_error("mkdtemp");
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        (folder_ + "/socket").copy(at.sun_path, sizeof at.sun_path - 1);
        listen_on(at);
    }

    void listen_on_port() {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        listen_on(at);
        socklen_t size = sizeof at;
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &size);
        port_ = ntohs(at.sin_port);
        for (auto* all : {&options_.says, &options_.later})
            for (std::string& one : *all)
                for (auto i = one.find("PORT"); i != one.npos; i = one.find("PORT")) one.replace(i, 4, port());
    }

    void run() {
        while (!stops_) {
            pollfd waiting{listener_, POLLIN, 0};
            if (::poll(&waiting, 1, 1) > 0) {
                clients_.push_back({.fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC),
                                    .says = changed_ ? &options_.later : &options_.says});
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
            if (c.said < c.says->size()) c.to_send += (*c.says)[c.said++];
        }
        const std::size_t piece = options_.piece ? std::min(options_.piece, c.to_send.size()) : c.to_send.size();
        const ssize_t sent = ::send(c.fd, c.to_send.data(), piece, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) c.to_send.erase(0, static_cast<std::size_t>(sent));
        if (sent < 0 && errno != EAGAIN) return false;
        return !options_.closes || c.said < c.says->size() || !c.to_send.empty();
    }

    options options_;
    std::string folder_;
    unsigned port_ = 0;
    int listener_ = -1;
    std::vector<client> clients_;
    std::atomic<bool> stops_ = false, changed_ = false;
    std::atomic<unsigned> accepted_ = 0, reads_ = 0;
    std::thread thread_;
};

}  // namespace apus::test
