// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <coroutine>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace apus::middleware {

/// Work that several want and one does: those who come while it goes on wait for it. Of one core.
class flights : runtime::deferred {
    struct flight;

public:
    /// Held by who does the work of a key. Ends it when destroyed: if it was not `done`, somebody
    /// who waits is told to do the work instead.
    class [[nodiscard]] leader {
    public:
        leader(flights& of, const std::string& key) : of_(of), key_(key) {}
        leader(const leader&) = delete;
        leader& operator=(const leader&) = delete;
        ~leader() {
            if (!done_) of_.pass_on(key_);
        }
        void done() noexcept;  ///< Those who wait look at what there is.

    private:
        flights& of_;
        const std::string key_;
        bool done_ = false;
    };

    /// `co_await` waits for the work of a key, which goes on. True: it was given up, and who waited
    /// now does it, as its `leader`.
    class [[nodiscard]] follower {
    public:
        follower(flights& of, const std::string& key) : of_(of), key_(key) {}
        follower(const follower&) = delete;
        follower& operator=(const follower&) = delete;
        ~follower();

        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiter);
        bool await_resume() noexcept { return std::exchange(leads_, false); }

    private:
        friend class flights;
        flights& of_;
        const std::string key_;
        std::coroutine_handle<> waiter_;
        std::list<follower*>* in_ = nullptr;
        std::list<follower*>::iterator at_;
        bool leads_ = false;
    };

    flights() noexcept;
    flights(const flights&) = delete;
    flights& operator=(const flights&) = delete;
    ~flights();

    /// Whether somebody works at this key.
    bool under_way(const std::string& key) const { return waiting_.contains(key); }
    /// Says that somebody does, who is to hold a `leader`.
    void begin(const std::string& key) { waiting_.try_emplace(key); }

private:
    void pass_on(const std::string& key) noexcept;
    void wake(std::list<follower*>& from, std::list<follower*>::iterator who) noexcept;
    void resume_ready() noexcept;

    std::unordered_map<std::string, std::list<follower*>> waiting_;
    std::list<follower*> ready_;  // told, and resumed when the present event is over
};

}  // namespace apus::middleware
