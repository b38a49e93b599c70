// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"
#include "runtime/loop.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace apus::runtime {

/// Base of classes with one object per core and shared state, such as pools of connections.
/// T is the derived class; its constructor takes a `std::shared_ptr<State>`. Objects are created on first use, and
/// destroyed with the core's loop.
template <class T, class State>
class per_core : loop_end {
public:
    per_core(const per_core&) = delete;
    per_core& operator=(const per_core&) = delete;

    /// Returns the object of this core, created on first use.
    static T& of_this_core(const std::shared_ptr<State>& s) {
        if (T* const found = find_of_this_core(*s)) return *found;
        const working_for no_request(nullptr);  // scopes of T outlive the request that needs T first
        return *new T(s);
    }
    /// Returns null if this core has no object, or if it is being destroyed.
    static T* find_of_this_core(const State& s) noexcept {
        for (const auto& [state, object] : of_this_thread)
            if (state == &s) return static_cast<T*>(object);
        return nullptr;
    }
    /// Destroys the object of this core, if it exists, before the loop ends.
    static void end_here(const State& s) noexcept { delete find_of_this_core(s); }

protected:
    explicit per_core(const State& s) {
        run = [](loop_end& e) noexcept { delete static_cast<T*>(static_cast<per_core*>(&e)); };
        of_this_thread.emplace_back(&s, this);
        loop::current().at_end(*this);
    }
    ~per_core() { leave_core(); }

    /// The destructor of T calls this first, so that nothing finds the object while it is destroyed.
    void leave_core() noexcept {
        loop::take_out(*this);
        std::erase_if(of_this_thread, [this](const auto& one) { return one.second == this; });
    }

private:
    // Pointers to T would not be valid while T is constructed or destroyed.
    static inline thread_local std::vector<std::pair<const State*, per_core*>> of_this_thread;
};

}  // namespace apus::runtime
