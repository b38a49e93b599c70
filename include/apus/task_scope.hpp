// SPDX-License-Identifier: Apache-2.0
#pragma once

// Structured concurrency: concurrent tasks that cannot outlive their scope.

#include <apus/detail/deferred_call.hpp>
#include <apus/task.hpp>

#include <cstddef>
#include <cstdint>

namespace apus {

/// Effect of a failed task on its scope. The error is always logged.
enum class task_failure : std::uint8_t {
    cancels_others,  ///< The other tasks are cancelled, and `join` fails with the error.
    only_logged,     ///< The other tasks continue.
};

/// Limit and error handling of a scope.
struct task_scope_options {
    task_failure on_failure = task_failure::cancels_others;
    std::size_t limit = 1'024;        ///< Maximum concurrent tasks.
    const char* name = "task scope";  ///< Origin of the tasks in `/debug/tasks`; must outlive the scope.
};

/// Owns concurrent tasks on one core.
/// The destructor cancels running tasks, so no task outlives the scope. A scope that is a variable of a handler ends
/// with the request; `app::tasks` ends with the app.
///
/// An error of a task is logged with the method, route and id of the request that created the scope. A scope belongs to
/// one core. Tasks of a scope must not destroy the scope.
class task_scope {
public:
    explicit task_scope(const task_scope_options& = {}) noexcept;
    task_scope(const task_scope&) = delete;
    task_scope& operator=(const task_scope&) = delete;
    ~task_scope();

    /// Starts a task, which runs until it first suspends.
    /// Arguments of the task's function must outlive the scope or be copied. Throws `std::length_error` if `limit`
    /// tasks run. After `cancel`, destroys the task without starting it.
    void spawn(task<> child);

    /// Like `spawn`, but if `limit` tasks run, and after `cancel`, destroys the task and returns false.
    [[nodiscard]] bool try_spawn(task<> child);

    /// Waits until no task runs.
    /// With `cancels_others`, fails with the first error. At most one task may wait at a time.
    task<> join();

    /// Cancels all tasks, after the core has handled its current event.
    /// Tasks of the scope may call this function. Afterwards the scope accepts no tasks.
    void cancel() noexcept;

    std::size_t size() const noexcept { return size_; }  ///< Number of running tasks.

private:
    struct child;
    struct all_tasks_ended;
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
    // Deferred, so that tasks are not destroyed while one of them executes.
    detail::deferred_call cleanup_{[](void* self) noexcept { static_cast<task_scope*>(self)->clean_up(); }, this};
};

}  // namespace apus
