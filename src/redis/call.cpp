// SPDX-License-Identifier: Apache-2.0
#include "redis/call.hpp"

#include "redis/connection.hpp"
#include "redis/pool.hpp"

#include <utility>

namespace apus::redis {

call::call(pool& p, std::string what, std::string bytes, std::size_t replies, std::uint64_t due_at)
    : timer([](runtime::timer& t) noexcept {
          auto& c = static_cast<call&>(t);
          c.pool_.late(c);
      }),
      name(std::move(what)),
      wire(std::move(bytes)),
      expected(replies),
      deadline(due_at),
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
    if (finished_ || !waiter_) return;
    if (in) in->abandon(*this);
    pool_.leave(*this);
}

void call::await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    pool_.submit(*this);
}

void call::finish() noexcept {
    if (std::exchange(finished_, true)) return;
    loop_.timers().remove(*this);
    loop_.later(resume_);
    pool_.leave(*this);
}

}  // namespace apus::redis
