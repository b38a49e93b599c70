// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/served_exchange.hpp"
#include "tracing/trace.hpp"

#include <string_view>

namespace apus::http {

/// Begins the trace of a routed request, if it is to be recorded.
void begin_trace(served_exchange&, tracing::recorder&) noexcept;

/// Ends the root span of a request, and decides about its trace.
/// `status` is 0 if there is no response. `route`: the pattern that matched; empty without one. `target`: as in logs.
void end_trace(const served_exchange&, int status, std::string_view route, std::string_view target) noexcept;

/// Returns the exchange that this thread is working for; null outside of requests.
exchange* exchange_here() noexcept;

/// Returns the trace of the exchange if it is recorded, or null. Allocates nothing.
tracing::trace* recorded_trace(const exchange*) noexcept;

/// Returns the trace of this thread's request, for a request to another server.
/// The trace need not be recorded. Null if tracing is disabled, and outside of requests.
tracing::trace* trace_to_pass_on();

}  // namespace apus::http
