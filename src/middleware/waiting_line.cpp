// SPDX-License-Identifier: Apache-2.0
#include "middleware/waiting_line.hpp"

namespace apus::middleware {

waiting_line::waiting_line(unsigned places, unsigned longest) noexcept : places_(places), longest_(longest) {
    run = [](runtime::deferred& d) noexcept { static_cast<waiting_line&>(d).let_in(); };
}

waiting_line::~waiting_line() {
    if (waits()) runtime::loop::current().forget(*this);
}

waiting_line::place waiting_line::try_enter() noexcept {
    if (held_ >= places_ || first_) return {};
    ++held_;
    return place(*this);
}

// Resumes a waiting task only after the current event. A task that is being cancelled may release its slot, and no
// other task may run during the cancellation.
void waiting_line::give_back() noexcept {
    --held_;
    if (first_) runtime::loop::current().later(*this);
}

void waiting_line::let_in() noexcept {
    while (first_ && held_ < places_) {
        turn& foremost = *first_;
        leave(foremost);
        runtime::loop::current().timers().remove(foremost);
        ++held_;
        foremost.got_ = place(*this);
        foremost.waiter_.resume();
    }
}

void waiting_line::join(turn& t) noexcept {
    t.before_ = last_;
    (last_ ? last_->next_ : first_) = &t;
    last_ = &t;
    t.in_line_ = true;
    ++waiting_;
}

void waiting_line::leave(turn& t) noexcept {
    (t.before_ ? t.before_->next_ : first_) = t.next_;
    (t.next_ ? t.next_->before_ : last_) = t.before_;
    t.in_line_ = false;
    --waiting_;
}

waiting_line::turn::turn(waiting_line& line, std::uint64_t longest) noexcept : line_(line), longest_(longest) {
    fire = [](runtime::timer& t) noexcept {
        auto& self = static_cast<turn&>(t);
        self.line_.leave(self);
        self.waiter_.resume();
    };
}

void waiting_line::turn::await_suspend(std::coroutine_handle<> waiter) noexcept {
    auto& loop = runtime::loop::current();
    waiter_ = waiter;
    line_.join(*this);
    loop.timers().add(*this, loop.now() + longest_ + 1);
    if (line_.held_ < line_.places_) loop.later(line_);
}

waiting_line::turn::~turn() {
    if (in_line_) line_.leave(*this);
    if (waits()) runtime::loop::current().timers().remove(*this);
}

}  // namespace apus::middleware
