// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"

#include <apus/duration.hpp>
#include <apus/test.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace apus::server {

/// The client end of a connection from a test to an app on this thread's loop.
/// Calls that wait run the loop. Invalid responses are reported as `std::runtime_error`.
class test_connection {
public:
    test_connection(const test_connection&) = delete;
    test_connection& operator=(const test_connection&) = delete;
    virtual ~test_connection();

    /// Sends a request, or the part that the app receives before it closes the connection.
    /// `request` has the form of HTTP/1.1 in both versions. HTTP/1.1 sends it unchanged, even if it is malformed.
    virtual void send(std::string_view request) = 0;

    /// Returns the next final response if it is complete, and forgets it.
    /// `to_head`: the request was HEAD, so there is no body.
    virtual std::optional<test::response> next(bool to_head) = 0;
    /// Returns whether the response is complete. `now` returns the received part.
    virtual bool advance(bool to_head) = 0;
    virtual bool has_head() const noexcept = 0;
    virtual test::response& now() noexcept = 0;

    /// Parses the bytes that have been received.
    void take_input();

    /// Runs one iteration of the loop and takes received bytes.
    /// Throws `std::runtime_error` after the deadline `due`.
    void wait(std::uint64_t due, duration patience);

    bool ended() const noexcept { return ended_; }  ///< The app accepts no further request on the connection.

protected:
    explicit test_connection(http::core& to);

    virtual void take(std::string_view bytes) = 0;
    virtual void take_end() = 0;  ///< The app has closed the connection.

    void send_bytes(std::string_view bytes);
    void end() noexcept { ended_ = true; }
    runtime::loop& loop() noexcept { return loop_; }

private:
    runtime::loop& loop_;
    int fd_ = -1;
    bool ended_ = false;
};

/// Opens an HTTP/1.1 connection to the app.
std::unique_ptr<test_connection> connect_http1(http::core& to);

/// Opens a connection to the app, and returns the client's end.
int connection_to(http::core&);

/// Runs one iteration of the loop. Throws `std::runtime_error` if the time is `due` or later.
void run_loop_until(runtime::loop&, std::uint64_t due, duration patience);

/// Runs the loop until the app has nothing more to do, without advancing the clock.
void settle(runtime::loop&);

/// Advances the loop's clock in steps, so that each timer runs at the time when it is due.
void advance(runtime::loop&, duration by);

}  // namespace apus::server
