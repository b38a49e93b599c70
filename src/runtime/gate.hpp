// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace apus::runtime {

/// Stops new work and tells when the work begun before is done. Of one core; not for several threads.
///
/// Whoever begins something holds a pass while it lasts. After `close` no pass is given any more.
class gate {
public:
    /// Says that something goes on. Leaves the gate when destroyed. False if it was refused.
    class [[nodiscard]] pass {
    public:
        pass() noexcept = default;
        pass(pass&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
        pass& operator=(pass&& other) noexcept {
            std::swap(of_, other.of_);
            return *this;
        }
        ~pass() {
            if (of_) of_->leave();
        }

        /// One more, also after the gate was closed.
        pass again() const noexcept {
            ++of_->inside_;
            return pass(*of_);
        }

        explicit operator bool() const noexcept { return of_ != nullptr; }

    private:
        friend class gate;
        explicit pass(gate& of) noexcept : of_(&of) {}

        gate* of_ = nullptr;
    };

    /// Called once, when a closed gate is empty. May destroy the gate.
    struct listener {
        void (*empty)(void* with) noexcept = nullptr;
        void* with = nullptr;
    };

    gate() = default;
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;
    ~gate();  ///< Nobody may be inside.

    /// A pass, or an empty one if the gate is closed.
    pass enter() noexcept;

    /// Gives no more passes. `told` is called when nobody is inside: before this returns if that is
    /// so already, else by the last pass that leaves. To be called once.
    void close(listener told) noexcept;

    bool closed() const noexcept { return closed_; }
    std::size_t inside() const noexcept { return inside_; }  ///< Passes that are held.

private:
    void leave() noexcept;

    std::size_t inside_ = 0;
    bool closed_ = false;
    listener told_;
};

}  // namespace apus::runtime
