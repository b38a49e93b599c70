// SPDX-License-Identifier: Apache-2.0
#include "http/h1/connection.hpp"
#include "runtime/record_layer.hpp"

#include <utility>

// The life of a connection: opened, drained, left by its client, closed.

namespace apus::http::h1 {

connection::connection(core& c, int fd) : http::connection(c, fd), core_(c) {
    timer_.of = this;
    timer_.fire = tick;
}

connection::~connection() { core_.loop.timers().remove(timer_); }

void connection::start() {
    expect_by(core_.due_in(layer() ? core_.bounds.handshake : core_.bounds.head));
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
    // A client that closes its side after a request may still read what is being sent.
    if (error == 0 && phase_ == phase::idle && input_) {
        client_ended_ = true;
        return;
    }
    if (error == 0 && (!x_ || phase_ == phase::leaving)) {
        phase_ = phase::leaving;
        return io.finish(*this, runtime::after::close);
    }
    if (phase_ == phase::leaving) return io.close(*this);
    if (x_ && tunnels_ && error == 0) {
        x_->client_ended = true;
        if (x_->reader) x_->body_ended = true, std::exchange(x_->reader, {}).resume();
        return;
    }
    close();
}

// The requests that a client sent before it ended its side have been answered, or there is no more
// than the beginning of one.
void connection::end_with_client() {
    if (x_ || phase_ == phase::leaving || (phase_ == phase::idle && input_)) return;
    phase_ = phase::leaving;
    input_.reset();
    core_.loop.io().finish(*this, runtime::after::close);
}

void connection::stalled() {
    if (!windowed_) begin_window();
}

void connection::drained() {
    if (phase_ != phase::leaving) go_on();
}

void connection::secured() {
    ++core_.counts.handshakes;
    if (layer()->resumed()) ++core_.counts.handshakes_resumed;
    expect_by(core_.due_in(core_.bounds.head));
}

void connection::closed() noexcept {
    tell_closed(core_);
    delete this;
}

}  // namespace apus::http::h1
