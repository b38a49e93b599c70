// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "http/in_flight.hpp"
#include "runtime/loop.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apus::http {

/// Progress of an exchange.
/// Only increases, except if an error replaces a response that is not sent yet.
enum class stage : std::uint8_t {
    request,    ///< The head or the whole body is arriving, or the handler is running.
    handling,   ///< The handler's task is suspended.
    producing,  ///< The head of the response is written, and the producer of the body is running or suspended.
    complete,   ///< The response is complete. The rest of the request is skipped.
};

/// Version-independent state of an exchange: progress, deadlines and counters.
struct served_exchange : exchange, in_flight_link {
    served_exchange() noexcept;  ///< Sets `resume_later` to call `protocol::resume_later`.

    bool responded() const noexcept { return at >= stage::producing; }
    /// Returns true if the handler does not run before the whole body has arrived.
    bool awaits_whole_body() const noexcept { return at == stage::request && plan && plan->body == body_mode::whole; }

    /// Resets to the initial state; keeps some memory.
    void reset() noexcept;

    struct resumption : runtime::deferred {
        served_exchange* of;
    } resume_later;                 ///< Resumes the exchange after the current event has been handled.
    std::uint64_t handler_due = 0;  ///< 0: no deadline.
    std::uint64_t body_bytes = 0;   ///< Bytes of the request body so far.
    std::uint64_t response_bytes = 0;
    std::uint64_t started = 0;               ///< Start of the request, in nanoseconds; 0 if the head is invalid.
    std::uint64_t waits_since = 0;           ///< Start of the current wait of the reader, in loop milliseconds.
    std::uint64_t waited = 0;                ///< Milliseconds of the reader's previous waits in this rate window.
    const codec::refusal* broken = nullptr;  ///< Why the body is invalid; null if it is valid.
    std::uint32_t body_rate = 0;
    stage at = stage::request;
    bool finished = false;      ///< The task has ended; `resume_later` processes the result.
    bool continue_due = false;  ///< The client waits for 100 (Continue).
    bool tunnel = false;        ///< The exchange is a tunnel for another protocol.
};

/// Free list of one protocol's exchanges, on one core.
template <class Exchange>
class free_exchanges {
public:
    explicit free_exchanges(runtime::core_memory& account) noexcept : account_(account) {}
    free_exchanges(const free_exchanges&) = delete;
    free_exchanges& operator=(const free_exchanges&) = delete;
    ~free_exchanges() {
        for (Exchange* x : all_) drop(x);
    }

    Exchange* take() {
        if (all_.empty()) {
            auto* x = new Exchange;
            account_.add(sizeof(Exchange));
            return x;
        }
        Exchange* x = all_.back();
        all_.pop_back();
        return x;
    }

    /// Returns an exchange to the list. The caller must have reset it.
    void recycle(Exchange* x) noexcept {
        constexpr std::size_t kept = 256;  // exchanges of 2 KB each
        if (all_.capacity() < kept) all_.reserve(kept);
        if (all_.size() < kept) all_.push_back(x);
        else drop(x);
    }

    void drop(Exchange* x) noexcept {
        delete x;
        account_.remove(sizeof(Exchange));
    }

private:
    runtime::core_memory& account_;
    std::vector<Exchange*> all_;
};

}  // namespace apus::http
