// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core_user.hpp"
#include "support/skipped.hpp"
#include "testing/child_process.hpp"

#include <apus/nats.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

namespace apus::test {

inline sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return at;
}

/// Returns a socket that is bound to a free port of 127.0.0.1.
inline int bound_socket(std::uint16_t& port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at = loopback(0);
    socklen_t size = sizeof at;
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(fd, reinterpret_cast<sockaddr*>(&at), size) != 0) throw std::runtime_error("bind");
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size);
    port = ntohs(at.sin_port);
    return fd;
}

/// The distribution's nats-server with JetStream, on a port of 127.0.0.1, which stays the same after `kill`.
class nats_server {
public:
    /// `more`: further lines of its configuration file.
    explicit nats_server(std::string more = {}) {
        folder_ = std::filesystem::temp_directory_path() / "apus-nats-XXXXXX";
        if (!::mkdtemp(folder_.data())) throw std::runtime_error("mkdtemp");
        ::close(bound_socket(port_));
        std::FILE* const file = std::fopen((folder_ + "/conf").c_str(), "w");
        const std::string text = "listen: 127.0.0.1:" + std::to_string(port_) + "\njetstream { store_dir: \"" +
                                 folder_ + "/store\" }\n" + more + "\n";
        std::fwrite(text.data(), 1, text.size(), file);
        std::fclose(file);
        start();
    }
    nats_server(const nats_server&) = delete;
    nats_server& operator=(const nats_server&) = delete;
    ~nats_server() {
        kill();
        std::filesystem::remove_all(folder_);
    }

    std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
    std::string url() const { return "nats://" + host(); }

    void kill() { running_.reset(); }  ///< Sends SIGKILL.
    void start() {
        running_ = std::make_unique<testing::child_process>(
            std::vector<std::string>{"/usr/sbin/nats-server", "-c", folder_ + "/conf"},
            testing::identity{::geteuid(), ::getegid()}, folder_ + "/log");
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!accepts()) {
            if (std::chrono::steady_clock::now() > until) throw std::runtime_error("nats-server does not start");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }

private:
    bool accepts() const {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in at = loopback(port_);
        const bool good = ::connect(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
        ::close(fd);
        return good;
    }

    std::string folder_;
    std::uint16_t port_ = 0;
    std::unique_ptr<testing::child_process> running_;
};

/// An event loop on this thread, and a client of a NATS server.
struct nats_user : core_user {
    explicit nats_user(const std::string& url, const char* backend = "epoll", const nats::client_options& o = {})
        : core_user(backend), client(url, o) {}

    /// Returns the next message of a subscription: "SUBJECT PAYLOAD", "gap", "end", or an error.
    std::string next(nats::subscription& of) {
        const auto got = run(of.next());
        if (!got) return failure(got);
        if (!*got) return "end";
        return (*got)->gap ? "gap" : (*got)->subject + " " + (*got)->payload;
    }

    nats::client client;
};

/// Runs `check` on each backend.
inline void on_each_backend(const std::function<void(const char*)>& check) {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        if (core(backend).loop->io().name() != std::string(backend)) support::skip_uring("this kernel lacks it");
        else check(backend);
    }
}

/// Runs `check` on each backend, with a new server.
inline void on_each_nats(const std::function<void(nats_server&, nats_user&)>& check,
                         const nats::client_options& o = {}) {
    on_each_backend([&](const char* backend) {
        nats_server server;
        nats_user user(server.url(), backend, o);
        check(server, user);
    });
}

}  // namespace apus::test
