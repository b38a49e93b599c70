// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <coroutine>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace apus::middleware {

/// Coalesces identical work: one task, the leader, does the work while other tasks wait.
/// Used by one core only.
class single_flight : runtime::deferred {
    struct flight;

public:
    /// Held by the task that works on a key.
    /// If this object is destroyed without `done()`, a waiting task becomes the leader.
    class [[nodiscard]] leader {
    public:
        leader(single_flight& of, const std::string& key) : of_(of), key_(key) {}
        leader(const leader&) = delete;
        leader& operator=(const leader&) = delete;
        ~leader() {
            if (!done_) of_.promote_waiter(key_);
        }
        void done() noexcept;

    private:
        single_flight& of_;
        const std::string key_;
        bool done_ = false;
    };

    /// `co_await` waits for the current work on a key.
    /// Returns true if the leader abandoned this work: the waiting task must then do the work as the new `leader`.
    class [[nodiscard]] follower {
    public:
        follower(single_flight& of, const std::string& key) : of_(of), key_(key) {}
        follower(const follower&) = delete;
        follower& operator=(const follower&) = delete;
        ~follower();

        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiter);
        bool await_resume() noexcept { return std::exchange(leads_, false); }

    private:
        friend class single_flight;
        single_flight& of_;
        const std::string key_;
        std::coroutine_handle<> waiter_;
        std::list<follower*>* in_ = nullptr;
        std::list<follower*>::iterator at_;
        bool leads_ = false;
    };

    single_flight() noexcept;
    single_flight(const single_flight&) = delete;
    single_flight& operator=(const single_flight&) = delete;
    ~single_flight();

    /// Whether a task is working on this key.
    bool in_flight(const std::string& key) const { return waiting_.contains(key); }
    /// Marks the work as in progress. The caller must then create a `leader` for the key.
    void begin(const std::string& key) { waiting_.try_emplace(key); }

private:
    void promote_waiter(const std::string& key) noexcept;
    void wake(std::list<follower*>& from, std::list<follower*>::iterator one) noexcept;
    void resume_ready() noexcept;

    std::unordered_map<std::string, std::list<follower*>> waiting_;
    std::list<follower*> ready_;  // tasks that were notified; they resume after the current event
};

}  // namespace apus::middleware
