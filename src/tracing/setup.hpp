// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/duration.hpp>

#include <atomic>
#include <memory>

namespace apus::runtime {
class loop;
}

namespace apus::tracing {

class recorder;

/// Tracing of one core: a recorder, and the exporter of its spans. Used on the core's thread only.
class core_tracing {
public:
    virtual ~core_tracing() = default;
    virtual recorder& records() noexcept = 0;

    /// Sends the remaining spans, then calls `done(with)`.
    /// Calls `done` after `longest` at the latest, or when `abort` is called. If there is nothing to send, calls `done`
    /// before `flush` returns. Call `flush` once.
    virtual void flush(duration longest, void (*done)(void* with) noexcept, void* with) noexcept = 0;
    virtual void abort() noexcept = 0;  ///< Stops sending permanently.
    /// Maximum time for `flush`, as configured.
    virtual duration flush_limit() const noexcept = 0;
};

/// Configuration of tracing, shared by cores.
class setup {
public:
    setup() = default;
    setup(const setup&) = delete;
    setup& operator=(const setup&) = delete;

    /// Creates the tracing of a core, on its thread.
    virtual std::unique_ptr<core_tracing> start(runtime::loop&) = 0;

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
