// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/connection.hpp"

#include <algorithm>
#include <utility>

namespace apus::outbound::h2 {
namespace {

constexpr duration linger_timeout = seconds(1);  // time for the server to receive the last bytes
constexpr std::size_t max_unsent = 1024 * 1024;  // above this, the connection fails: the server does not read
constexpr std::size_t busy_unsent = 4 * transport::high_water;  // above this, the connection accepts no new requests

codec::http1::head_limits limits_of(const pool& p) noexcept {
    return {p.options.status_line, p.options.fields, p.options.field_bytes};
}

}  // namespace

connection::connection(pool& p, origin& o, transport& t)
    : timer([](runtime::timer& self) noexcept { static_cast<connection&>(self).on_timer(); }),
      session_(limits_of(p)),
      loop_(p.loop()),
      of_(&p),
      to_(&o),
      io_(&t),
      last_received_(loop_.now()) {
    deliver_.of = this;
    deliver_.run = [](runtime::deferred& d) noexcept { static_cast<delivering&>(d).of->deliver(); };
    loop_end::run = [](loop_end& e) noexcept { static_cast<connection&>(e).close_now(); };
}

connection::~connection() { loop_.forget(deliver_); }

void connection::start() {
    io_->idle_watcher = this;
    loop_.timers().add(*this, loop_.due_in(of_->options.connect));  // deadline of SETTINGS
    flush();
    receive();
}

std::uint32_t connection::available() const noexcept {
    if (!of_ || retired_ || !open() || io_->unsent() > busy_unsent) return 0;
    const std::uint32_t free = session_.available();
    return free > reserved_ ? free - reserved_ : 0;
}

void connection::reserve() noexcept {
    if (holders_++ == 0 && session_.has_settings() && waits()) loop_.timers().remove(*this);
    ++reserved_;
}

void connection::release(bool reserved) noexcept {
    if (reserved) --reserved_;
    used_ = true;
    flush();
    --holders_;
    settle();
}

void connection::flush() noexcept {
    if (!open()) return;
    auto& out = session_.output();
    const std::size_t unsent = io_->unsent() + out.size();
    if (unsent < transport::high_water) session_.write_data(transport::high_water - unsent);
    if (!out.empty()) {
        io_->send(out.bytes());
        out.consume(out.size());
        if (out.capacity() > transport::high_water) out.release();
    }
    if (session_.has_events()) loop_.later(deliver_);
}

void connection::on_event(transport&) noexcept {
    ++holders_;
    receive();
    flush();
    deliver();
    --holders_;
    settle();
}

void connection::has_room(transport&) noexcept {
    if (closing_ && io_ && io_->unsent() == 0) {
        close_now();
        return;
    }
    flush();
}

void connection::receive() noexcept {
    if (!io_) return;
    if (io_->gather()) {
        last_received_ = loop_.now();
        const bool had_settings = session_.has_settings();
        session_.receive(io_->unread(), loop_.now());
        io_->use(io_->unread().size());
        if (!had_settings && session_.has_settings() && waits() && !closing_) loop_.timers().remove(*this);
    }
    if (closing_) {
        if (io_->ended()) close_now();
        return;
    }
    if (session_.failure()) begin_close();
    else if (io_->ended()) fail(error(502, "the upstream closed the connection before the end of the response"));
    else if (io_->unsent() > max_unsent) fail(error(502, "the upstream does not read from the connection"));
}

void connection::fail(const error& why) noexcept {
    session_.end(why);
    close_now();
}

// Calls the streams that have events. These calls may close the connection.
void connection::deliver() noexcept {
    ++holders_;
    while (session_.deliver()) {}
    flush();
    --holders_;
    settle();
}

void connection::on_timer() noexcept {
    ++holders_;
    if (closing_) close_now();
    else if (!session_.has_settings()) fail(error(504, "the upstream did not send HTTP/2 SETTINGS in time"));
    else if (holders_ == 1) close();
    deliver();
    --holders_;
    settle();
}

void connection::use_large_buffers() {
    if (open() && !std::exchange(large_buffers_, true)) io_->use_large_buffers(true);
}

void connection::suspect(std::uint64_t since) noexcept {
    if (last_received_ <= since) retired_ = true;
}

// Call after each change. If the connection has no holders: deletes it if it is closed, closes it if it accepts no
// further requests, or starts its idle timer.
void connection::settle() noexcept {
    if (of_) of_->note_capacity();
    if (holders_ > 0) return;
    if (!io_) {
        delete this;
        return;
    }
    if (closing_) return;
    if (std::exchange(large_buffers_, false)) io_->use_large_buffers(false);
    if (session_.leaving() || retired_) close();
    else if (!waits()) loop_.timers().add(*this, loop_.due_in(of_->options.idle));
}

void connection::leave_pool() noexcept {
    if (pool* const p = std::exchange(of_, nullptr)) p->remove(*to_, *this);
}

void connection::close() noexcept {
    session_.close();
    begin_close();
}

// Sends the remaining output, then closes.
void connection::begin_close() noexcept {
    flush();
    closing_ = true;
    leave_pool();
    if (waits()) loop_.timers().remove(*this);
    if (io_->unsent() == 0) return close_now();
    loop_.at_end(*this);
    loop_.timers().add(*this, loop_.due_in(linger_timeout));
}

void connection::close_now() noexcept {
    if (!io_) return;
    if (waits()) loop_.timers().remove(*this);
    if (closing_) runtime::loop::take_out(*this);
    ++holders_;
    leave_pool();
    std::exchange(io_, nullptr)->close();
    --holders_;
    settle();
}

void connection::end() noexcept {
    session_.end(error(502, "the client's event loop has ended"));
    close_now();
}

}  // namespace apus::outbound::h2
