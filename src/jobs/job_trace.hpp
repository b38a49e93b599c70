// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/background_trace.hpp"
#include "jobs/store.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Traces of jobs: the trace context of the enqueuing code is stored with the job, and each attempt continues the trace.

namespace apus::jobs {

/// The span of an `enqueue`, until `end`.
/// If `end` was not called, the destructor ends the span as failed. Does nothing if tracing is disabled.
class enqueue_span {
public:
    enqueue_span(std::string_view kind, std::string_view queue) noexcept;
    enqueue_span(const enqueue_span&) = delete;
    enqueue_span& operator=(const enqueue_span&) = delete;
    ~enqueue_span();

    /// The column `trace` of the job: `traceparent`, and after a space `tracestate` unless it is empty.
    /// Empty outside of traces.
    const std::optional<std::string>& context() const noexcept { return context_; }
    void end(std::int64_t id, bool added) noexcept;

private:
    tracing::open_span* span_ = nullptr;  // null: not recorded
    std::optional<std::string> context_;
};

/// The trace of an attempt, which continues the trace of the enqueuing code if the job has one.
/// If neither `succeeded` nor `failed` is called, the destructor ends the span as cancelled. Does nothing if tracing is
/// disabled.
class attempt_trace {
public:
    attempt_trace(const claimed_job&, std::string_view queue);

    task<> run(task<> work) const;  ///< Awaits `work`, which runs in the trace.
    /// The exchange for `runtime::working_for`, for log records. Null without tracing.
    const void* context() const noexcept { return trace_ ? &trace_->context() : nullptr; }

    void succeeded() const noexcept;
    void failed(std::string_view error_type, std::string_view why) const noexcept;
    void failed(const error& why) const noexcept;  ///< The type is the status.

private:
    std::unique_ptr<http::background_trace> trace_;
};

}  // namespace apus::jobs
