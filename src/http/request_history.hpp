// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/published.hpp"
#include "base/short_text.hpp"
#include "tracing/ended_span.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace apus::http {

struct core;
struct served_exchange;

/// A request that has ended: without query, bodies and header values, which may hold secrets.
struct ended_request {
    std::uint64_t number = 0;  ///< Identifies the request within its history.
    std::uint64_t start = 0;   ///< Nanoseconds since 1970-01-01.
    std::uint64_t took = 0;    ///< Nanoseconds.
    codec::trace_context::trace_id trace{};
    bool traced = false;       ///< `trace` is valid.
    std::uint16_t status = 0;  ///< 0: cancelled before the response.
    base::short_text<18> method;
    base::short_text<158> path;    ///< Empty if the path holds a secret (`apus::logged::route`).
    base::short_text<62> id;       ///< Of `request_ids`; empty without.
    base::short_text<46> address;  ///< Of the client; empty unless requests are logged.
};

/// The slowest and the failed requests of one route on one core.
/// Its core writes, any thread reads. Has a fixed size, and allocates memory for spans only when the first traced
/// request is kept.
class request_history {
public:
    enum class list : std::uint8_t {
        slowest,   ///< The slowest requests of the last `window` milliseconds.
        failed,    ///< The last requests with a status of 500 or more.
        rejected,  ///< The last requests with a status from 400 to 499.
    };
    static constexpr unsigned lists = 3, kept = 8;           ///< `kept` requests per list.
    static constexpr std::uint64_t window = 15 * 60 * 1000;  ///< Milliseconds.
    static constexpr std::uint64_t least_slow = 1'000'000;   ///< Faster requests are never slow. Nanoseconds.
    static constexpr std::uint64_t least_pause = 1000;       ///< See `place`. Milliseconds.
    static constexpr unsigned none = ~0U;

    request_history() = default;
    request_history(const request_history&) = delete;
    request_history& operator=(const request_history&) = delete;
    ~request_history();

    /// Returns the place in the list for a request that ends at `now`, in milliseconds.
    /// Returns `none` if the request is not kept.
    /// Replaces failed requests only when they are older than `least_pause`: a flood of failures changes a list at most
    /// `kept` times per second.
    unsigned place(list, std::uint64_t took, std::uint64_t now) noexcept;
    void put(list, unsigned place, std::uint64_t now, ended_request, const tracing::ended_spans*) noexcept;

    /// Calls `f(request, spans)` for each request of the list. `spans` is null if none were recorded.
    template <class F>
    void read(list of, F f) const {
        for (const slot& each : slots_[static_cast<unsigned>(of)]) {
            ended_request request;
            tracing::ended_spans spans;
            if (!each.request.read(request)) continue;
            const auto* const stored = each.spans.load(std::memory_order_acquire);
            const bool any = stored && stored->read(spans) && spans.number == request.number;
            f(request, any ? &spans : nullptr);
        }
    }

private:
    struct slot {
        base::published<ended_request> request;
        std::atomic<base::published<tracing::ended_spans>*> spans = nullptr;  // owned
        // Used by the core only.
        std::uint64_t took = 0, ended = 0;  // `ended` is 0 if the slot is unused
    };
    std::array<std::array<slot, kept>, lists> slots_{};
    std::uint64_t least_ = 0, valid_until_ = 0;  // requests up to `least_` are not among the slowest until this time
    std::uint64_t numbers_ = 0;
};

/// A history that is created when the first request is kept.
class lazy_history {
public:
    lazy_history() = default;
    lazy_history(const lazy_history&) = delete;
    lazy_history& operator=(const lazy_history&) = delete;
    ~lazy_history();

    const request_history* get() const noexcept { return history_.load(std::memory_order_acquire); }  ///< Any thread.
    request_history* make() noexcept;  ///< On the core's thread. Null if memory is exhausted.

private:
    std::atomic<request_history*> history_ = nullptr;
};

/// Keeps the request in the lists of its route to which it belongs.
/// `status`: 0 without a response. `slow`: whether it may be one of the slowest.
void keep_ended(core&, served_exchange&, int status, bool slow, lazy_history&) noexcept;

}  // namespace apus::http
