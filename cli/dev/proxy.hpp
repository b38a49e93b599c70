// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <thread>

namespace apus::cli::dev {

/// Listens where people look, for as long as `apus dev` runs, and hands requests on to the application of the moment. While
/// there is none yet, requests wait. Adds a script to pages, which reloads them and shows what is wrong.
/// A thread of its own; the members are for the main thread.
class proxy {
public:
    /// Throws E0311 if it cannot listen there. Port 0 takes a free one.
    proxy(const std::string& host, std::uint16_t port);
    ~proxy();
    proxy(const proxy&) = delete;
    proxy& operator=(const proxy&) = delete;

    const std::string& url() const noexcept { return url_; }

    /// From now on requests go to this port of 127.0.0.1, and pages load anew.
    void hand_on_to(std::uint16_t port);
    /// What is wrong with the newest state is shown over pages, or in place of them if there is no application.
    void show_failure(std::string text);
    /// Pages load anew.
    void reload();

private:
    struct connection;
    struct state {
        std::uint16_t port = 0;
        unsigned generation = 0;
        std::string failure{};
    };

    void run();
    void change(void (*how)(state&, std::uint16_t, std::string&), std::uint16_t port, std::string text);
    void accept_all();
    void tell_listeners();

    int listener_ = -1;
    int wake_ = -1;
    std::string url_;
    std::mutex lock_;
    state state_{};              // of the main thread, under the lock
    state now_{};                // as the proxy's thread knows it
    std::atomic<bool> ends_ = false;
    std::list<connection> connections_;
    std::thread thread_;
};

}  // namespace apus::cli::dev
