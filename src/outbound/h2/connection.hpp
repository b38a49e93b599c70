// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/h2/session.hpp"
#include "outbound/pool.hpp"
#include "outbound/transport.hpp"
#include "runtime/loop.hpp"

#include <cstdint>

namespace apus::outbound::h2 {

/// An HTTP/2 connection of a pool: a session over a transport, shared by requests.
/// Deletes itself when it is closed and no request holds it.
class connection final : transport::watcher, runtime::timer, runtime::loop_end {
public:
    connection(pool&, origin&, transport&);

    void start();  ///< Call once, after `origin::shared` has this connection.

    session& streams() noexcept { return session_; }

    std::uint32_t available() const noexcept;      ///< Number of further requests that it can carry now.
    void reserve() noexcept;                       ///< Holds the connection, and one of `available()`.
    void begin_stream() noexcept { --reserved_; }  ///< The stream of a reservation is opened next.
    /// Ends `reserve`: before `begin_stream`, or after it, when the stream has left the session.
    void release(bool reserved) noexcept;

    void flush() noexcept;  ///< Sends the output of the session. Does not call streams.
    /// Notes that a wait that began at `since` has ended late.
    /// If nothing has arrived since then, the connection is not used for further requests.
    void suspect(std::uint64_t since) noexcept;

    /// Receives into large buffers until the connection is idle, for a long body.
    void use_large_buffers();

    bool used() const noexcept { return used_; }  ///< Has carried a request before.
    bool open() const noexcept { return io_ != nullptr && !closing_; }
    bool idle() const noexcept { return holders_ == 0 && of_ != nullptr; }
    std::uint64_t idle_due() const noexcept { return due; }
    bool is_dead() noexcept { return io_->is_dead(); }  ///< See `transport::is_dead`.
    void close() noexcept;                              ///< Closes an idle connection, after GOAWAY.
    void end() noexcept;                                ///< Closes it at once.

private:
    ~connection();

    void on_event(transport&) noexcept override;
    void has_room(transport&) noexcept override;
    void on_timer() noexcept;
    void receive() noexcept;
    void fail(const error&) noexcept;
    void deliver() noexcept;
    void settle() noexcept;
    void watch_idle() noexcept;
    void leave_pool() noexcept;
    void begin_close() noexcept;
    void close_now() noexcept;

    struct delivering : runtime::deferred {
        connection* of;
    } deliver_;
    session session_;
    runtime::loop& loop_;
    pool* of_;  // null: no longer in the pool
    origin* to_;
    transport* io_;  // null: closed
    std::uint64_t last_received_;
    std::uint32_t holders_ = 0;   // requests, and functions on the stack
    std::uint32_t reserved_ = 0;  // of the holders, those without a stream yet
    bool used_ = false;
    bool retired_ = false;
    bool large_buffers_ = false;
    bool closing_ = false;  // closes when its output is sent
};

}  // namespace apus::outbound::h2
