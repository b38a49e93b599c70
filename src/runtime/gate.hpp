// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace apus::runtime {

/// Counts work in progress; after `close`, rejects new work and reports when no work is left.
/// Work holds a pass while it is in progress. For one thread.
class gate {
public:
    /// Represents work in progress until it is destroyed. Converts to false if the gate was closed.
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
    ~gate();  ///< No pass may exist.

    /// Returns a pass; an empty one if the gate is closed.
    pass enter() noexcept;

    /// Gives up a pass without leaving the gate, and returns whether it was valid.
    /// For small objects that know their gate: `take_back` returns the pass later.
    static bool keep(pass p) noexcept { return std::exchange(p.of_, nullptr) != nullptr; }
    pass take_back() noexcept { return pass(*this); }

    /// Stops issuing passes.
    /// Calls `told` when no pass exists: before this function returns, or from the destructor of the last pass. Call it
    /// once.
    void close(listener told) noexcept;

    bool closed() const noexcept { return closed_; }
    std::size_t inside() const noexcept { return inside_; }  ///< Number of passes in use.

private:
    void leave() noexcept;

    std::size_t inside_ = 0;
    bool closed_ = false;
    listener told_;
};

}  // namespace apus::runtime
