// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tracing/ended_span.hpp"
#include "tracing/otlp.hpp"
#include "tracing/recorder.hpp"

#include <apus/task.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::tracing {

class open_span;

/// A trace within one request; belongs to one core.
/// The request and its open spans keep the trace alive.
class trace {
public:
    enum class decision : std::uint8_t {
        unrecorded,  ///< Only passed on to other servers.
        undecided,   ///< Ended spans are kept until `decide`.
        kept,
        dropped
    };

    /// Creates a trace with one holder. `incoming`: the caller's span; null for a new trace.
    /// The trace is deleted when each holder has called `release`. Whether the trace is sampled is decided by the flags
    /// of `incoming`, or by `sampled` if `incoming` is null.
    trace(recorder& by, const codec::trace_context::parent* incoming, bool sampled);
    trace(const trace&) = delete;
    trace& operator=(const trace&) = delete;

    void hold() noexcept { ++holders_; }
    void release() noexcept {
        if (--holders_ == 0) delete this;
    }

    recorder& by() const noexcept { return by_; }
    const trace_id& id() const noexcept { return id_; }
    std::uint8_t flags() const noexcept { return flags_; }
    bool is_recorded() const noexcept { return decision_ == decision::undecided || decision_ == decision::kept; }
    open_span* root() const noexcept { return root_; }  ///< Null if unrecorded or ended.

    const span_clock clock{};

    /// Id of the innermost open span, or of the root: the parent of the next span.
    span_id innermost() const noexcept;

    /// Begins the root span. `start`: nanoseconds since 1970-01-01; 0: now.
    open_span& begin(std::string_view name, span_kind, std::uint64_t start = 0);

    /// Decides about an undecided trace: keeps or drops its spans, including open spans.
    void decide(bool keep) noexcept;
    /// Ends the root span now, and decides about an undecided trace by the tail rules.
    /// `failed`: the operation has failed in the sense of `recording_options::keep_errors`.
    /// Returns the end of the span, in nanoseconds since 1970-01-01.
    std::uint64_t end_root(bool failed) noexcept;

    /// Value of `traceparent` for a request to another server, whose span is `from`.
    std::string parent_field(const span_id& from) const;

    /// Returns the spans that have ended so far; null unless the recorder summarizes traces.
    const tracing::ended_spans* ended_spans() const noexcept { return summary_.get(); }

    static void* operator new(std::size_t size) { return detail::frame_allocate(size); }
    static void operator delete(void* at, std::size_t size) noexcept { detail::frame_free(at, size); }

    std::string state, baggage;  ///< Values of `tracestate` and `baggage`, to be passed on.

private:
    friend class open_span;
    ~trace();
    void ended(const span_data&) noexcept;

    static constexpr std::size_t max_held = 128, max_held_bytes = 64 * 1024;  // limits for an undecided trace

    recorder& by_;
    trace_id id_;
    span_id caller_{}, root_id_;
    bool has_caller_ = false;
    std::uint8_t flags_ = 0;
    decision decision_ = decision::unrecorded;
    unsigned holders_ = 1;
    open_span* root_ = nullptr;
    open_span* newest_ = nullptr;  // the newest open span that can have children
    std::vector<std::string> held_;
    std::size_t held_bytes_ = 0;
    std::unique_ptr<tracing::ended_spans> summary_;
};

/// A span that has not ended. The code that creates it owns it, and calls `end` or `cancel` once.
class open_span {
public:
    enum class nesting : std::uint8_t {
        scope,  ///< Spans that begin before its end are its children.
        leaf
    };

    /// Begins a span. The trace must be recorded. `start`: nanoseconds since 1970-01-01; 0: now.
    open_span(trace& of, std::string_view name, span_kind, const span_id& parent, nesting = nesting::scope,
              std::uint64_t start = 0);
    open_span(const open_span&) = delete;
    open_span& operator=(const open_span&) = delete;

    static void* operator new(std::size_t size) { return detail::frame_allocate(size); }
    static void operator delete(void* at, std::size_t size) noexcept { detail::frame_free(at, size); }

    trace& of() const noexcept { return of_; }
    /// Ends the span, which is destroyed.
    void end() noexcept;

    span_data data;

private:
    friend class trace;
    ~open_span();

    trace& of_;
    open_span* outer_ = nullptr;
    open_span* inner_ = nullptr;
    bool linked_;
};

}  // namespace apus::tracing
