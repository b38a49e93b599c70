// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/served_exchange.hpp"
#include "tracing/trace.hpp"

#include <cstdint>
#include <string_view>

namespace apus::http {

/// Records a routed request for which `recorder::skips` has returned false.
void record_sampled(served_exchange&, tracing::recorder&) noexcept;
/// Records a routed request if its caller has sampled it, or if it may be kept later.
void record_if_wanted(served_exchange&, tracing::recorder&) noexcept;

/// Begins the trace of a routed request, if necessary. Inlined, as most are not recorded.
/// Both calls are the last ones, so that the usual case saves no registers.
inline void begin_trace(served_exchange& x, tracing::recorder& by) noexcept {
    if (!by.skips()) [[unlikely]]
        return record_sampled(x, by);
    if (x.head.has_trace_parent || by.decides_late()) [[unlikely]]
        record_if_wanted(x, by);
}

/// Ends the root span of a request, and decides whether its trace is kept.
/// `status`: 0 without a response. `route`: pattern of the matched route; empty without a route. `target`: as in logs.
/// Returns the end of the span, in nanoseconds since 1970-01-01; 0 if there was no open root span.
std::uint64_t end_trace(const served_exchange&, int status, std::string_view route, std::string_view target) noexcept;

/// Returns the exchange of the request that this thread handles now; null outside of requests.
exchange* exchange_here() noexcept;

/// Returns the trace of the exchange; null if it is not recorded. Does not allocate.
tracing::trace* recorded_trace(const exchange*) noexcept;

/// Returns the trace of the current request, to propagate it to another server.
/// The trace is not necessarily recorded. Null if tracing is disabled, and outside of requests.
tracing::trace* trace_to_pass_on();

}  // namespace apus::http
