// SPDX-License-Identifier: Apache-2.0
#include "middleware/async_semaphore.hpp"

namespace apus::middleware {

async_semaphore::async_semaphore(unsigned permits, unsigned max_waiting) noexcept
    : permits_(permits), max_waiting_(max_waiting) {
    run = [](runtime::deferred& d) noexcept { static_cast<async_semaphore&>(d).grant(); };
}

async_semaphore::~async_semaphore() {
    if (waits()) runtime::loop::current().forget(*this);
}

async_semaphore::permit async_semaphore::try_acquire() noexcept {
    if (held_ >= permits_ || first_) return {};
    ++held_;
    return permit(*this);
}

// Resumes a waiting task only after the current event. A task that is being cancelled may release its permit, and no
// other task may run during the cancellation.
void async_semaphore::release() noexcept {
    --held_;
    if (first_) runtime::loop::current().later(*this);
}

void async_semaphore::grant() noexcept {
    while (first_ && held_ < permits_) {
        acquire_awaiter& foremost = *first_;
        leave(foremost);
        runtime::loop::current().timers().remove(foremost);
        ++held_;
        foremost.permit_ = permit(*this);
        foremost.waiter_.resume();
    }
}

void async_semaphore::join(acquire_awaiter& t) noexcept {
    t.before_ = last_;
    (last_ ? last_->next_ : first_) = &t;
    last_ = &t;
    t.queued_ = true;
    ++waiting_;
}

void async_semaphore::leave(acquire_awaiter& t) noexcept {
    (t.before_ ? t.before_->next_ : first_) = t.next_;
    (t.next_ ? t.next_->before_ : last_) = t.before_;
    t.queued_ = false;
    --waiting_;
}

async_semaphore::acquire_awaiter::acquire_awaiter(async_semaphore& of, std::uint64_t timeout) noexcept
    : semaphore_(of), timeout_(timeout) {
    fire = [](runtime::timer& t) noexcept {
        auto& self = static_cast<acquire_awaiter&>(t);
        self.semaphore_.leave(self);
        self.waiter_.resume();
    };
}

void async_semaphore::acquire_awaiter::await_suspend(std::coroutine_handle<> waiter) noexcept {
    auto& loop = runtime::loop::current();
    waiter_ = waiter;
    semaphore_.join(*this);
    loop.timers().add(*this, loop.now() + timeout_ + 1);
    if (semaphore_.held_ < semaphore_.permits_) loop.later(semaphore_);
}

async_semaphore::acquire_awaiter::~acquire_awaiter() {
    if (queued_) semaphore_.leave(*this);
    if (waits()) runtime::loop::current().timers().remove(*this);
}

}  // namespace apus::middleware
