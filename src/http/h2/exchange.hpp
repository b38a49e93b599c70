// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "http/h2/request_fields.hpp"
#include "runtime/file.hpp"
#include "runtime/loop.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::http::h2 {

/// An exchange on a stream of HTTP/2. It is there as long as the stream is open on either side.
struct h2_exchange : exchange {
    std::int32_t stream = 0;
    h2_exchange* next = nullptr;  // of the connection's
    h2_exchange** at = nullptr;
    request_fields fields;
    struct attending : runtime::deferred {
        h2_exchange* of;
    } attend;  // the connection looks at it when the current event is over

    // The body of the request: what came and has not been read, and what a reader looks at.
    std::string arrived, lent;
    std::uint64_t body_bytes = 0;
    const codec::refusal* broken = nullptr;  // why it cannot be read on
    std::uint64_t window = 0;                // when its rate window began, in milliseconds of the loop; 0: none
    std::uint32_t in = 0, out = 0;           // bytes of both bodies in this window
    std::uint32_t body_rate = 0;
    std::uint64_t waits_since = 0;  // when its reader began to wait, in milliseconds of the loop
    std::uint64_t waited = 0;       // milliseconds that its reader waited before, in this window
    std::uint64_t handler_due = 0;  // 0: no deadline
    std::uint64_t started = 0;      // nanoseconds; only where requests are logged

    // The response: what has not gone into frames, in this order.
    std::string_view rest;  // of a body that is there as a whole
    std::string unframed;   // of one that is written
    std::size_t unframed_at = 0;
    runtime::file_ref file;
    std::uint64_t file_at = 0, file_left = 0;
    std::uint64_t response_bytes = 0;
    std::string lines;             // the response's own fields, as HTTP/2 has them
    char numbers[24];              // its status and its length, for the session to read
    bool client_done = false;      // its END_STREAM has come
    bool handling = false;         // a task waits
    bool producing = false;        // a producer waits
    bool finished = false;         // its task has ended and waits to be attended to
    bool responded = false;        // the response is on its way
    bool complete = false;         // nothing is added to the response any more
    bool ended = false;            // its last frame is made
    bool deferred = false;         // the session waits for bytes of it
    bool owing = false;            // there are bytes that wait for the client
    bool continue_due = false;     // the client waits for 100 (Continue)
    bool tunnel = false;           // bytes go both ways
    bool judged_body = false;      // its client was waited for when the window began
    bool judged_response = false;  // bytes waited for its client then

    // Memory.
    std::size_t held = 0;      // bytes that it holds beside itself, as of the last look
    std::size_t withheld = 0;  // bytes of window that its client gets back later
    bool postponed = false;    // its handler runs when other answers have gone

    /// Bytes that it holds now.
    std::size_t memory() noexcept {
        return exchange::memory() + arrived.capacity() + lent.capacity() + unframed.capacity() + lines.capacity() +
               fields.memory();
    }

    std::size_t waiting() const noexcept {
        return rest.size() + unframed.size() - unframed_at + static_cast<std::size_t>(file_left);
    }

    /// As new, but with some of its memory.
    void reset() noexcept;
};

}  // namespace apus::http::h2
