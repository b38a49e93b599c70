// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tracing/trace.hpp"

#include <apus/client.hpp>

namespace apus::outbound {

/// The span of a client's request, from its construction to `end`.
/// The destructor ends it as cancelled.
/// Adds `traceparent`, `tracestate` and `baggage` to the request, unless it has them. Does nothing outside of requests
/// that this server handles.
class client_span {
public:
    explicit client_span(detail::asked&);
    client_span(const client_span&) = delete;
    client_span& operator=(const client_span&) = delete;
    ~client_span();

    void end(int status) noexcept;        ///< A response has arrived.
    void end(const error& why) noexcept;  ///< There is no response.

private:
    void begin(tracing::trace&, const detail::asked&);
    void end(std::string_view error_type) noexcept;

    tracing::open_span* of_ = nullptr;
};

}  // namespace apus::outbound
