// SPDX-License-Identifier: Apache-2.0
#include "nats/call.hpp"

#include "nats/session.hpp"

#include <utility>

namespace apus::nats {

call::call(session& of, outgoing message, std::uint64_t number, std::uint64_t due_at)
    : timed_wait(of.loop(),
                 [](runtime::timer& t) noexcept {
                     auto& c = static_cast<call&>(t);
                     c.session_.late(c);
                 }),
      what(std::move(message)),
      inbox(number),
      deadline(due_at),
      session_(of) {}

call::~call() {
    if (!finished() && begun()) session_.leave(*this);
}

void call::await_suspend(std::coroutine_handle<> waiter) {
    begin_wait(waiter);
    session_.submit(*this);
}

void call::finish() noexcept {
    if (end_wait()) session_.leave(*this);
}

}  // namespace apus::nats
