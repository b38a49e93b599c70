// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/h2/exchange.hpp"

namespace apus::http::h2 {

/// Exchanges that may send, in order of sending (RFC 9218, 10).
/// The most urgent exchanges are first; exchanges of equal urgency are in order of arrival. After each frame, an
/// incremental exchange moves behind the others of its urgency.
class send_queue {
public:
    bool empty() const noexcept { return !first_; }
    h2_exchange& front() const noexcept { return *first_; }

    /// Appends `x`, unless it is in the queue.
    void add(h2_exchange& x) noexcept {
        if (x.queued) return;
        h2_exchange* before = last_;
        while (before && before->order.urgency > x.order.urgency) before = before->send_previous;
        x.queued = true;
        x.send_previous = before;
        x.send_next = before ? before->send_next : first_;
        (before ? before->send_next : first_) = &x;
        (x.send_next ? x.send_next->send_previous : last_) = &x;
    }

    /// Removes `x`, if it is in the queue.
    void remove(h2_exchange& x) noexcept {
        if (!x.queued) return;
        x.queued = false;
        (x.send_previous ? x.send_previous->send_next : first_) = x.send_next;
        (x.send_next ? x.send_next->send_previous : last_) = x.send_previous;
    }

    /// Moves `x` behind the other exchanges of its urgency.
    void move_back(h2_exchange& x) noexcept {
        if (!x.queued) return;
        remove(x);
        add(x);
    }

private:
    h2_exchange* first_ = nullptr;
    h2_exchange* last_ = nullptr;
};

}  // namespace apus::http::h2
