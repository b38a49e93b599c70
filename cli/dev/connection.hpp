// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <poll.h>

namespace apus::cli::dev {

/// A client of the proxy, which sends one request, and the application's end of it. Sockets do not block.
class relayed {
public:
    explicit relayed(int client) noexcept : client_(client) {}
    ~relayed();
    relayed(const relayed&) = delete;
    relayed& operator=(const relayed&) = delete;

    /// What it waits for: the client's socket, then the application's, which may be -1.
    void waits(pollfd (&to)[2]) const;
    /// Moves what can be moved, when poll(2) has given these.
    void move(const pollfd* came);
    bool is_over() const noexcept { return over_; }
    /// Whether it has got all, and has only to close its side. Who does not in two seconds is over.
    bool lingers() const noexcept { return all_sent_.has_value(); }
    void end_if_late();

    /// Whether the request's head is there and nobody has answered it yet.
    bool has_request() const noexcept { return !head_.empty() && !answered_; }
    const std::string& head() const noexcept { return head_; }

    /// Hands the request on to a port of 127.0.0.1. False if nobody listens there.
    bool hand_on(std::uint16_t port);
    /// Answers, and ends when that is sent.
    void answer(std::string_view bytes);
    /// Answers, and goes on: events.
    void begin_answer(std::string_view bytes);
    bool takes_events() const noexcept { return takes_events_; }

private:
    void read_request();
    void take_response(std::string_view bytes);
    void end_response();
    void end_of_client();
    void say_that_all_is_sent();

    int client_;
    int application_ = -1;
    std::string head_{};           // of the request
    std::string arrived_{};        // of the client, and not yet handed on
    std::string response_head_{};  // until it is whole
    std::string to_client_{};
    bool head_passed_ = false;
    bool adds_script_ = false;
    bool answered_ = false;
    bool takes_events_ = false;
    bool client_ended_ = false;                                        // its side: it still takes what it has asked for
    bool end_passed_on_ = false;                                       // to the application
    std::optional<std::chrono::steady_clock::time_point> all_sent_{};  // and said so
    bool ends_when_sent_ = false;
    bool over_ = false;
};

}  // namespace apus::cli::dev
