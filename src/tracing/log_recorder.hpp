// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tracing/export_queue.hpp"

#include <apus/log.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace apus::tracing {

class trace;

/// Told that records of other threads wait: call `log_recorder::collect` on the recorder's thread.
class log_waker {
public:
    virtual void wake() noexcept = 0;  ///< Called by any thread. Must not block, and must not write log records.

protected:
    ~log_waker() = default;
};

/// Log records of one core that wait for their export.
/// The first recorder of the process also collects the records of threads that are not cores.
class log_recorder final : public export_queue {
public:
    /// `least`: the minimum level. `limit`: bytes of the queue, and of the records of other threads.
    log_recorder(log::level least, std::size_t limit, log_waker&);
    ~log_recorder();

    /// Moves the records of other threads to this queue.
    /// Returns false if another thread is adding a record: call `collect` again later.
    bool collect() noexcept;

    /// Receives no more records of other threads.
    /// The last recorder counts the records that wait as failed.
    void close() noexcept;

private:
    friend void export_record(log::level, std::string_view, std::span<const log::field>, const trace*) noexcept;
    friend class log_inbox;
    static constinit thread_local log_recorder* of_thread;

    const log::level least_;
    const std::size_t limit_;
    log_waker& waker_;
    log_recorder* const before_;
};

extern constinit std::atomic<log::level> least_exported;  ///< The minimum level of all recorders; `off` without one.

/// Adds a log record to the queue of this core, or to the records of other threads. Never waits.
/// `in`: the current trace; null outside of recorded traces. Fields named `trace_id` and `span_id` are omitted.
void export_record(log::level, std::string_view message, std::span<const log::field>, const trace* in) noexcept;

}  // namespace apus::tracing
