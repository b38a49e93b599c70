// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tasks that run beside the one that started them, and end with a scope.

#include <apus/detail/deferred_call.hpp>
#include <apus/task.hpp>

#include <cstddef>
#include <cstdint>

namespace apus {

/// Effect of a failed task on its scope. Its error is logged in each case.
enum class task_failure : std::uint8_t {
    cancels_others,  ///< The other tasks are cancelled, and `join` passes the error on.
    only_logged,     ///< The other tasks go on.
};

/// Limits of a scope, and its way to handle errors.
struct task_scope_options {
    task_failure on_failure = task_failure::cancels_others;
    std::size_t limit = 1'024;  ///< Tasks that run at a time.
};

/// Owner of tasks that run at a time on one core. The end of the scope cancels those that still run, so no
/// task outlives it. As a variable of a handler it ends with the request; `app::tasks` is one that ends
/// with the app.
///
/// An error of a task is logged with the method, route and id of the request in which the scope was made.
/// Belongs to its core. To be destroyed by none of its tasks.
class task_scope {
public:
    explicit task_scope(const task_scope_options& = {}) noexcept;
    task_scope(const task_scope&) = delete;
    task_scope& operator=(const task_scope&) = delete;
    ~task_scope();

    /// Runs a task until it waits; it goes on beside its caller. Parameters of the task's function must outlive the
    /// scope, or be copies. Throws `std::length_error` at `limit`. After `cancel` the task is destroyed unrun.
    void spawn(task<> child);

    /// The same, but gives false, with the task destroyed unrun, at `limit` and after `cancel`.
    [[nodiscard]] bool try_spawn(task<> child);

    /// Waits until no task runs. Passes on the error of the first that failed, if that cancels others. For
    /// one waiting task at a time.
    task<> join();

    /// Cancels all tasks when the core has handled its current event. Tasks may call it, also through a
    /// failed sibling. Final: the scope runs no more tasks.
    void cancel() noexcept;

    std::size_t size() const noexcept { return size_; }  ///< Tasks that run.

private:
    struct child;
    struct all_ended;
    void start(child*) noexcept;
    void end(child&) noexcept;
    void clean_up() noexcept;
    static void destroy(child*&) noexcept;

    const task_scope_options options_;
    const void* const request_;
    std::size_t size_ = 0;
    bool cancelled_ = false;
    child* running_ = nullptr;
    child* ended_ = nullptr;
    std::optional<error> failure_;
    std::coroutine_handle<> joiner_;
    // Tasks are destroyed when none of them is at work.
    detail::deferred_call cleanup_{[](void* self) noexcept { static_cast<task_scope*>(self)->clean_up(); }, this};
};

}  // namespace apus
