// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace apus::profiling {

/// Runs `f(of)` and returns true, or false if it faults (SIGSEGV, SIGBUS). For signal handlers.
/// A fault is recovered only if the handler of the signal calls `recover_from_fault`; otherwise it has its usual
/// effect. After a fault, no destructor of `f` runs, so `f` must own nothing.
bool survives(void (*f)(void* of) noexcept, void* of) noexcept;

/// Continues after the `survives` that this thread is in; returns if there is none.
/// For the handlers of faults.
void recover_from_fault() noexcept;

/// Initializes the unwinder, which must not happen in a signal handler.
void prepare_to_capture() noexcept;

/// Captures the stack of the code that a signal has interrupted, innermost function first.
/// Call it in the handler. `context` is the third argument of the handler. The address of a caller is inside its call
/// instruction. Returns the number of addresses, at least one. Does not lock or allocate, and survives damaged stacks
/// as `survives` does. If the interrupted address has no code, as after a call of a null pointer, continues with the
/// caller.
std::size_t capture_stack(void* context, std::span<std::uintptr_t> to) noexcept;

/// Captures the stack of the calling thread, from this return address on. Not for signal handlers.
/// Returns the number of addresses; 0 if the return address is not on the stack.
std::size_t capture_callers(std::uintptr_t return_address, std::span<std::uintptr_t> to) noexcept;

/// Returns the address of the interrupted instruction.
std::uintptr_t interrupted_at(const void* context) noexcept;

}  // namespace apus::profiling
