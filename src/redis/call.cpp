// SPDX-License-Identifier: Apache-2.0
#include "redis/call.hpp"

#include "redis/connection.hpp"
#include "redis/pool.hpp"

#include <utility>

namespace apus::redis {

call::call(pool& p, std::string what, std::string bytes, std::size_t replies, std::uint64_t due_at)
    : timed_wait(p.loop(),
                 [](runtime::timer& t) noexcept {
                     auto& c = static_cast<call&>(t);
                     c.pool_.late(c);
                 }),
      name(std::move(what)),
      wire(std::move(bytes)),
      expected(replies),
      deadline(due_at),
      pool_(p) {}

call::~call() {
    if (finished() || !begun()) return;
    if (in) in->abandon(*this);
    pool_.leave(*this);
}

void call::await_suspend(std::coroutine_handle<> waiter) {
    begin_wait(waiter);
    pool_.submit(*this);
}

void call::finish() noexcept {
    if (end_wait()) pool_.leave(*this);
}

}  // namespace apus::redis
