// SPDX-License-Identifier: Apache-2.0
// Sending requests and counting responses.
#include "driver.hpp"

namespace load {
namespace {

// If at least this many bytes of a body are left, the kernel discards them. Copying these bytes would cost the client
// as much as sending them costs the server.
constexpr std::uint64_t large_body = 32'768;

}  // namespace

void driver::ready(connection& c) {
    if (period_ == 0) return begin(c, now_);
    if (c.owed == 0) return;
    --c.owed;
    const auto due = time_of(c.next_due);
    c.next_due += share_.connections;
    begin(c, due);
}

void driver::begin(connection& c, std::uint64_t due) {
    c.sending = &batches_[next_batch_];
    if (++next_batch_ == batches_.size()) next_batch_ = 0;
    c.answered = 0;
    c.sent_at = now_;
    c.due_at = due;
    if (c.state == connection::is::closed) open(c);
    else transmit(c);
}

void driver::transmit(connection& c) {
    const auto text = std::string_view(c.sending->text).substr(c.sending->starts[c.answered]);
    results_.bytes_sent += text.size();
    network_.send(c.slot, text);
}

void driver::receive(connection& c) {
    if (!bulky_) return network_.receive(c.slot);
    if (c.reader.left() < large_body) return network_.receive_once(c.slot);
    network_.discard(c.slot, c.reader.left());
}

void driver::on_discarded(connection& c, std::uint64_t bytes) {
    if (c.state == connection::is::open && c.reader.skip(bytes)) count_answer(c);
}

void driver::on_data(connection& c, std::string_view in) {
    if (c.state == connection::is::ending) return;
    if (c.state == connection::is::open && options_.websocket) return on_messages(c, in);
    on_answers(c, in);
}

void driver::on_answers(connection& c, std::string_view in) {
    const bool shaking = c.state == connection::is::shaking_hands;
    while (!in.empty()) {
        if (!c.sending && !shaking) return lose(c, trouble::malformed, "a response without a request");
        const auto got = c.reader.read(in, heads_, !shaking && c.sending->bodiless);
        if (got == reading::more) {
            if (c.reader.left() < large_body) return;
            bulky_ = true;
            if (!std::exchange(c.receives_once, true)) network_.stop_receiving(c.slot);
            return;
        }
        if (got == reading::bad) return lose(c, trouble::malformed, "invalid HTTP/1.1 response");
        if (shaking) {
            on_handshake(c);
            return in.empty() ? void() : on_data(c, in);
        }
        if (!in.empty() && c.missing() == 1) return lose(c, trouble::malformed, "bytes after the last response");
        if (count_answer(c)) return;
    }
}

// Returns true if the rest of the current input is not needed.
bool driver::count_answer(connection& c) {
    const auto& head = c.reader.head();
    const auto& wanted = *c.sending;
    if (!wanted.wanted.hold(head.status)) [[unlikely]]
        results_.fail(trouble::status, c.reader.status_line().empty() ? "HTTP/1.1 200" : c.reader.status_line());
    else if (wanted.answer_bytes && *wanted.answer_bytes != c.reader.body_bytes()) [[unlikely]]
        results_.fail(trouble::body, "a body of " + std::to_string(c.reader.body_bytes()) + " bytes instead of " +
                                         std::to_string(*wanted.answer_bytes));
    else count(c.due_at, c.sent_at);
    ++c.answered;
    ++c.served;
    c.announced = head.closes;
    const bool whole = c.answered == wanted.count();
    if (whole) finish(c);
    else if (c.announced) c.state = connection::is::ending;  // the rest of the batch is sent on the next socket
    return c.state != connection::is::open;
}

void driver::count(std::uint64_t due, std::uint64_t sent) {
    if (period_ == 0) {
        ++results_.requests;
        return results_.latency.record(now_ - due);
    }
    if (phase_ == phase::measuring && due < measured_from_) return;  // the request was due during the warm-up
    ++results_.requests;
    results_.latency.record(now_ > due ? now_ - due : 0);
    results_.sent.record(now_ - sent);
}

void driver::finish(connection& c) {
    c.sending = nullptr;
    if (c.announced) c.state = connection::is::ending;
    else if (options_.per_connection > 0 && c.served >= options_.per_connection) hang_up(c);
    else settle(c);
}

void driver::on_handshake(connection& c) {
    const auto& head = c.reader.head();
    ++c.failures;  // a failed handshake is retried like a failed connection: after a pause, up to ten times
    if (head.status != 101)
        return lose(c, trouble::status, c.reader.status_line().empty() ? "HTTP/1.1 200" : c.reader.status_line());
    if (!head.accepts_websocket) return lose(c, trouble::malformed, "wrong Sec-WebSocket-Accept in the handshake");
    c.failures = 0;
    c.state = connection::is::open;
    if (c.sending) transmit(c);
    else settle(c);
}

void driver::on_messages(connection& c, std::string_view in) {
    using found = message_reader::found;
    while (c.state == connection::is::open) {
        switch (c.messages.read(in)) {
            case found::more: return;
            case found::ping: network_.send(c.slot, pongs_.emplace_back(masked_pong(c.messages.ping()))); continue;
            case found::close: return lose(c, trouble::closed, "the server closed a WebSocket");
            case found::bad: return lose(c, trouble::malformed, "invalid WebSocket frame");
            case found::message: break;
        }
        if (c.messages.message_bytes() != options_.message_bytes) {
            results_.fail(trouble::body, "a message of " + std::to_string(c.messages.message_bytes()) + " bytes");
        } else if (options_.broadcast) {
            on_delivery(c);
            continue;
        } else if (!c.sending) {
            return lose(c, trouble::malformed, "an unexpected message");
        } else {
            count(c.due_at, c.sent_at);
        }
        if (!options_.broadcast && c.sending && ++c.answered == c.sending->count()) finish(c);
    }
}

}  // namespace load
