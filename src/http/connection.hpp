// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "http/protocol.hpp"
#include "runtime/backend.hpp"
#include "runtime/socket.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

namespace apus::http {

/// A client connection on one core: its socket and current protocol.
/// A connection outlives its protocols. Its creator owns it until `core::open`. Afterwards it is in the core's list,
/// counts as open in the core's gate, and deletes itself when it is closed.
class connection final : public runtime::socket {
public:
    /// Kinds of traffic (`backend::traffic`); 0 is that of connections to other servers.
    /// `unknown`: of connections that ended before their protocol was known.
    static constexpr unsigned http1_traffic = 1, http2_traffic = 2, unknown_traffic = 3;

    explicit connection(int fd) noexcept : socket(fd) { begin_traffic_as(undecided_traffic); }
    ~connection();

    void enter(core&);                           ///< Enters the core's list and gate. Call it once.
    void use(core&, std::unique_ptr<protocol>);  ///< Replaces the protocol.
    void retire(core&) noexcept;                 ///< Deletes this object. Call it when the socket is closed.

    void start() { current()->start(); }
    void drain() { current()->drain(); }
    void abandon() noexcept { current()->abandon(); }
    void review_input() { current()->review_input(); }
    connection* next() const noexcept { return next_; }

    // For the memory guard.
    /// A part of the core's memory account: the bytes of this connection, as of its last event.
    std::size_t held() const noexcept { return held_; }
    std::uint32_t traffic() const noexcept { return traffic_; }  ///< Bytes recently received and sent.
    void halve_traffic() noexcept {
        if (!has_undecided_traffic()) traffic_ = (traffic_ / 2) & max_traffic;
    }
    bool exempt() const noexcept { return exempt_; }  ///< Reading continues despite the memory use.
    void set_exempt(bool on) noexcept { exempt_ = on; }
    bool was_evicted() const noexcept { return evicted_; }  ///< Closed for lack of memory, not deleted yet.
    void mark_evicted() noexcept { evicted_ = true; }
    bool throttled() const noexcept { return throttled_; }  ///< Reading is suspended because of the memory use.
    void move_to_back(core&) noexcept;  ///< The memory guard then resumes this connection after all others.
    /// Bytes of memory of an idle connection, including its record layer.
    std::size_t idle_memory() const noexcept { return layer() ? 512 + secure_memory() : 512; }

    /// Sets the client address from a PROXY header, which replaces the address of the socket's peer.
    void set_peer_address(std::string address);

    std::uint64_t key = 0;  ///< Identifies the address under which the owner counts the connection; 0: not counted.

    /// Sets the connection's current memory use in bytes.
    void hold(core&, std::size_t bytes) noexcept;
    void count_traffic(std::size_t bytes) noexcept {
        traffic_ = static_cast<std::uint32_t>(std::min<std::size_t>(traffic_ + bytes, max_traffic)) & max_traffic;
    }
    /// Counts the bytes of the connection as `kind` if its protocol was not known until now.
    /// Until then, no plain bytes are sent, and all received ones are in `traffic()`.
    void decide_traffic(runtime::backend& io, unsigned kind) noexcept { io.decide_traffic(*this, kind, traffic_); }
    /// Updates `throttled()`, depending on the memory use, and returns it.
    bool throttle(core& c) noexcept {
        const bool back = c.guard.exhausted() || c.guard.throttles(*this);
        if (back && !throttled_) move_to_back(c);
        return throttled_ = back;
    }

    /// Sets `to` to the client's address. Only the first call for a connection asks the kernel.
    void write_address(std::string& to);
    void probe_peer() noexcept;               ///< Enables TCP keep-alive, after the peer has shut down sending.
    bool peer_disconnected() const noexcept;  ///< Whether the peer has reset the connection or is unreachable.

private:
    // A pointer of its own to the protocol would make each idle connection larger. Valid after `use`.
    protocol* current() const noexcept { return static_cast<protocol*>(current_receiver()); }
    std::size_t secure_memory() const noexcept;
    void link(core&) noexcept;
    void unlink() noexcept;

    connection* next_ = nullptr;
    connection** at_ = nullptr;
    std::unique_ptr<const std::string> peer_;  // null: not needed yet
    static constexpr std::uint32_t max_traffic = (1U << 27) - 1;
    std::uint32_t held_ = 0;
    std::uint32_t traffic_ : 27 = 0;
    bool throttled_ : 1 = false;
    bool exempt_ : 1 = false;
    bool evicted_ : 1 = false;
    bool inside_ : 1 = false;        // counted by the core's gate
    bool has_protocol_ : 1 = false;  // the receiver is a protocol, which this object owns
};

}  // namespace apus::http
