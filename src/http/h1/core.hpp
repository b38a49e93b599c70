// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/body_limit.hpp"
#include "http/core.hpp"
#include "http/exchange.hpp"
#include "http/served_exchange.hpp"
#include "http/h1/body_decoder.hpp"
#include "http/h1/input_buffer.hpp"
#include "http/protocol.hpp"
#include "runtime/loop.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace apus::http::h1 {

/// An exchange with the state of HTTP/1.1.
struct h1_exchange : served_exchange {
    body_decoder decoder;
    runtime::buffer_lease head_buffer;  // owns the bytes of the head while the handler is suspended
    bool keeps_alive = false;
    bool chunks_response = false;
};

// Each WebSocket has an exchange, so idle exchanges must take little memory.
static_assert(sizeof(h1_exchange) <= 952);

/// A response head in the arena, written before its body is known.
/// The handler prints the body after the head. Head and body are not part of the batch yet.
struct drafted_head {
    char* size = nullptr;  // position of the digits of Content-Length
    char* body = nullptr;
    std::size_t digits = 0, field_lines = 0;
    int status = 0;
};

/// State shared by the HTTP/1.1 connections of one core.
struct core final : http::core {
    core(runtime::loop&, service&, const limits&) noexcept;
    ~core() override;

    using http::core::open;
    void open(connection&, runtime::protocols) override;

    /// Returns the HTTP/2 implementation, which is created on first use.
    protocol_upgrade& http2();

    h1_exchange* take() { return spare_ ? std::exchange(spare_, nullptr) : take_from_list(); }
    void recycle(h1_exchange*) noexcept;

    codec::http1::head_limits head_bounds;
    codec::http1::trailer_section trailers;  // scratch space while a trailer section is parsed
    drafted_head draft;                      // of the exchange whose handler runs
    std::string_view unread;                 // unprocessed input of the current connection

private:
    h1_exchange* take_from_list();

    std::unique_ptr<protocol_upgrade> http2_;
    h1_exchange* spare_ = nullptr;  // last recycled exchange; one is enough if handlers do not suspend
    free_exchanges<h1_exchange> free_;
};

}  // namespace apus::http::h1
