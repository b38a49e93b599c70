// SPDX-License-Identifier: Apache-2.0
#include "middleware/single_flight.hpp"

#include <utility>

namespace apus::middleware {

single_flight::single_flight() noexcept {
    run = [](runtime::deferred& d) noexcept { static_cast<single_flight&>(d).resume_ready(); };
}

single_flight::~single_flight() {
    if (waits()) runtime::loop::current().forget(*this);
}

void single_flight::wake(std::list<follower*>& from, std::list<follower*>::iterator one) noexcept {
    ready_.splice(ready_.end(), from, one);
    (*one)->in_ = &ready_;
    runtime::loop::current().later(*this);
}

void single_flight::leader::done() noexcept {
    done_ = true;
    const auto found = of_.waiting_.find(key_);
    if (found == of_.waiting_.end()) return;
    while (!found->second.empty()) of_.wake(found->second, found->second.begin());
    of_.waiting_.erase(found);
}

// Resumes the next waiting task only after the current event, since the destructor of a cancelled task may call this
// function.
void single_flight::promote_waiter(const std::string& key) noexcept {
    const auto found = waiting_.find(key);
    if (found == waiting_.end()) return;
    if (found->second.empty()) return void(waiting_.erase(found));
    found->second.front()->leads_ = true;
    wake(found->second, found->second.begin());
}

void single_flight::resume_ready() noexcept {
    while (!ready_.empty()) {
        follower& next_one = *ready_.front();
        ready_.pop_front();
        next_one.in_ = nullptr;
        next_one.waiter_.resume();
    }
}

void single_flight::follower::await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    auto& line = of_.waiting_[key_];
    at_ = line.insert(line.end(), this);
    in_ = &line;
}

single_flight::follower::~follower() {
    if (in_) in_->erase(at_);
    if (leads_) of_.promote_waiter(key_);  // this task was chosen as leader, but cancelled before it resumed
}

}  // namespace apus::middleware
