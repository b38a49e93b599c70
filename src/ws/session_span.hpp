// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tracing/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace apus::ws {

/// The span of a WebSocket session, from `begin` to `end`, with the traffic of the session.
class session_span {
public:
    /// Begins the span; returns null if the trace is null. `nesting`: whether it can have children.
    static std::unique_ptr<session_span> begin(tracing::trace* in, tracing::open_span::nesting nesting) noexcept;
    session_span(const session_span&) = delete;
    session_span& operator=(const session_span&) = delete;
    ~session_span() { end(1006, {}); }

    void received(std::size_t bytes) noexcept { ++messages_received_, bytes_received_ += bytes; }
    void sent(std::size_t messages, std::size_t bytes) noexcept { messages_sent_ += messages, bytes_sent_ += bytes; }
    /// Notes the code of a sent Close frame.
    /// A code that reports a failure replaces the code given to `end`.
    void sent_close(unsigned code) noexcept;

    /// Ends the span. `code`: the close code. Later calls do nothing.
    void end(unsigned code, std::string_view subprotocol) noexcept;

private:
    explicit session_span(tracing::open_span& of) noexcept : of_(&of) {}

    tracing::open_span* of_;
    unsigned sent_failure_ = 0;
    std::uint64_t messages_received_ = 0, bytes_received_ = 0, messages_sent_ = 0, bytes_sent_ = 0;
};

}  // namespace apus::ws
