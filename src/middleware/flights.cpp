// SPDX-License-Identifier: Apache-2.0
#include "middleware/flights.hpp"

#include <utility>

namespace apus::middleware {

flights::flights() noexcept {
    run = [](runtime::deferred& d) noexcept { static_cast<flights&>(d).resume_ready(); };
}

flights::~flights() {
    if (waits()) runtime::loop::current().forget(*this);
}

void flights::wake(std::list<follower*>& from, std::list<follower*>::iterator who) noexcept {
    ready_.splice(ready_.end(), from, who);
    (*who)->in_ = &ready_;
    runtime::loop::current().later(*this);
}

void flights::leader::done() noexcept {
    done_ = true;
    const auto found = of_.waiting_.find(key_);
    if (found == of_.waiting_.end()) return;
    while (!found->second.empty()) of_.wake(found->second, found->second.begin());
    of_.waiting_.erase(found);
}

// Resumes the next waiting task after the current event, since the leader may be in the middle of its own completion.
void flights::pass_on(const std::string& key) noexcept {
    const auto found = waiting_.find(key);
    if (found == waiting_.end()) return;
    if (found->second.empty()) return void(waiting_.erase(found));
    found->second.front()->leads_ = true;
    wake(found->second, found->second.begin());
}

void flights::resume_ready() noexcept {
    while (!ready_.empty()) {
        follower& next_one = *ready_.front();
        ready_.pop_front();
        next_one.in_ = nullptr;
        next_one.waiter_.resume();
    }
}

void flights::follower::await_suspend(std::coroutine_handle<> waiter) {
    waiter_ = waiter;
    auto& line = of_.waiting_[key_];
    at_ = line.insert(line.end(), this);
    in_ = &line;
}

flights::follower::~follower() {
    if (in_) in_->erase(at_);
    if (leads_) of_.pass_on(key_);  // this task was chosen as leader, but cancelled before it resumed
}

}  // namespace apus::middleware
