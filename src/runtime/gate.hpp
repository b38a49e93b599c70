// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace apus::runtime {

/// Refuses new work and reports when all current work is done. For one thread.
/// Each piece of work holds a pass. After `close` no pass is issued.
class gate {
public:
    /// Permission to work until it is destroyed. Converts to false if it was refused.
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
    ~gate();  ///< No pass may be held.

    /// Returns a pass; an empty one if the gate is closed.
    pass enter() noexcept;

    /// Issues no more passes.
    /// Calls `told` when no pass is held: before this returns, or from the destructor of the last pass. Call once.
    void close(listener told) noexcept;

    bool closed() const noexcept { return closed_; }
    std::size_t inside() const noexcept { return inside_; }  ///< Number of passes held.

private:
    void leave() noexcept;

    std::size_t inside_ = 0;
    bool closed_ = false;
    listener told_;
};

}  // namespace apus::runtime
