// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <poll.h>

#include "cli/terminal/shell.hpp"

namespace apus::cli::dev {

/// Listens where people look, for as long as `apus dev` runs, and hands requests on to the application of the moment.
/// While
/// there is none yet, requests wait. Adds a script to pages, which reloads them and shows what is wrong.
/// A thread of its own; the members are for the main thread.
class proxy {
public:
    /// Throws E0311 if it cannot listen there. Port 0 takes a free one. The shell is told, once, if there are more
    /// clients than the limit of descriptors leaves room for; those wait until others have gone. Requests that name
    /// another host than this machine (see `is_local`), `host` or one of `names` get 421: a page of another site, whose
    /// name leads to 127.0.0.1 since it loaded (DNS rebinding), would read the application and the compiler's messages.
    proxy(const std::string& host, std::uint16_t port, const std::vector<std::string>& names, terminal::shell& shell);
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
    /// When the application was last given a request.
    std::chrono::steady_clock::time_point last_request() const noexcept {
        return std::chrono::steady_clock::time_point(asked_.load());
    }

private:
    struct connection;
    struct state {
        std::uint16_t port = 0;
        unsigned generation = 0;
        std::string failure{};
    };

    void run();
    void change(void (*how)(state&, std::uint16_t, std::string&), std::uint16_t port, std::string text);
    bool takes_more() const noexcept { return connections_.size() < most_ && !pauses_; }
    void accept_all();
    void say_that_it_is_full();
    void serve_all(const std::vector<pollfd>& came);
    void tell_listeners();
    bool look_at_state();
    bool answers_for(std::string_view host) const;

    terminal::shell& shell_;
    std::size_t most_;  // connections at a time
    int listener_ = -1;
    int wake_ = -1;
    std::string url_;
    std::vector<std::string> names_;  // of hosts, in small letters
    std::atomic<std::chrono::steady_clock::duration> asked_{};
    std::mutex lock_;
    state state_{};  // of the main thread, under the lock
    state now_{};    // as the proxy's thread knows it
    std::atomic<bool> ends_ = false;
    std::list<connection> connections_;
    bool pauses_ = false;  // the machine has no descriptors
    bool told_ = false;
    std::thread thread_;
};

}  // namespace apus::cli::dev
