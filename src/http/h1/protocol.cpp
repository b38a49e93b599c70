// SPDX-License-Identifier: Apache-2.0
#include "http/h1/protocol.hpp"
#include "runtime/record_layer.hpp"

#include <cerrno>
#include <utility>

// Life cycle of a connection: open, drain, end of the client's input, close.

namespace apus::http::h1 {

protocol::protocol(core& c, http::connection& on, runtime::protocols spoken)
    : http::protocol(c, on), timer(tick), protocols_(spoken) {}

protocol::~protocol() { core_.loop.timers().remove(*this); }

void protocol::start() {
    connection_.hold(core_, connection_.idle_memory());
    set_deadline(core_.due_in(connection_.layer() ? core_.bounds.hello : core_.bounds.head));
    core_.loop.io().receive(connection_);
}

void protocol::drain() {
    // A request may be in transit on an idle connection, so the connection stays open for the drain grace. A request
    // that arrives in this time gets a response with Connection: close.
    if (x_) {
        x_->keeps_alive = false;
        if (x_->on_drain) x_->on_drain->drain(core_.draining_for);
    } else if (phase_ == phase::idle || (phase_ == phase::leaving && !connection_.unsent())) {
        const std::uint64_t due = core_.due_in(phase_ == phase::idle ? core_.idle_grace : leaving_timeout());
        if (core_.hurries() || (!windowed_ && (!due_ || due_ > due))) set_deadline(due);
    }
}

void protocol::abandon() noexcept {
    if (phase_ == phase::leaving) return core_.loop.io().close(connection_);
    close_connection();
}

void protocol::ended(int error) {
    auto& io = core_.loop.io();
    if (error == EBUSY && connection_.layer() && !connection_.layer()->handshake_done())
        ++core_.counts.handshakes_refused;
    if (phase_ == phase::leaving)
        return error == 0 ? io.finish(connection_, runtime::after::close) : io.close(connection_);
    if (error != 0 || (x_ && connection_.peer_disconnected())) return close_connection();
    client_ended_ = true;
    if (x_ || input_) connection_.probe_peer();
    if (!x_ || !x_->tunnel) return end_with_client();
    if (x_->reader) x_->body_ended = true, std::exchange(x_->reader, {}).resume();
}

// A client that has shut down sending may still read (RFC 9112, 9.6). Responds to the complete requests, then closes
// the connection.
void protocol::end_with_client() {
    if (phase_ == phase::leaving || (input_ && blocked())) return;
    const bool skips = x_ && !x_->tunnel && !x_->decoder.ended() && x_->at == stage::complete;
    if (skips) {
        closes_ = true;
        release();
    }
    if (x_) {
        if (!x_->tunnel && wants_body_bytes()) truncate_body();
        if (!windowed_) begin_window();  // checks periodically whether the client is still connected
        return;
    }
    if (phase_ == phase::idle && input_) return;
    phase_ = phase::leaving;
    input_.reset();
    core_.loop.io().finish(connection_, runtime::after::close);
}

// Marks the body as incomplete after the end of the client's input (RFC 9112, 8).
void protocol::truncate_body() noexcept {
    static constexpr codec::refusal cut_short{400, "the body of the request ended before it was complete"};
    x_->broken = &cut_short;
    core_.loop.later(x_->resume_later);
}

void protocol::stalled() {
    if (!windowed_) begin_window();
    else out_ = credit(core_.bounds.drain_rate);
    settle_memory();
}

void protocol::drained() {
    settle_memory();
    if (phase_ == phase::leaving) {
        // The last response is sent. If the server is stopping, the connection lingers only for `stop_grace`.
        if (windowed_ && core_.hurries()) set_deadline(core_.due_in(leaving_timeout()));
        return;
    }
    process_next();
    settle_memory();
    if (!is_over() && core_.loop.memory().pressure() != runtime::memory_pressure::none) review_input();
}

// Updates the core's memory account. Called at the end of an event; during an event the account may be out of date.
void protocol::settle_memory() noexcept {
    if (phase_ == phase::replaced) return;
    std::size_t now = connection_.idle_memory() + connection_.output_memory();
    if (input_) now += input_->memory();
    if (x_)
        now += x_->memory() +
               (x_->head_buffer.capacity > runtime::buffer_pool::buffer_size ? x_->head_buffer.capacity : 0);
    connection_.hold(core_, now);
}

void protocol::review_input() {
    if (is_over() || consuming_) return;
    const bool was_throttled = connection_.throttled();
    process_next();
    if (is_over() || client_ended_) return;
    watch_input();
    // While reading was paused, the client's rate was not checked. From now on, the rate is checked again.
    if (was_throttled && !connection_.throttled() && wants_body_bytes()) await_body();
}

void protocol::resumed() {
    if (phase_ != phase::leaving) process_next();
}

void protocol::handshake_begun() {
    set_deadline(core_.due_in(core_.bounds.handshake));
    settle_memory();
}

void protocol::secured() {
    ++core_.counts.handshakes;
    if (connection_.layer()->resumed()) ++core_.counts.handshakes_resumed;
    // A client without ALPN may still send the HTTP/2 preface.
    if (const auto negotiated = connection_.layer()->application(); !negotiated.empty())
        connection_.decide_traffic(core_.loop.io(),
                                   negotiated == "h2" ? connection::http2_traffic : connection::http1_traffic);
    settle_memory();
    set_deadline(core_.due_in(core_.bounds.head));
}

}  // namespace apus::http::h1
