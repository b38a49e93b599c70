// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "server/answer_reader.hpp"

#include <apus/duration.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace apus::server {

/// A test's end of a connection to an app on this thread's loop, which turns while a call waits.
class test_connection {
public:
    explicit test_connection(http::core& to);
    test_connection(const test_connection&) = delete;
    test_connection& operator=(const test_connection&) = delete;
    ~test_connection();

    /// Sends these bytes, or as many as the app takes before it closes.
    void send(std::string_view bytes);

    /// Gives what has arrived to `reader`.
    void take_input();

    /// Turns the loop once and takes what arrives. Throws `std::runtime_error` if that is after `due`.
    void wait(std::uint64_t due, duration patience);

    bool ended() const noexcept { return ended_; }  ///< The app has closed the connection.

    answer_reader reader;

private:
    runtime::loop& loop_;
    int fd_ = -1;
    bool ended_ = false;
};

/// Opens a connection to the app, and gives the client's end of it.
int connection_to(http::core&);

/// Turns the loop once. Throws `std::runtime_error` if it is `due` or later.
void turn_before(runtime::loop&, std::uint64_t due, duration patience);

/// Lets the app do all that it can do now.
void settle(runtime::loop&);

/// Moves the clock of the loop, and lets the app do what that makes due, each thing at its time.
void advance(runtime::loop&, duration by);

}  // namespace apus::server
