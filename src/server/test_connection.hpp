// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "server/response_reader.hpp"

#include <apus/duration.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace apus::server {

/// The client end of a connection from a test to an app on this thread's loop.
/// Calls that wait run the loop.
class test_connection {
public:
    explicit test_connection(http::core& to);
    test_connection(const test_connection&) = delete;
    test_connection& operator=(const test_connection&) = delete;
    ~test_connection();

    /// Sends `bytes`, or as many as the app receives before it closes the connection.
    void send(std::string_view bytes);

    /// Passes received bytes to `reader`.
    void take_input();

    /// Runs one iteration of the loop and takes received bytes.
    /// Throws `std::runtime_error` after the deadline `due`.
    void wait(std::uint64_t due, duration patience);

    bool ended() const noexcept { return ended_; }  ///< The app has closed the connection.

    response_reader reader;

private:
    runtime::loop& loop_;
    int fd_ = -1;
    bool ended_ = false;
};

/// Opens a connection to the app, and returns the client's end.
int connection_to(http::core&);

/// Runs one iteration of the loop. Throws `std::runtime_error` if the time is `due` or later.
void run_loop_until(runtime::loop&, std::uint64_t due, duration patience);

/// Runs the loop until the app has nothing more to do, without advancing the clock.
void settle(runtime::loop&);

/// Advances the loop's clock in steps, so that each timer runs at the time when it is due.
void advance(runtime::loop&, duration by);

}  // namespace apus::server
