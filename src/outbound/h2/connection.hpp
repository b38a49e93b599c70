// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/h2/session.hpp"
#include "outbound/pool.hpp"
#include "outbound/transport.hpp"
#include "runtime/loop.hpp"

#include <cstdint>

namespace apus::outbound::h2 {

/// An HTTP/2 connection of a pool: a session over a transport, shared by requests.
/// Deletes itself when the transport is closed and no request holds the connection.
class connection final : transport::watcher, runtime::timer, runtime::loop_end {
public:
    connection(pool&, origin&, transport&);

    void start();  ///< Call once, after adding the connection to `origin::shared`.

    session& streams() noexcept { return session_; }

    std::uint32_t available() const noexcept;      ///< Number of further requests that can be reserved now.
    void reserve() noexcept;                       ///< Holds the connection, and reserves one request.
    void begin_stream() noexcept { --reserved_; }  ///< Call before opening the stream of a reservation.
    /// Ends the hold of a request. `reserved`: `begin_stream` was not called.
    /// After `begin_stream`, the stream must have left the session.
    void release(bool reserved) noexcept;

    void flush() noexcept;  ///< Sends the output of the session. Does not call streams.
    /// Call when a request that began to wait at `since` has timed out.
    /// If nothing has arrived since then, the connection accepts no further requests.
    void suspect(std::uint64_t since) noexcept;

    /// Uses large receive buffers until the connection is idle. Call for a long response body.
    void use_large_buffers();

    bool used() const noexcept { return used_; }  ///< Whether a request has used the connection before.
    bool open() const noexcept { return io_ != nullptr && !closing_; }
    bool idle() const noexcept { return holders_ == 0 && of_ != nullptr; }
    std::uint64_t idle_due() const noexcept { return due; }
    bool is_dead() noexcept { return io_->is_dead(); }  ///< See `transport::is_dead`.
    void close() noexcept;                              ///< Sends GOAWAY, then closes; for an idle connection.
    void end() noexcept;                                ///< Closes the connection at once. Its requests fail.

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
    std::uint32_t holders_ = 0;   // requests, and member functions on the stack
    std::uint32_t reserved_ = 0;  // requests among the holders that have not opened a stream
    bool used_ = false;
    bool retired_ = false;
    bool large_buffers_ = false;
    bool closing_ = false;  // closes when the remaining output is sent
};

}  // namespace apus::outbound::h2
