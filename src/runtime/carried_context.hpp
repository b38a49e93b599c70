// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace apus::runtime {

/// A copy of the facts about a request that log records need.
/// A call of `blocking` carries it to another thread, since the request may end while the call runs.
class carried_context {
public:
    virtual ~carried_context() = default;

    /// Copies the context of a request. Returns null if memory is exhausted.
    /// The layer that knows requests sets this function.
    using copy_function = std::unique_ptr<const carried_context> (*)(const void* request) noexcept;
    static copy_function copy;

    /// Returns the context of the call that this thread runs, or null.
    /// Safe in a signal handler.
    static const carried_context* here() noexcept { return of_thread; }

private:
    friend class carried_scope;
    static constinit thread_local const carried_context* of_thread;
};

/// Marks code as running with a context, which may be null, during the lifetime of this object.
class carried_scope {
public:
    explicit carried_scope(const carried_context* c) noexcept { carried_context::of_thread = c; }
    carried_scope(const carried_scope&) = delete;
    carried_scope& operator=(const carried_scope&) = delete;
    ~carried_scope() { carried_context::of_thread = nullptr; }
};

}  // namespace apus::runtime
