// SPDX-License-Identifier: Apache-2.0
#pragma once

// Traces of requests, exported to an OpenTelemetry collector: `serve_options::tracing`. Spans of the program: span.hpp.

#include <apus/client.hpp>
#include <apus/duration.hpp>
#include <apus/serve.hpp>
#include <apus/span.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apus {

/// A name with a text, such as `{"deployment.environment.name", "production"}`.
struct trace_text {
    std::string name, text;
};

/// Options of `tracer`. Limits apply to each core.
struct tracing_options {
    /// `service.name` of the spans.
    /// Empty: the environment variable OTEL_SERVICE_NAME, otherwise `unknown_service`.
    std::string service = {};
    /// URL of an OTLP receiver (HTTP, protobuf).
    /// Without a path, `/v1/traces` is added. https requires `tls`. Empty: the environment variable
    /// OTEL_EXPORTER_OTLP_ENDPOINT, otherwise `http://127.0.0.1:4318`.
    std::string endpoint = {};
    std::vector<trace_text> headers = {};   ///< Fields of each export request, such as a token.
    std::vector<trace_text> resource = {};  ///< Further attributes of the process.
    client_tls tls = {};                    ///< For https.

    /// Share of the traces that begin here and are recorded, from 0 to 1.
    /// Chosen at random for each. For requests with a valid `traceparent`, the caller's decision applies.
    double sample = 1;
    /// Also keep requests that end with a status of 500 or more, whatever their sampling decision.
    /// Then all requests are recorded until they end.
    bool keep_errors = false;
    /// Also keep requests that take longer than this.
    /// 0: no. Then all requests are recorded until they end.
    duration keep_slower = {};
    /// Whether to continue the traces of clients (`traceparent`, `tracestate`).
    /// False for servers whose clients are strangers: these could otherwise choose which of their requests are
    /// recorded.
    bool continue_traces = true;
    /// Whether to pass `baggage` of a request on with requests of `client`.
    /// It may contain personal data.
    bool pass_baggage = false;

    std::size_t queue = 4 * 1024 * 1024;  ///< Bytes of ended spans that wait. Further spans are dropped and counted.
    std::uint32_t batch = 512;            ///< Spans of one export. At least 1.
    duration interval = seconds(2);       ///< Time until waiting spans are exported, if they are fewer than a batch.
    duration timeout = seconds(10);       ///< For one export request.
    duration flush = seconds(2);          ///< When the server stops: maximum time for the remaining spans to be sent.
};

}  // namespace apus
