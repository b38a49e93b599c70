// SPDX-License-Identifier: Apache-2.0
// In each round, one connection sends messages. Every connection that is open at the start of the round must receive
// each message once. The next round begins when these connections have received all messages.
#include "driver.hpp"

namespace load {

void driver::start_round() {
    auto& speaker = connections_.front();
    if (speaker.state != connection::is::open) return;  // the round starts when the speaker's handshake is complete
    round_left_ = 0;
    for (auto& c : connections_) {
        c.joined = c.state == connection::is::open;
        c.answered = 0;
        c.sent_at = now_;
        if (c.joined) round_left_ += options_.pipeline;
    }
    speaker.sending = &batches_.front();
    transmit(speaker);
    speaker.sending = nullptr;
}

void driver::on_delivery(connection& c) {
    if (!c.joined) return;  // this connection was opened during the round
    if (c.answered == options_.pipeline) return lose(c, trouble::malformed, "duplicate message");
    ++c.answered;
    count(connections_.front().sent_at, connections_.front().sent_at);
    if (--round_left_ == 0) start_round();
}

void driver::leave_round(connection& c) {
    if (!c.joined) return;
    c.joined = false;
    round_left_ -= options_.pipeline - c.answered;
    if (round_left_ == 0) start_round();
}

}  // namespace load
