// SPDX-License-Identifier: Apache-2.0
#include <apus/task_scope.hpp>

#include "base/thrown.hpp"
#include "runtime/activity.hpp"

#include <stdexcept>
#include <utility>

namespace apus {

/// A task of a scope, in the list of running or of ended tasks.
struct task_scope::child : detail::completion {
    task_scope& of;
    task<>::handle frame;
    child* next = nullptr;
    child** at = nullptr;  // the list pointer that refers to this

    child(task_scope& scope, task<> t) noexcept : completion{}, of(scope), frame(t.release()) {
        run = [](completion* c) noexcept {
            auto& self = static_cast<child&>(*c);
            self.of.end(self);
        };
        origin = scope.options_.name;
        frame.promise().done = this;
        frame.promise().request = scope.request_;
    }
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    ~child() { frame.destroy(); }

    void enter(child*& list) noexcept {
        next = list;
        at = &list;
        if (next) next->at = &next;
        list = this;
    }
    void leave() noexcept {
        *at = next;
        if (next) next->at = at;
    }

    static void* operator new(std::size_t size) { return detail::frame_allocate(size); }
    static void operator delete(void* self, std::size_t size) noexcept { detail::frame_free(self, size); }
};

/// Waits until a scope has no tasks.
struct task_scope::all_tasks_ended {
    task_scope& of;
    bool waits = false;

    explicit all_tasks_ended(task_scope& scope) noexcept : of(scope) {}
    all_tasks_ended(const all_tasks_ended&) = delete;
    all_tasks_ended& operator=(const all_tasks_ended&) = delete;
    ~all_tasks_ended() {
        if (waits) of.joiner_ = {};
    }
    bool await_ready() const noexcept { return of.size_ == 0; }
    void await_suspend(std::coroutine_handle<> joiner) noexcept {
        waits = true;
        of.joiner_ = joiner;
    }
    void await_resume() noexcept { waits = false; }
};

namespace {

const void* request_of_this_thread() noexcept {
    const auto* doing = runtime::activity::here();
    return doing ? doing->request.load(std::memory_order_relaxed) : nullptr;
}

}  // namespace

task_scope::task_scope(const task_scope_options& options) noexcept
    : options_(options), request_(request_of_this_thread()) {}

task_scope::~task_scope() {
    cancelled_ = true;
    destroy(running_);
    destroy(ended_);
}

// Reads the list again after each deletion, because a destructor may end or cancel other tasks of the scope.
void task_scope::destroy(child*& list) noexcept {
    while (child* one = list) {
        one->leave();
        --one->of.size_;
        delete one;
    }
}

bool task_scope::try_spawn(task<> t) {
    if (cancelled_ || size_ >= options_.limit) return false;
    start(new child(*this, std::move(t)));
    return true;
}

void task_scope::spawn(task<> t) {
    if (!try_spawn(std::move(t)) && !cancelled_) throw std::length_error("task_scope: too many tasks");
}

void task_scope::start(child* c) noexcept {
    c->enter(running_);
    ++size_;
    const runtime::working_for work(request_);
    c->frame.resume();
}

void task_scope::end(child& c) noexcept {
    c.leave();
    c.enter(ended_);
    cleanup_.request();
    auto& outcome = *c.frame.promise().outcome;
    if (!outcome) {
        const runtime::working_for work(request_);
        base::report_task_failure(outcome.error().status(), outcome.error().detail(), outcome.error().cause());
        if (options_.on_failure == task_failure::cancels_others) {
            if (!failure_) failure_ = std::move(outcome).error();
            cancelled_ = true;
        }
    }
    if (request_) detail::leave_request();
}

void task_scope::cancel() noexcept {
    cancelled_ = true;
    if (size_ != 0) cleanup_.request();
}

void task_scope::clean_up() noexcept {
    destroy(ended_);
    if (cancelled_) destroy(running_), destroy(ended_);
    if (size_ == 0 && joiner_) std::exchange(joiner_, {}).resume();
}

task<> task_scope::join() {
    co_await all_tasks_ended(*this);
    if (failure_) co_await failure(*failure_);
}

}  // namespace apus
