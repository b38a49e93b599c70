// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/exchange.hpp"
#include "tracing/trace.hpp"

#include <apus/task.hpp>

#include <string_view>

namespace apus::http {

/// The trace of work outside of requests, such as a job.
/// While a task runs in it, spans, log records, SQL statements and requests of the HTTP client belong to this trace.
/// Belongs to one core, and must outlive the tasks that run in it.
class background_trace {
public:
    /// Begins the trace and its root span. `caller`: the span to continue; null begins a new trace.
    /// If the trace is not sampled, nothing is recorded, but the trace context is passed on.
    background_trace(tracing::recorder&, const codec::trace_context::parent* caller, std::string_view name,
                     tracing::span_kind);
    background_trace(const background_trace&) = delete;
    background_trace& operator=(const background_trace&) = delete;
    ~background_trace();  ///< Ends the root span as cancelled, unless `end` was called.

    /// The exchange for `runtime::working_for`. It has no request, only the trace.
    exchange& context() noexcept { return x_; }
    /// The open root span; null if it is not recorded.
    tracing::open_span* root() const noexcept { return x_.trace->root(); }

    task<> run(task<> work);  ///< Awaits `work`, which runs in this trace.

    /// Ends the root span. An empty `error_type` means success.
    void end(std::string_view error_type, std::string_view why = {}) noexcept;

private:
    exchange x_;
};

}  // namespace apus::http
