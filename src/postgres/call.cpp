// SPDX-License-Identifier: Apache-2.0
#include "postgres/call.hpp"

#include "postgres/connection.hpp"
#include "postgres/pool.hpp"

#include <utility>

namespace apus::postgres {

call::call(pool& p, kind k, sql::statement s)
    : timer([](runtime::timer& t) noexcept {
          auto& c = static_cast<call&>(t);
          c.pool_.late(c);
      }),
      what(k),
      of(std::move(s)),
      pool_(p),
      loop_(p.loop()) {
    resume_.of = this;
    resume_.run = [](runtime::deferred& d) noexcept {
        auto& c = *static_cast<resumption&>(d).of;
        std::exchange(c.waiter_, {}).resume();
    };
}

call::~call() {
    loop_.timers().remove(*this);
    loop_.forget(resume_);
    if (waits) pool_.leave(*this);
    if (in && what == kind::lease) in->take_back();
    else if (in && !finished_) in->abandon(*this);
}

void call::await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
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

void call::finish() noexcept {
    if (std::exchange(finished_, true)) return;
    loop_.timers().remove(*this);
    loop_.later(resume_);
}

}  // namespace apus::postgres
