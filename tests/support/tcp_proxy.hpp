// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace apus::support {

/// Forwards TCP connections of 127.0.0.1 to a Unix socket, on a thread of its own, and injects
/// faults.
class tcp_proxy {
public:
    explicit tcp_proxy(std::string socket_path);
    tcp_proxy(const tcp_proxy&) = delete;
    tcp_proxy& operator=(const tcp_proxy&) = delete;
    ~tcp_proxy();

    std::uint16_t port() const noexcept { return port_; }

    /// Determines how bytes and new connections are handled.
    enum class mode : std::uint8_t {
        forward,
        silent,  ///< A network partition: nothing is forwarded, and no connection is closed.
        reset,   ///< Existing and new connections are reset.
    };
    void set(mode m) noexcept;  ///< Takes effect after a short time. Callable from any thread.

    void delay(unsigned milliseconds) noexcept { delay_ = milliseconds; }  ///< Delays each piece that the server sends.
    /// Delays each piece that a client sends, except requests to cancel a statement.
    void delay_requests(unsigned milliseconds) noexcept { request_delay_ = milliseconds; }
    unsigned accepted() const noexcept { return accepted_; }  ///< Number of connections so far.

private:
    struct link;
    void run();
    void accept_one();
    void close_all(bool by_reset);
    bool forward_requests(link&);
    static bool move(int from, int to, std::string& waiting);
    void wake() const noexcept;

    std::string path_;
    int listener_ = -1, bell_ = -1;
    std::uint16_t port_ = 0;
    std::atomic<mode> mode_ = mode::forward;
    std::atomic<unsigned> delay_ = 0, request_delay_ = 0, accepted_ = 0;
    std::atomic<bool> stops_ = false;
    std::vector<link> links_;
    std::thread thread_;
};

}  // namespace apus::support
