// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "runtime/loop.hpp"
#include "runtime/resident_memory.hpp"

#include <apus/http.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apus::http {

class connection;
struct core;

/// Keeps the connections of one core within its memory budget.
/// Under pressure, it first stops reading from the connections that hold the most memory, except the fastest ones.
/// Under higher pressure, it rejects large requests, and makes room for small requests by closing connections that hold
/// much memory and transfer few bytes. Under the highest pressure, it closes such connections even without a new
/// request. Without pressure it has no timer.
class memory_guard {
public:
    explicit memory_guard(core&) noexcept;
    memory_guard(const memory_guard&) = delete;
    memory_guard& operator=(const memory_guard&) = delete;
    ~memory_guard();

    /// Returns true if reading from the connection is suspended.
    bool throttles(const connection& c) const noexcept {
        return memory_.pressure() != runtime::memory_pressure::none && is_over(c);
    }

    bool is_refusing() const noexcept { return memory_.pressure() >= runtime::memory_pressure::refusing; }

    /// Returns true if a request of `c` that needs `bytes` of memory must be rejected.
    /// May close other connections to free memory. Must not be called within an event of another connection.
    bool refuses(connection& c, std::uint64_t bytes) noexcept {
        if (bytes <= small_request) return false;
        return bytes > memory_.most() ||
               (memory_.pressure() != runtime::memory_pressure::none && !makes_room(c, bytes));
    }
    /// Returns true if a request must be rejected because its route had large responses recently.
    bool refuses_response(const route_plan& p) const noexcept { return is_refusing() && core_second() < p.large_until; }
    /// Marks a route whose response was large, for `refuses_response`.
    void record_response_size(const route_plan* p, std::size_t bytes) const noexcept {
        if (p && bytes > large_response) p->large_until = core_second() + remembered;
    }
    /// Returns true if no memory is left.
    /// Then no handler starts until memory has been freed. For connections, see `accepts_connection`.
    bool exhausted() const noexcept { return memory_.used() >= memory_.allowance(); }

    /// Returns true if a new connection may be accepted.
    /// May close other connections if no memory is left. Must not be called within an event of a connection.
    bool accepts_connection() noexcept;

    /// Add and subtract the memory of connections that the guard has closed, but that are not destroyed
    /// yet.
    void add_evicted(std::uint64_t bytes) noexcept { evicted_bytes_ += bytes; }
    void subtract_evicted(std::uint64_t bytes) noexcept { evicted_bytes_ -= bytes; }

    /// Response 503 with Retry-After.
    static response refusal();

    /// Request bodies of up to this many bytes are always accepted.
    static constexpr std::uint64_t small_request = 4096;
    static constexpr std::uint64_t upgrade_memory = 64 * 1024;  ///< Expected bytes per WebSocket.
    /// Responses over this many bytes are recorded by `record_response_size`.
    static constexpr std::uint64_t large_response = 64 * 1024;
    /// Other connections may be closed in favor of a request body of up to this many bytes.
    static constexpr std::uint64_t modest_request = 64 * 1024;

private:
    struct victim {
        connection* of;
        std::uint64_t held, traffic;

        bool is_worse_than(const victim& other) const noexcept;
    };
    static constexpr std::uint32_t remembered = 10;  // seconds for which a large response is remembered

    bool is_over(const connection&) const noexcept;
    std::uint32_t core_second() const noexcept;
    void react() noexcept;
    void tick() noexcept;
    void continue_eviction() noexcept;
    void wait_for_tick() noexcept;
    void collect(std::vector<victim>&);
    void choose_exempt();
    bool makes_room(connection&, std::uint64_t bytes) noexcept;
    std::uint64_t retained() const noexcept { return memory_.used() - std::min(memory_.used(), evicted_bytes_); }
    void evict_to(std::uint64_t bytes, const connection* spared = nullptr);
    void review_all() noexcept;
    bool is_fragmented() const noexcept;
    void trim() noexcept;

    core& core_;
    runtime::core_memory& memory_;
    runtime::resident_memory resident_;
    struct deferred_review : runtime::deferred {
        memory_guard* of;
    } change_;
    struct tick_timer : runtime::timer {
        memory_guard* of;
    } timer_;
    std::uint64_t evicting_to_ = 0;      // bytes: target of the eviction in progress; 0: none
    std::uint64_t last_eviction_ = 0;    // time of the last eviction for a new connection
    std::uint64_t look_due_ = 0;         // time of the next review of connections
    std::uint64_t evict_due_ = 0;        // time of the next check that memory use has fallen
    std::uint64_t used_before_ = 0;      // memory use when `evict_due_` was set
    std::uint64_t trim_due_ = 0;         // time when freed memory is next returned to the system
    std::uint64_t trim_from_ = 0;        // time from which it may be returned earlier; see `is_fragmented`
    std::uint64_t uncounted_ = 0;        // resident bytes that were not in use by connections after a trim
    bool was_without_pressure_ = false;  // no pressure at the previous tick
    std::uint64_t evicted_bytes_ = 0;    // bytes of closed connections that are not freed yet
    // These lists keep their capacity, so that evictions and reviews rarely allocate. There are two lists, because a
    // review may evict connections.
    std::vector<victim> victims_, reviewed_;
};

}  // namespace apus::http
