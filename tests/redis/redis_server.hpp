// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core_user.hpp"
#include "support/skipped.hpp"
#include "testing/child_process.hpp"

#include <apus/json.hpp>
#include <apus/redis.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace apus::test {

/// The distribution's Redis, on a Unix socket, without persistence.
class redis_server {
public:
    explicit redis_server(std::vector<std::string> more = {}) : more_(std::move(more)) {
        folder_ = std::filesystem::temp_directory_path() / "apus-redis-XXXXXX";
        if (!::mkdtemp(folder_.data())) throw std::runtime_error("mkdtemp");
        start();
    }
    redis_server(const redis_server&) = delete;
    redis_server& operator=(const redis_server&) = delete;
    ~redis_server() {
        kill();
        std::filesystem::remove_all(folder_);
    }

    std::string path() const { return folder_ + "/redis.sock"; }
    std::string url() const { return "unix:" + path(); }

    void kill() { running_.reset(); }  ///< Sends SIGKILL.
    void start() {
        std::vector<std::string> command{
            "/usr/bin/redis-server", "--port", "0",     "--unixsocket", path(), "--save", "",
            "--appendonly",          "no",     "--dir", folder_};
        command.insert(command.end(), more_.begin(), more_.end());
        running_ = std::make_unique<testing::child_process>(command, testing::identity{::geteuid(), ::getegid()},
                                                            folder_ + "/log");
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!accepts()) {
            if (std::chrono::steady_clock::now() > until) throw std::runtime_error("redis-server does not start");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }

private:
    bool accepts() const {
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        path().copy(at.sun_path, sizeof at.sun_path - 1);
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const bool good = ::connect(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0;
        ::close(fd);
        return good;
    }

    std::string folder_;
    std::vector<std::string> more_;
    std::unique_ptr<testing::child_process> running_;
};

/// Runs the loop until the task has ended, and returns its result.
template <class T>
result<T>& finished(running_task<T>& of) {
    while (!of.ended()) runtime::loop::current().turn(20);
    return of.wait();
}

/// An event loop on this thread, and a client of a Redis server.
struct redis_user : core_user {
    explicit redis_user(const std::string& url, const char* backend = "epoll", const redis::client_options& o = {})
        : core_user(backend), client(url, o) {}

    redis::client client;
};

/// Runs `check` on each backend, with an empty server.
inline void on_each_loop(const std::function<void(redis_server&, redis_user&)>& check,
                         const redis::client_options& o = {}) {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        redis_server server;
        redis_user user(server.url(), backend, o);
        if (user.at.loop->io().name() != std::string(backend)) support::skip_uring("this kernel lacks it");
        else check(server, user);
    }
}

}  // namespace apus::test
