// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/served_exchange.hpp"
#include "runtime/socket.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace apus::http {

class connection;
struct core;

/// An HTTP version on one connection; the connection owns the protocol.
/// Implements the life cycle of exchanges: head, route, handler, response. Framing, flow control and buffering differ
/// between versions and are virtual.
class protocol : public runtime::receiver, public transport {
public:
    virtual ~protocol() = default;
    virtual void start() = 0;             ///< starts receiving
    virtual void drain() = 0;             ///< completes exchanges in progress, then closes
    virtual void abandon() noexcept = 0;  ///< closes the connection at once
    virtual void review_input() = 0;      ///< starts or stops reading, after a change of memory pressure

    // receiver
    void closed() noexcept final;

    // transport
    void finished(exchange&) noexcept final;
    void refuse_body(exchange&, const codec::refusal& why) noexcept final;
    void find_address(exchange&) final;
    runtime::record_layer* records(exchange&) noexcept final;
    bool stopping() const noexcept final;

protected:
    protocol(core& of, connection& on) noexcept : core_(of), connection_(on) {}

    // Called by the derived class.
    void begin(served_exchange&);         ///< Routes a complete head, then runs the handler or awaits the body.
    void run(served_exchange&);           ///< Runs the handler; its input must be complete.
    void take_outcome(served_exchange&);  ///< processes the end of the task, or an invalid body
    void fail(served_exchange&, int status, std::string_view detail);
    void expire_handler(served_exchange&);  ///< handles an expired deadline of the handler
    void fail_slow_body(served_exchange&);
    void log_response(served_exchange&, int status);

    /// Sends an error in place of the handler's response, or aborts a response in progress.
    virtual void fail(served_exchange&, response);

    // Implemented by the derived class.
    virtual void resume(served_exchange&) = 0;  ///< Called after an event that changed the exchange.
    virtual bool has_room(served_exchange&, std::uint64_t bytes) = 0;  ///< Returns true if this memory is available.
    virtual void refuse_for_memory(served_exchange&) = 0;
    virtual void await_whole_body(served_exchange&) = 0;
    virtual bool postpone(served_exchange&) { return false; }  ///< Returns true if the handler must run later.
    virtual void await_task(served_exchange&) = 0;             ///< Called when the handler or producer is suspended.
    virtual void say_continue(served_exchange&) = 0;
    /// Sends a whole response, with `response_bytes` of its body. May end the exchange.
    virtual void send_response(served_exchange&) = 0;
    /// Returns why the connection cannot be upgraded to this protocol; empty if it can.
    virtual std::string refused_upgrade(served_exchange&, std::string_view protocol) = 0;
    virtual void begin_tunnel(served_exchange&) = 0;
    /// Sends the head of a streamed response. May end the exchange.
    virtual void send_head(served_exchange&, bool has_body) = 0;
    virtual void end_stream(served_exchange&) = 0;               ///< Ends the body. May end the exchange.
    virtual void abort_response(served_exchange&) noexcept = 0;  ///< Aborts a response that cannot be completed.

    core& core_;
    connection& connection_;

private:
    friend served_exchange;
    static void resume_later(runtime::deferred&) noexcept;
    bool has_memory(served_exchange&);
    void send_answer(served_exchange&);
    void respond(served_exchange&);
    void respond_in_pieces(served_exchange&);
    void upgrade(served_exchange&);
    void finish_pieces(served_exchange&, bool ok);
    [[gnu::noinline]] void replace_answer(served_exchange&, int status, std::string_view detail);
};

/// A protocol that an HTTP/1.1 connection can switch to, on one core.
class protocol_upgrade {
public:
    virtual ~protocol_upgrade() = default;

    /// Replaces the protocol of the connection. `first`: bytes already received.
    virtual void upgrade(connection&, std::string_view first) = 0;
};

/// Creates the HTTP/2 implementation.
/// A weak symbol: a program supports HTTP/2 only if it links this function, as the CMake target does
/// (cmake/library.cmake).
[[gnu::weak]] std::unique_ptr<protocol_upgrade> make_http2(core&);

/// Returns true if the program is linked with HTTP/2.
bool http2_enabled() noexcept;

}  // namespace apus::http
