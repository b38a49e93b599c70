// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/trace_context/parent.hpp"
#include "tracing/export_queue.hpp"
#include "tracing/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace apus::tracing {

/// Selection of the traces that a core records, and limits for them.
struct recording_options {
    double sample = 1;
    bool keep_errors = false;
    std::uint64_t keep_slower = 0;  ///< In nanoseconds; 0 disables it.
    bool continue_traces = true;
    bool pass_baggage = false;
    bool middleware = false;              ///< Middleware and handlers have spans.
    std::size_t queue = 4 * 1024 * 1024;  ///< Bytes.
};

/// The clock of a trace: one reading of the time of day, and the monotonic time since then.
/// So a change of the time of day does not change durations.
class span_clock {
public:
    span_clock() noexcept;
    /// Returns the time in nanoseconds since 1970-01-01.
    std::uint64_t now() const noexcept;
    /// Converts nanoseconds of CLOCK_MONOTONIC without reading a clock.
    /// A time after the creation becomes that of the creation.
    std::uint64_t unix_time(std::uint64_t monotonic) const noexcept { return std::min(monotonic, created_) + offset_; }

private:
    std::uint64_t created_;  // nanoseconds of CLOCK_MONOTONIC
    std::uint64_t offset_;   // modulo 2^64
};

/// Sampling, ids and the queue of ended spans of one core. No function blocks.
class recorder final : public export_queue {
public:
    explicit recorder(const recording_options&);
    recorder(const recorder&) = delete;
    recorder& operator=(const recorder&) = delete;
    ~recorder();

    /// Returns the recorder of this thread; null if tracing is disabled.
    /// If several were created on the thread, returns the newest.
    static recorder* here() noexcept { return of_thread; }

    const recording_options& options() const noexcept { return options_; }

    /// Whether traces are recorded that may be dropped at the end of their request.
    bool decides_late() const noexcept { return decides_late_; }
    /// Decides for a new trace.
    bool samples() noexcept {
        if (skips()) [[likely]]
            return false;
        draw_distance();
        return true;
    }
    /// Counts a new trace, and returns whether it is not sampled. After false, call `draw_distance`.
    /// Most requests are not sampled, so the distance to the next sampled trace is drawn in advance, and only counted
    /// down here.
    bool skips() noexcept { return --until_sampled_ != 0; }
    void draw_distance() noexcept { until_sampled_ = next_distance(); }

    codec::trace_context::trace_id new_trace_id() noexcept;
    codec::trace_context::span_id new_span_id() noexcept;

    /// Returns the time in nanoseconds since 1970-01-01.
    static std::uint64_t now() noexcept;

    bool summarizes = false;  ///< Traces keep summaries of their spans (`trace::ended_spans`).

private:
    std::uint64_t next_distance() noexcept;

    static constinit thread_local recorder* of_thread;

    const recording_options options_;
    const bool decides_late_;
    random random_;
    const double log_unsampled_;   // logarithm of the probability that a trace is not sampled
    std::uint64_t until_sampled_;  // number of new traces up to and including the next sampled one
    recorder* const before_;
};

}  // namespace apus::tracing
