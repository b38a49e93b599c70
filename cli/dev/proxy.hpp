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

/// Reverse proxy of `apus dev` in front of the current application.
/// Delays requests until an application is ready. Adds a script to each page, which reloads the page and shows errors.
/// Runs on its own thread; call the members from the main thread.
class proxy {
public:
    /// Throws E0311 if the address cannot be bound.
    /// Port 0 selects a free port. Prints one warning if the limit on descriptors is reached; further clients then
    /// wait. Requests for a host that is neither local (see `is_local_host`) nor `host` nor in `names` get 421. This
    /// prevents DNS rebinding: another site could otherwise let its name resolve to 127.0.0.1, and its pages could read
    /// the application and the compiler's messages.
    proxy(const std::string& host, std::uint16_t port, const std::vector<std::string>& names, terminal::shell& shell);
    ~proxy();
    proxy(const proxy&) = delete;
    proxy& operator=(const proxy&) = delete;

    const std::string& url() const noexcept { return url_; }

    /// Forwards requests to this port of 127.0.0.1 from now on, and reloads pages.
    void forward_to(std::uint16_t port);
    /// Shows errors of the latest build over pages, or instead of pages if there is no application.
    void show_failure(std::string text);
    /// Reloads all open pages.
    void reload();
    /// Returns the time at which the proxy last forwarded a request to the application.
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
    bool can_accept() const noexcept { return connections_.size() < most_ && !pauses_; }
    void accept_all();
    void warn_about_limit();
    void serve_all(const std::vector<pollfd>& came);
    void notify_listeners();
    bool update_state();
    bool accepts_host(std::string_view host) const;

    terminal::shell& shell_;
    std::size_t most_;  // maximum concurrent connections
    int listener_ = -1;
    int wake_ = -1;
    std::string url_;
    std::vector<std::string> names_;  // accepted hosts, in lower case
    std::atomic<std::chrono::steady_clock::duration> asked_{};
    std::mutex lock_;
    state state_{};  // set by the main thread, under the lock
    state now_{};    // copy used by the proxy's thread
    std::atomic<bool> ends_ = false;
    std::list<connection> connections_;
    bool pauses_ = false;  // accepting is paused, since no descriptors are left
    bool told_ = false;
    std::thread thread_;
};

}  // namespace apus::cli::dev
