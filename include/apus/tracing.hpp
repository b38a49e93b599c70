// SPDX-License-Identifier: Apache-2.0
#pragma once

// Traces and log records, exported to an OpenTelemetry collector: `serve_options::tracing`. Spans: span.hpp.

#include <apus/client.hpp>
#include <apus/duration.hpp>
#include <apus/log.hpp>
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
    /// Empty: the environment variable OTEL_SERVICE_NAME, or `service.name` in OTEL_RESOURCE_ATTRIBUTES, otherwise
    /// `unknown_service`.
    std::string service = {};
    /// URL of an OTLP receiver (HTTP, protobuf).
    /// Without a path, `/v1/traces` is added. https requires `tls`. Empty: the environment variable
    /// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or OTEL_EXPORTER_OTLP_ENDPOINT with `/v1/traces` appended, otherwise
    /// `http://127.0.0.1:4318`.
    std::string endpoint = {};
    /// Fields of each export request, such as a token; and those of OTEL_EXPORTER_OTLP_HEADERS.
    std::vector<trace_text> headers = {};
    /// Further attributes of the process; and those of OTEL_RESOURCE_ATTRIBUTES.
    std::vector<trace_text> resource = {};
    client_tls tls = {};  ///< TLS for an https endpoint.

    /// Share of new traces that are recorded, from 0 to 1.
    /// The traces are selected at random. For requests with a valid `traceparent`, the client's decision applies.
    double sample = 1;
    /// Also keep requests that end with a status of 500 or more, regardless of the sampling decision.
    /// If true, all requests are recorded until they end.
    bool keep_errors = false;
    /// Also keep requests that take longer than this.
    /// 0: disabled. Otherwise all requests are recorded until they end.
    duration keep_slower = {};
    /// Whether to continue the traces of clients (`traceparent`, `tracestate`).
    /// Set it to false if clients are untrusted: they could otherwise choose which of their requests are recorded.
    bool continue_traces = true;
    /// Whether `client` forwards the `baggage` of the current request.
    /// Baggage may contain personal data.
    bool pass_baggage = false;
    /// Whether each middleware and the handler have a span in recorded requests.
    bool middleware = false;

    /// Minimum level of the log records that are also sent to the receiver.
    /// `off`: none. Records below the level of the log (APUS_LOG, `log::show`) are never sent.
    log::level logs = log::level::off;
    /// URL of the receiver of log records.
    /// Empty: `endpoint`, with `/v1/logs` for `/v1/traces`. If `endpoint` is empty too, the environment variable
    /// OTEL_EXPORTER_OTLP_LOGS_ENDPOINT.
    std::string logs_endpoint = {};

    /// Bytes of ended spans in the queue, and of log records. Further ones are dropped and counted.
    /// Includes spans of requests that have not ended, which `keep_errors` and `keep_slower` hold: up to half.
    std::size_t queue = 4 * 1024 * 1024;
    std::uint32_t batch = 512;       ///< Maximum spans or log records of one export request. At least 1.
    duration interval = seconds(2);  ///< Maximum time until spans are exported, if there are fewer than a batch.
    duration timeout = seconds(10);  ///< For one export request.
    duration flush = seconds(2);     ///< When the server stops: maximum time for the remaining spans to be sent.
};

}  // namespace apus
