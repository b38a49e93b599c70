// SPDX-License-Identifier: Apache-2.0
#include "runtime/uring/uring_backend.hpp"

#include <utility>

#include <poll.h>

namespace apus::runtime {

// Submits a single-shot poll request. It is submitted again after each event, and every submission checks readiness, so
// the watch is level-triggered.
void uring_backend::arm_watch(watch_slot& slot) {
    const unsigned events =
        (has(slot.wanted, readiness::in) ? POLLIN : 0u) | (has(slot.wanted, readiness::out) ? POLLOUT : 0u);
    io_uring_prep_poll_add(request(reinterpret_cast<std::uintptr_t>(&slot) | of_wake_up), slot.of->fd_, events);
    slot.armed = true;
}

void uring_backend::watch(descriptor_watch& w, readiness wanted) {
    if (w.slot_ && w.slot_->wanted == wanted) return;
    if (w.slot_ && w.slot_->armed) {
        cancel(reinterpret_cast<std::uintptr_t>(w.slot_) | of_wake_up);
        std::exchange(w.slot_, nullptr)->of = nullptr;  // the slot is dropped at the completion
    }
    if (w.slot_ && wanted == readiness::none) {  // within `ready`
        std::exchange(w.slot_, nullptr)->of = nullptr;
    }
    if (wanted == readiness::none) return;
    if (!w.slot_) w.slot_ = &make_slot(w, wanted);
    w.slot_->wanted = wanted;
    arm_watch(*w.slot_);
}

void uring_backend::on_watch(watch_slot& slot, int result) {
    slot.armed = false;
    // A failed request, for example on a closed descriptor, is reported as an error event.
    if (slot.of) notify_ready(slot, result < 0 ? POLLERR : static_cast<unsigned>(result));
    if (slot.armed) return;  // `ready` has submitted a request again, whose completion follows
    if (!slot.of) return drop_slot(slot);
    arm_watch(slot);
}

}  // namespace apus::runtime
