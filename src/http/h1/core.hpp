// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/body_limit.hpp"
#include "http/core.hpp"
#include "http/exchange.hpp"
#include "http/free_exchanges.hpp"
#include "http/h1/body_decoder.hpp"
#include "http/h1/held_input.hpp"
#include "http/successor.hpp"
#include "runtime/loop.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace apus::http::h1 {

/// An exchange, with what HTTP/1.1 needs for it.
struct h1_exchange : exchange {
    body_decoder decoder;
    struct attending : runtime::deferred {
        h1_exchange* of;
    } attend;                           // the connection looks at it when the current event is over
    runtime::buffer_lease head_buffer;  // holds the head's bytes, when the handler waits
    std::uint64_t handler_due = 0;      // 0: no deadline
    std::uint64_t body_bytes = 0;       // of the body, so far
    std::uint64_t started = 0;          // nanoseconds; only where requests are logged
    std::uint64_t response_bytes = 0;
    std::uint64_t waits_since = 0;  // when its reader began to wait, in milliseconds of the loop
    std::uint64_t waited = 0;       // milliseconds that its reader waited before, in this window
    std::uint32_t body_rate = 0;
    const codec::refusal* broken = nullptr;  // why the body cannot be read on
    bool handling = false;                   // a task waits
    bool producing = false;                  // a producer waits
    bool finished = false;                   // its task has ended and waits to be attended to
    bool responded = false;                  // the head of the response is on its way
    bool keeps_alive = false;
    bool continue_due = false;  // the client waits for 100 (Continue)
    bool chunks_response = false;
};

/// What the HTTP/1.1 connections of one core share.
struct core final : http::core {
    core(runtime::loop&, service&, const limits&) noexcept;
    ~core() override;

    http::connection& open(int fd, runtime::protocols) override;

    /// HTTP/2, which the program speaks; made when it is asked for first.
    successor& newer();

    h1_exchange* take() { return spare_ ? std::exchange(spare_, nullptr) : take_from_list(); }
    void give(h1_exchange*) noexcept;

    codec::http1::head_limits head_bounds;
    codec::http1::trailer_section trailers;  // while a section is being read
    std::string_view unread;                 // what the connection that is at work has before it

private:
    h1_exchange* take_from_list();

    std::unique_ptr<successor> newer_;
    h1_exchange* spare_ = nullptr;  // the last one given back: one is enough while no handler waits
    free_exchanges<h1_exchange> free_;
};

}  // namespace apus::http::h1
