// SPDX-License-Identifier: Apache-2.0
#include <apus/detail/joint_wait.hpp>

namespace apus::detail {

void joint_wait::ended(completion* c) noexcept {
    auto& task = static_cast<joint_task&>(*c);
    auto& wait = *task.of_;
    if (task.promise_->request) leave_request();
    if (wait.closed_ || wait.decided_) return;
    if (wait.until_ == until::first || task.failure()) wait.decisive_ = &task;
    else if (++wait.succeeded_ != wait.count_) return;
    wait.decided_ = true;
    if (!wait.starting_) wait.go_on_.request();
}

bool joint_wait::start(std::coroutine_handle<> waiter, promise_base& caller) noexcept {
    const void* const request = caller.request;
    waiter_ = waiter;
    starting_ = true;
    for (std::size_t i = 0; i < count_ && !decided_; ++i) {
        joint_task& task = tasks_[i];
        task.of_ = this;
        task.run = ended;
        task.promise_->done = &task;
        task.promise_->caller = &caller;
        task.promise_->request = request;
        if (request) enter_request(request);
        task.frame_.resume();
    }
    starting_ = false;
    if (request) leave_request();
    return count_ != 0 && !decided_;
}

}  // namespace apus::detail
