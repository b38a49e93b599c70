// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "runtime/loop.hpp"

#include <apus/http.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apus::http {

class connection;
struct core;

/// Keeps the connections of one core within its memory. Under pressure the connections that hold most are
/// not read from, but for the fastest of them; then large new work is refused, and those that hold most and move
/// least give way to small work; then they are closed. Does nothing, and has no timer, without pressure.
class memory_guard {
public:
    explicit memory_guard(core&) noexcept;
    memory_guard(const memory_guard&) = delete;
    memory_guard& operator=(const memory_guard&) = delete;
    ~memory_guard();

    /// Whether the connection is not to be read from for now.
    bool holds_back(const connection& c) const noexcept {
        return memory_.pressure() != runtime::memory_pressure::none && is_over(c);
    }

    bool is_refusing() const noexcept { return memory_.pressure() >= runtime::memory_pressure::refusing; }

    /// Whether a request of `c` that will need `bytes` of memory is to be refused. Others may be closed for it, which
    /// it then may use. Within no event of another connection.
    bool refuses(connection& c, std::uint64_t bytes) noexcept {
        if (bytes <= small_request) return false;
        return bytes > memory_.most() ||
               (memory_.pressure() != runtime::memory_pressure::none && !makes_room(c, bytes));
    }
    /// Whether a request to the route is to be refused, since its answers have been large lately.
    bool refuses_answer(const route_plan& p) const noexcept { return is_refusing() && core_second() < p.large_until; }
    /// Notes what an answer of the route holds.
    void note_answer(const route_plan* p, std::size_t bytes) const noexcept {
        if (p && bytes > large_answer) p->large_until = core_second() + remembered;
    }
    /// There is nothing left: no request is begun, and no connection, until others have been closed.
    bool exhausted() const noexcept { return memory_.used() >= memory_.allowance(); }

    /// Whether a new connection is accepted. Where nothing is left, others are closed for it first. Within no event of
    /// a connection.
    bool admits_connection() noexcept;

    /// So many bytes more, or less, are of connections that were closed for lack of memory, and will be returned.
    void leaves(std::uint64_t bytes) noexcept { leaving_ += bytes; }
    void returned(std::uint64_t bytes) noexcept { leaving_ -= bytes; }

    /// 503 with Retry-After.
    static response refusal();

    /// Bytes of a body that is taken also while others are refused.
    static constexpr std::uint64_t small_request = 4096;
    static constexpr std::uint64_t upgrade_memory = 64 * 1024;  ///< Bytes that are expected of a WebSocket.
    static constexpr std::uint64_t large_answer = 64 * 1024;    ///< Bytes. The route of a larger answer is remembered.
    /// Bytes of a body that others give way to.
    static constexpr std::uint64_t modest_request = 64 * 1024;

private:
    struct victim {
        connection* of;
        std::uint64_t held, moved;

        bool is_worse_than(const victim& other) const noexcept;
    };
    static constexpr std::uint32_t remembered = 10;  // seconds for which a route is known for a large answer

    bool is_over(const connection&) const noexcept;
    std::uint32_t core_second() const noexcept;
    void react() noexcept;
    void tick() noexcept;
    void cut_on() noexcept;
    void collect(std::vector<victim>&);
    void choose_favoured();
    bool makes_room(connection&, std::uint64_t bytes) noexcept;
    std::uint64_t staying() const noexcept { return memory_.used() - std::min(memory_.used(), leaving_); }
    void cut_to(std::uint64_t bytes, const connection* spared = nullptr);
    void review_all() noexcept;
    void give_back() noexcept;

    core& core_;
    runtime::core_memory& memory_;
    struct changing : runtime::deferred {
        memory_guard* of;
    } change_;
    struct ticking : runtime::timer {
        memory_guard* of;
    } timer_;
    std::uint64_t cutting_to_ = 0;   // bytes to which a cut goes on; 0: none does
    std::uint64_t made_way_ = 0;     // when connections were last closed for new ones
    std::uint64_t look_due_ = 0;     // when connections are looked at again
    std::uint64_t cut_due_ = 0;      // when it is looked whether memory has become less
    std::uint64_t used_before_ = 0;  // when that was set
    std::uint64_t trim_due_ = 0;     // when memory that was freed is given back to the system
    bool eased_ = false;             // there was no pressure at the last tick
    std::uint64_t leaving_ = 0;      // bytes of connections that were cut
    // Kept so that cutting and reviewing need no memory. Two, since what goes on in a review may make room.
    std::vector<victim> holders_, reviewed_;
};

}  // namespace apus::http
