// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/trace_context/parent.hpp"
#include "tracing/attribute_list.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Messages of OTLP (opentelemetry/proto/trace/v1/trace.proto and logs/v1/logs.proto), encoded in the order of their
// fields.

namespace apus::tracing {

using codec::trace_context::span_id;
using codec::trace_context::trace_id;

enum class span_kind : std::uint8_t {
    internal = 1,
    server = 2,
    client = 3,
    producer = 4,
    consumer = 5,
};

/// Contents of a span.
struct span_data {
    static constexpr std::uint32_t attributes_field = 9, max_events = 32;

    trace_id trace{};
    span_id id{}, parent{};
    bool has_parent = false;
    bool remote_parent = false;
    std::uint8_t flags = 0;  ///< Flags of the trace (`trace-flags` of W3C Trace Context).
    span_kind kind = span_kind::internal;
    bool failed = false;
    std::uint64_t start = 0, end = 0;  ///< Nanoseconds since 1970-01-01.
    std::string name;
    std::string why;  ///< Reason of the failure, if the span has failed.
    attribute_list attributes{attributes_field};
    std::string events;  ///< Encoded.
    std::uint32_t event_count = 0, dropped_events = 0;

    void add_event(std::string_view name, std::uint64_t time, std::span<const log::field>);
};

/// Returns the `Span` message. `state`: the value of `tracestate`.
std::string encode(const span_data&, std::string_view state);

constexpr std::uint32_t log_attributes_field = 6;

/// Contents of a log record.
struct log_data {
    std::uint64_t time = 0;  ///< Nanoseconds since 1970-01-01.
    log::level level = log::level::info;
    std::string_view message;
    const attribute_list& attributes;  ///< With `log_attributes_field`.
    const trace_id* trace = nullptr;   ///< Null outside of traces; `span` and `flags` are then ignored.
    span_id span{};
    std::uint8_t flags = 0;
};

/// Returns the `LogRecord` message.
std::string encode_log(const log_data&);

/// Returns a `Resource` message with these attributes.
std::string encode_resource(std::span<const log::field>);

/// Returns an `ExportTraceServiceRequest` or `ExportLogsServiceRequest` for one resource.
/// `items`: encoded spans or log records. The numbers of the fields of the two messages are equal.
std::string encode_export(std::string_view resource, std::string_view version, std::span<const std::string> items);

/// Items of an accepted export that the receiver has rejected (`partial_success`).
struct partial_success {
    std::uint64_t rejected = 0;
    std::string_view message = {};  ///< A view of the response.
};

/// Reads an `ExportTraceServiceResponse` or `ExportLogsServiceResponse`.
/// An invalid message rejects nothing.
/// The numbers of the fields of the two messages are equal.
partial_success decode_partial_success(std::string_view response) noexcept;

}  // namespace apus::tracing
