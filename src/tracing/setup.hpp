// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/duration.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace apus::runtime {
class loop;
}

namespace apus::tracing {

class log_recorder;
class recorder;

/// Recording and export of spans and log records of one core. Used on the core's thread only.
class core_tracing {
public:
    virtual ~core_tracing() = default;
    virtual recorder& records() noexcept = 0;
    virtual log_recorder* logs() noexcept = 0;  ///< Null: log records are not exported.

    /// Sends the remaining spans and log records, then calls `done(with)`.
    /// Calls `done` after `longest` at the latest, or when `abort` is called. If there is nothing to send, calls `done`
    /// before `flush` returns. Call `flush` once.
    virtual void flush(duration longest, void (*done)(void* with) noexcept, void* with) noexcept = 0;
    virtual void abort() noexcept = 0;  ///< Stops sending permanently.
    /// Maximum time for `flush`, as configured.
    virtual duration flush_limit() const noexcept = 0;
};

/// Numbers of items that were not exported when their core ended.
struct export_losses {
    std::atomic<std::uint64_t> spans = 0, log_records = 0;
};

/// Configuration of tracing, shared by cores.
class setup {
public:
    setup() = default;
    setup(const setup&) = delete;
    setup& operator=(const setup&) = delete;

    /// Whether middleware and handlers have spans of their own.
    virtual bool middleware() const noexcept = 0;

    /// Creates the tracing of a core, on its thread.
    virtual std::unique_ptr<core_tracing> start(runtime::loop&) = 0;

    export_losses losses;  ///< Of the cores that have ended.

    void keep() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
    void let_go() noexcept {
        if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

protected:
    virtual ~setup() = default;

private:
    std::atomic<unsigned> users_ = 1;
};

}  // namespace apus::tracing
