// SPDX-License-Identifier: Apache-2.0
#include "postgres/call.hpp"

#include "postgres/connection.hpp"
#include "postgres/pool.hpp"

#include <utility>

namespace apus::postgres {

call::call(pool& p, kind k, sql::statement s)
    : timed_wait(p.loop(),
                 [](runtime::timer& t) noexcept {
                     auto& c = static_cast<call&>(t);
                     c.pool_.late(c);
                 }),
      what(k),
      of(std::move(s)),
      pool_(p) {}

call::~call() {
    if (waits) pool_.leave(*this);
    if (in && what == kind::lease) in->take_back();
    else if (in && !finished()) in->abandon(*this);
}

void call::await_suspend(std::coroutine_handle<> waiter) {
    begin_wait(waiter);
    pool_.submit(*this);
}

connection* call::take() noexcept {
    if (in) in->holder = nullptr;
    return std::exchange(in, nullptr);
}

void call_queue::push_back(call& c) noexcept {
    c.waits = true;
    c.next_ = nullptr;
    c.previous_ = last_;
    (last_ ? last_->next_ : first_) = &c;
    last_ = &c;
    ++size_;
}

void call_queue::remove(call& c) noexcept {
    c.waits = false;
    (c.previous_ ? c.previous_->next_ : first_) = c.next_;
    (c.next_ ? c.next_->previous_ : last_) = c.previous_;
    --size_;
}

void call::finish() noexcept { end_wait(); }

}  // namespace apus::postgres
