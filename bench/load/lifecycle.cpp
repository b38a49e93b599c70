// SPDX-License-Identifier: Apache-2.0
// The life cycle of a connection: opened, lost, opened again.
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "driver.hpp"

namespace load {
namespace {

constexpr unsigned tries_to_connect = 10;
constexpr std::uint64_t pause_to_connect = 20'000'000;

}  // namespace

void driver::open(connection& c) {
    const int fd = sockets_.make();
    if (fd < 0) return connect_failed(c, -fd);
    network_.attach(c.slot, fd);
    if (c.descriptor >= 0) ::close(c.descriptor);
    c.descriptor = fd;
    c.state = connection::is::connecting;
    c.announced = false;
    c.served = 0;
    c.reader.reset();
    if (!c.sending) c.sent_at = now_;
    network_.connect(c.slot, options_.address);
}

void driver::on_connect(connection& c, int result) {
    if (c.state == connection::is::ending) return drop(c);  // the timeout has passed
    if (result < 0) return connect_failed(c, -result);
    c.receives_once = bulky_;
    receive(c);
    if (options_.websocket) {
        c.state = connection::is::shaking_hands;
        c.messages = {};
        network_.send(c.slot, handshake_.text);
        return;
    }
    c.failures = 0;
    c.state = connection::is::open;
    if (c.sending) transmit(c);
    else settle(c);
}

void driver::connect_failed(connection& c, int error) {
    results_.fail(trouble::connect, std::string("connect: ") + std::strerror(error));
    ++c.failures;
    pause(c);
}

void driver::pause(connection& c) {
    if (c.failures >= tries_to_connect) {
        c.state = connection::is::dead;
        c.sending = nullptr;
        if (!c.parked) ++dead_;
        return;
    }
    c.state = connection::is::pausing;
    paused_.push_back({now_ + pause_to_connect, c.slot});
}

// Handles the end of the socket's receive operation.
void driver::on_end(connection& c, int result) {
    if (c.state == connection::is::ending) {
        if (c.announced && options_.per_connection == 0) ++results_.reconnects;
        return drop(c);
    }
    if (result == 0 && c.sending && c.state == connection::is::open && !options_.websocket && c.reader.ended()) {
        count_answer(c);
        if (options_.per_connection == 0) ++results_.reconnects;
        return drop(c);
    }
    // The server closed the connection between two responses, or while the next request was in flight. That request is
    // sent again on the next socket, so this is not a failure.
    if ((result == 0 || !c.sending) && c.served > 0 && c.reader.untouched() && !options_.websocket) {
        ++results_.reconnects;
        return drop(c);
    }
    const auto lost = std::max(1U, c.missing());
    if (result == 0) results_.fail(trouble::closed, "the connection ended before the response", lost);
    else results_.fail(trouble::reset, std::string("receive: ") + std::strerror(-result), lost);
    c.sending = nullptr;
    drop(c);
}

// Abandons the batch. The slot can be reused when the socket's receive operation has ended.
void driver::lose(connection& c, trouble kind, std::string_view what) {
    results_.fail(kind, what, std::max(1U, c.missing()));
    c.sending = nullptr;
    hang_up(c);
}

void driver::hang_up(connection& c) {
    c.state = connection::is::ending;
    c.announced = false;
    leave_round(c);
    ::shutdown(c.descriptor, SHUT_RDWR);
}

void driver::drop(connection& c) {
    c.state = connection::is::closed;
    leave_round(c);
    if (c.failures > 0) return pause(c);
    if (c.sending || options_.websocket) return open(c);
    settle(c);
    if (c.state != connection::is::closed) return;
    network_.attach(c.slot, -1);
    ::close(std::exchange(c.descriptor, -1));
}

// Handles a connection without a batch: parks it while others are opened; later starts its next batch, or a round.
void driver::settle(connection& c) {
    if (phase_ == phase::opening) {
        if (!c.parked) {
            c.parked = true;
            ++settled_;
            last_settled_ = now_;
        }
        return;
    }
    if (options_.broadcast) return round_left_ == 0 ? start_round() : void();
    ready(c);
}

}  // namespace load
