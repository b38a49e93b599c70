// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <poll.h>

namespace apus::cli::dev {

/// Forwards one request of a client to the application. Sockets are non-blocking.
class proxied_request {
public:
    explicit proxied_request(int client) noexcept : client_(client) {}
    ~proxied_request();
    proxied_request(const proxied_request&) = delete;
    proxied_request& operator=(const proxied_request&) = delete;

    /// Sets the descriptors to poll: the client's socket, then the application's socket or -1.
    void waits(pollfd (&to)[2]) const;
    /// Transfers data after poll(2) has returned these events.
    void move(const pollfd* came);
    bool is_over() const noexcept { return over_; }
    /// Returns true if the response has been sent, but the client has not closed the connection yet.
    /// `end_after_timeout` ends the request two seconds after the response.
    bool lingers() const noexcept { return all_sent_.has_value(); }
    void end_after_timeout();

    /// Returns true if the head is complete, but the request was not yet forwarded or answered.
    bool has_request() const noexcept { return !head_.empty() && !answered_; }
    const std::string& head() const noexcept { return head_; }

    /// Forwards the request to a port of 127.0.0.1. Returns false if the port is closed.
    bool forward_to_port(std::uint16_t port);
    /// Sends a complete response, then closes the connection.
    void answer(std::string_view bytes);
    /// Sends the beginning of an event stream, or further events.
    void begin_answer(std::string_view bytes);
    bool takes_events() const noexcept { return takes_events_; }

private:
    void read_request();
    void take_response(std::string_view bytes);
    void end_response();
    void on_client_end();
    void shut_down_write();

    int client_;
    int application_ = -1;
    std::string head_{};           // request head
    std::string arrived_{};        // bytes from the client, not yet forwarded
    std::string response_head_{};  // incomplete response head
    std::string to_client_{};
    bool head_forwarded_ = false;
    bool adds_script_ = false;
    bool answered_ = false;
    bool takes_events_ = false;
    // The client has closed its sending side, but still reads the response.
    bool client_ended_ = false;
    // The end of the client's input has been forwarded to the application.
    bool end_forwarded_ = false;
    std::optional<std::chrono::steady_clock::time_point> all_sent_{};  // time at which FIN was sent to the client
    bool ends_when_sent_ = false;
    bool over_ = false;
};

}  // namespace apus::cli::dev
