// SPDX-License-Identifier: Apache-2.0
#pragma once

// Spans that the program adds to the traces of its requests. Recording and export of traces: tracing.hpp.

#include <apus/log.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace apus {

namespace tracing {
class open_span;
}

/// Measures an operation within a request, from constructor to destructor:
/// `auto span = apus::span("price");`
///
/// A span remains open across any `co_await`. Its parent is the innermost open span of the request, at first the span
/// of the request itself. For concurrent work, as in `when_all`, create spans by `child` of their common parent.
/// In a job, its parent is the innermost open span of the attempt. Elsewhere, such as in background tasks, a span
/// begins a new trace.
///
/// Does nothing if tracing is disabled or the request is not recorded. At most 64 attributes and 32 events. Texts are
/// truncated to 1,024 bytes, and invalid UTF-8 is replaced. A span belongs to its core. It may outlive its request,
/// such as in a task of `app::tasks`.
class span {
public:
    explicit span(std::string_view name);
    span(span&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    span& operator=(span&& other) noexcept {
        std::swap(of_, other.of_);
        return *this;
    }
    ~span() { end(); }

    span child(std::string_view name) const;  ///< Returns a span whose parent is this one.

    /// Adds an attribute: `span.set({"items", 3})`.
    span& set(const log::field&);
    /// Adds an event at this time: `span.event("cache miss", {{"key", key}})`.
    span& event(std::string_view name, std::initializer_list<log::field> attributes = {});
    span& error(std::string_view why);  ///< Marks the operation as failed.
    void end() noexcept;                ///< Ends the span before its scope ends. Later calls do nothing.

    bool recorded() const noexcept { return of_ != nullptr; }  ///< False: attributes and events are ignored.

private:
    explicit span(tracing::open_span* of) noexcept : of_(of) {}
    tracing::open_span* of_;
};

/// Returns the id of the current request's trace, 32 hexadecimal digits.
/// Empty if the trace is not recorded.
std::string trace_id();

}  // namespace apus
