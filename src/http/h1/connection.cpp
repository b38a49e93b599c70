// SPDX-License-Identifier: Apache-2.0
#include "http/h1/connection.hpp"
#include "runtime/record_layer.hpp"

#include <cerrno>
#include <utility>

// The life of a connection: opened, drained, left by its client, closed.

namespace apus::http::h1 {

connection::connection(core& c, int fd, runtime::protocols spoken)
    : http::connection(c, fd), core_(c), spoken_(spoken) {
    timer_.of = this;
    timer_.fire = tick;
}

connection::~connection() { core_.loop.timers().remove(timer_); }

void connection::start() {
    hold(core_, idle_memory());
    expect_by(core_.due_in(layer() ? core_.bounds.hello : core_.bounds.head));
    core_.loop.io().receive(*this);
}

void connection::drain() {
    // A request may be on its way to a connection that seems idle: it is given a moment to arrive
    // and is then answered with Connection: close.
    if (x_) {
        x_->keeps_alive = false;
        if (x_->lives_in) x_->lives_in->drain();
    } else if (phase_ == phase::idle || (phase_ == phase::leaving && !unsent())) expect_by(core_.due_in(moment));
}

void connection::abandon() noexcept {
    if (phase_ == phase::leaving) return core_.loop.io().close(*this);
    close();
}

void connection::ended(int error) {
    auto& io = core_.loop.io();
    if (error == EBUSY && layer() && !layer()->greeted()) ++core_.counts.handshakes_refused;
    if (phase_ == phase::leaving) return error == 0 ? io.finish(*this, runtime::after::close) : io.close(*this);
    if (error != 0 || (x_ && peer_has_left())) return close();
    client_ended_ = true;
    if (x_ || input_) probe_peer();
    if (!x_ || !tunnels_) return end_with_client();
    if (x_->reader) x_->body_ended = true, std::exchange(x_->reader, {}).resume();
}

// A client that has ended its side may still read (RFC 9112, 9.6): the requests that came whole are
// answered, then the connection is closed.
void connection::end_with_client() {
    if (phase_ == phase::leaving || (input_ && blocked())) return;
    const bool skips = x_ && !tunnels_ && !x_->decoder.ended() && x_->responded && !x_->producing;
    if (skips) {
        closes_ = true;
        release();
    }
    if (x_) {
        if (!tunnels_ && wants_body_bytes()) cut_body();
        if (!windowed_) begin_window();  // asks now and then whether the client is still there
        return;
    }
    if (phase_ == phase::idle && input_) return;
    phase_ = phase::leaving;
    input_.reset();
    core_.loop.io().finish(*this, runtime::after::close);
}

// The rest of a body that is waited for will not come (RFC 9112, 8).
void connection::cut_body() noexcept {
    static constexpr codec::refusal cut_short{400, "the body of the request ended before it was complete"};
    x_->broken = &cut_short;
    core_.loop.later(x_->attend);
}

void connection::stalled() {
    if (!windowed_) begin_window();
    else out_ = credit(core_.bounds.drain_rate);
    settle_memory();
}

void connection::drained() {
    settle_memory();
    if (phase_ == phase::leaving) {
        // The last answer has gone: a server that stops waits no longer than for other connections.
        if (windowed_ && core_.draining) expect_by(core_.due_in(moment));
        return;
    }
    go_on();
    settle_memory();
    if (phase_ != phase::leaving && core_.loop.memory().pressure() != runtime::memory_pressure::none) review_input();
}

// What it holds is on the core's account when an event is over; within one it may differ.
void connection::settle_memory() noexcept {
    std::size_t now = idle_memory() + output_memory();
    if (input_) now += input_->memory();
    if (x_)
        now += x_->memory() +
               (x_->head_buffer.capacity > runtime::buffer_pool::buffer_size ? x_->head_buffer.capacity : 0);
    hold(core_, now);
}

void connection::review_input() {
    if (phase_ == phase::leaving || consuming_) return;
    const bool was_held_back = held_back();
    go_on();
    if (phase_ == phase::leaving || client_ended_) return;
    watch_input();
    // While it was not read from, its rate was not judged.
    if (was_held_back && !held_back() && wants_body_bytes()) await_body();
}

void connection::resumed() {
    if (phase_ != phase::leaving) go_on();
}

void connection::handshake_begun() {
    expect_by(core_.due_in(core_.bounds.handshake));
    settle_memory();
}

void connection::secured() {
    ++core_.counts.handshakes;
    if (layer()->resumed()) ++core_.counts.handshakes_resumed;
    settle_memory();
    expect_by(core_.due_in(core_.bounds.head));
}

void connection::closed() noexcept {
    tell_closed(core_);
    delete this;
}

}  // namespace apus::http::h1
