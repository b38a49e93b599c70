// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tracing/trace.hpp"

#include <apus/client.hpp>

namespace apus::outbound {

/// Span of a request that the HTTP client sends, from the constructor to `end`.
/// If `end` was not called, the destructor ends the span as cancelled.
/// Unless the request has a `traceparent` field, the constructor adds this field, and `tracestate` and `baggage` if
/// these are missing. Outside of traces, such as in periodic work, the span begins a new trace. Does nothing if tracing
/// is disabled, and for `asked::untraced`.
class client_span {
public:
    explicit client_span(detail::asked&);
    client_span(const client_span&) = delete;
    client_span& operator=(const client_span&) = delete;
    ~client_span();

    void end(int status) noexcept;        ///< Ends the span of a request that has a response.
    void end(const error& why) noexcept;  ///< Ends the span of a request that failed without a response.

private:
    void begin(tracing::open_span&, const detail::asked&);
    void end(std::string_view error_type) noexcept;

    tracing::open_span* of_ = nullptr;
};

}  // namespace apus::outbound
