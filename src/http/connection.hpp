// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/core.hpp"
#include "http/protocol.hpp"
#include "runtime/socket.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

namespace apus::http {

/// A client connection on one core: its socket and current protocol.
/// Outlives its protocols. Its creator owns it until `core::open`. After that it is in the core's list, holds a pass of
/// the core's gate, and deletes itself when closed.
class connection final : public runtime::socket {
public:
    explicit connection(int fd) noexcept : socket(fd) {}
    ~connection();

    void enter(core&);                           ///< Enters the core's list and gate. Once.
    void use(core&, std::unique_ptr<protocol>);  ///< Replaces the protocol.
    void retire(core&) noexcept;                 ///< Deletes this after the socket was closed.

    void start() { protocol_->start(); }
    void drain() { protocol_->drain(); }
    void abandon() noexcept { protocol_->abandon(); }
    void review_input() { protocol_->review_input(); }
    connection* next() const noexcept { return next_; }

    // For the memory guard.
    /// Bytes on the core's account, as of the connection's last event.
    std::size_t held() const noexcept { return held_; }
    std::uint32_t moved() const noexcept { return moved_; }  ///< Bytes recently received and sent.
    void forget_half_moved() noexcept { moved_ = (moved_ / 2) & most_moved; }
    bool favoured() const noexcept { return favoured_; }  ///< The connection is read from despite its memory use.
    void favour(bool on) noexcept { favoured_ = on; }
    bool was_cut() const noexcept { return cut_; }  ///< closed for lack of memory, and about to be deleted
    void mark_cut() noexcept { cut_ = true; }
    bool held_back() const noexcept { return held_back_; }  ///< not read from, because of its memory use
    void go_last(core&) noexcept;  ///< makes this the last of the connections held back to be resumed
    /// Memory of an idle connection, including its record layer.
    std::size_t idle_memory() const noexcept { return layer() ? 512 + secure_memory() : 512; }

    /// Sets the client address from a PROXY header; it replaces the socket's.
    void name_peer(std::string address);

    std::uint64_t key = 0;  ///< For the owner: key of the address under which the connection is counted.

    /// Sets the connection's current memory use in bytes.
    void hold(core&, std::size_t bytes) noexcept;
    void count_moved(std::size_t bytes) noexcept {
        moved_ = static_cast<std::uint32_t>(std::min<std::size_t>(moved_ + bytes, most_moved)) & most_moved;
    }
    /// Updates whether reading is suspended for lack of memory, and returns that.
    bool hold_back(core& c) noexcept {
        const bool back = c.guard.exhausted() || c.guard.holds_back(*this);
        if (back && !held_back_) go_last(c);
        return held_back_ = back;
    }

    void write_address(std::string& to) const;  ///< Appends the peer's address.
    void probe_peer() noexcept;                 ///< enables keep-alive probes, after the peer has half-closed
    bool peer_has_left() const noexcept;        ///< The peer has reset the connection or is unreachable.

private:
    std::size_t secure_memory() const noexcept;
    void link(core&) noexcept;
    void unlink() noexcept;

    runtime::gate::pass inside_;  // the last member to be destroyed: leaves the gate
    connection* next_ = nullptr;
    connection** at_ = nullptr;
    std::unique_ptr<const std::string> peer_;
    static constexpr std::uint32_t most_moved = (1U << 29) - 1;
    std::uint32_t held_ = 0;
    std::uint32_t moved_ : 29 = 0;
    bool held_back_ : 1 = false;
    bool favoured_ : 1 = false;
    bool cut_ : 1 = false;
    std::unique_ptr<protocol> protocol_;
};

}  // namespace apus::http
