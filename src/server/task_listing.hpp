// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/activity.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::server {

/// A suspended task with its callers, as copied from its core.
/// The views are valid as long as the snapshot.
struct listed_task {
    std::uint64_t waited;     ///< Milliseconds since the task was suspended.
    const char* origin;       ///< Kind of the outermost task; null: not known.
    std::string_view method;  ///< Of the request; empty: the task does not work for a request.
    std::string_view route, id;
    std::size_t first_frame, frames;
    std::size_t frames_left_out;  ///< Outer callers that are not in `frames`; at most `task_snapshot::max_callers`.
};

/// The suspended tasks of one loop that have waited longest.
/// `take` reads a limited number of tasks and callers, so that it takes a core at most a few milliseconds.
class task_snapshot {
public:
    static constexpr std::size_t max_tasks = 1000;
    static constexpr std::size_t max_frames = 64;     ///< Listed frames of a task, beginning with the innermost.
    static constexpr std::size_t max_callers = 1024;  ///< Callers of a task that are counted.
    static constexpr std::size_t max_steps = 16'384;  ///< Callers of all tasks, before the last task.

    task_snapshot();  ///< Allocates all memory.
    task_snapshot(const task_snapshot&) = delete;
    task_snapshot& operator=(const task_snapshot&) = delete;
    ~task_snapshot() = default;

    /// Copies the tasks of this thread's loop, except tasks of requests to the route `without`.
    /// Does not allocate.
    void take(const runtime::activity&, std::string_view without = {}) noexcept;

    std::size_t suspended() const noexcept { return suspended_; }  ///< Number of suspended tasks, listed or not.
    const std::vector<listed_task>& tasks() const noexcept { return tasks_; }  ///< The oldest first.
    /// Returns where the task and its callers wait; the innermost first.
    std::span<const std::source_location> frames(const listed_task& t) const noexcept {
        return std::span(frames_).subspan(t.first_frame, t.frames);
    }

private:
    bool add(const detail::promise_base&, std::uint64_t now, std::string_view without) noexcept;
    std::string_view keep(std::string_view) noexcept;

    std::size_t suspended_ = 0, steps_ = 0;
    std::vector<listed_task> tasks_;
    std::vector<std::source_location> frames_;
    std::string text_;  // never reallocated
};

/// The suspended tasks of a process.
struct task_listing {
    struct thread {
        std::string name;                      ///< As in `top -H`: `core 0`, `apus-admin`.
        std::unique_ptr<task_snapshot> tasks;  ///< Null: the thread has not responded.
        // Of a thread that has not responded.
        std::uint64_t busy = 0;  ///< Milliseconds since the turn of its loop began; 0: not known.
        std::string method{}, route{}, id{};
    };
    std::vector<thread> threads;
};

}  // namespace apus::server
