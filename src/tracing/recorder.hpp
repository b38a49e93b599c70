// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"
#include "codec/trace_context/parent.hpp"
#include "tracing/random.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace apus::tracing {

/// Selection of the traces that a core records, and limits for them.
struct recording_options {
    double sample = 1;
    bool keep_errors = false;
    std::uint64_t keep_slower = 0;  ///< In nanoseconds; 0 disables it.
    bool continue_traces = true;
    bool pass_baggage = false;
    std::size_t queue = 4 * 1024 * 1024;  ///< Bytes.
};

/// Counters of one core. Written by that core only, read by any thread.
struct span_counts {
    base::counter exported;
    base::counter dropped;  ///< Spans for which the queue was full, or whose trace had too many spans.
    base::counter failed;   ///< Spans that the receiver rejected or did not acknowledge.
};

/// Notified when a span is added to the queue.
class queue_listener {
public:
    virtual void span_queued() noexcept = 0;

protected:
    ~queue_listener() = default;
};

/// Sampling, ids and the queue of ended spans of one core. No function blocks.
class recorder {
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
    bool decides_late() const noexcept { return options_.keep_errors || options_.keep_slower; }
    bool samples() noexcept { return always_ || random_.next() < threshold_; }  ///< Decides for a new trace.

    codec::trace_context::trace_id new_trace_id() noexcept;
    codec::trace_context::span_id new_span_id() noexcept;

    /// Returns the time in nanoseconds since 1970-01-01.
    static std::uint64_t now() noexcept;

    void push(std::string span) noexcept;  ///< Adds an encoded span, or drops it if the queue is full.
    void drop(std::uint64_t spans) noexcept { counts.dropped += spans; }
    std::size_t waiting() const noexcept { return queue_.size(); }
    /// Removes and returns the oldest spans: at most `most` spans, of about `bytes` bytes in total.
    std::vector<std::string> take(std::size_t most, std::size_t bytes);

    span_counts counts;
    queue_listener* listener = nullptr;

private:
    static constinit thread_local recorder* of_thread;

    const recording_options options_;
    random random_;
    const bool always_;
    const std::uint64_t threshold_;
    std::deque<std::string> queue_;
    std::size_t bytes_ = 0;
    recorder* const before_;
};

}  // namespace apus::tracing
