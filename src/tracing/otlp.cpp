// SPDX-License-Identifier: Apache-2.0
#include "tracing/otlp.hpp"

#include "codec/protobuf/reader.hpp"
#include "codec/protobuf/writer.hpp"
#include "tracing/proper_text.hpp"

namespace apus::tracing {
namespace {

namespace pb = codec::protobuf;

enum span_field : std::uint32_t {
    span_trace_id = 1,
    span_span_id = 2,
    span_trace_state = 3,
    span_parent_span_id = 4,
    span_name = 5,
    span_kind_of = 6,
    span_start = 7,
    span_end = 8,
    span_dropped_attributes = 10,
    span_events = 11,
    span_dropped_events = 12,
    span_status = 15,
    span_flags = 16
};
enum event_field : std::uint32_t {
    event_time = 1,
    event_name = 2,
    event_attributes = 3,
    event_dropped_attributes = 4
};
enum status_field : std::uint32_t {
    status_message = 2,
    status_code = 3
};
constexpr std::uint32_t status_error = 2;
// Bits of Span.flags above those of `traceparent`.
constexpr std::uint32_t knows_remote = 0x100, is_remote = 0x200;

enum log_field : std::uint32_t {
    log_time = 1,
    log_severity = 2,
    log_severity_text = 3,
    log_body = 5,
    log_dropped_attributes = 7,
    log_flags = 8,
    log_trace_id = 9,
    log_span_id = 10
};
constexpr std::uint32_t text_of_value = 1;  // AnyValue.string_value

constexpr std::uint32_t resource_attributes = 1;
// Equal for spans (ResourceSpans, ScopeSpans) and log records (ResourceLogs, ScopeLogs).
constexpr std::uint32_t export_resources = 1, resource_itself = 1, resource_scopes = 2;
constexpr std::uint32_t scope_itself = 1, items_of_scope = 2, scope_name = 1, scope_version = 2;

template <std::size_t N>
std::string_view bytes_of(const std::array<unsigned char, N>& id) noexcept {
    return {reinterpret_cast<const char*>(id.data()), N};
}

std::string encode_status(const span_data& of) {
    std::string made;
    if (!of.why.empty()) append_text(made, status_message, of.why);
    pb::append_unsigned(made, status_code, status_error);
    return made;
}

// Numbers of severities (opentelemetry/proto/logs/v1/logs.proto, SeverityNumber).
constexpr struct {
    std::uint32_t number;
    std::string_view text;
} severities[] = {{0, {}}, {1, "TRACE"}, {5, "DEBUG"}, {9, "INFO"}, {13, "WARN"}, {17, "ERROR"}};

}  // namespace

void span_data::add_event(std::string_view text, std::uint64_t time, std::span<const log::field> given) {
    if (event_count == max_events) return ++dropped_events, void();
    ++event_count;
    attribute_list all(event_attributes);
    for (const auto& f : given) all.add(f);
    std::string made;
    pb::append_fixed64(made, event_time, time);
    append_text(made, event_name, text);
    made += all.bytes();
    if (all.dropped()) pb::append_unsigned(made, event_dropped_attributes, all.dropped());
    pb::append_bytes(events, span_events, made);
}

std::string encode(const span_data& of, std::string_view state) {
    constexpr std::size_t fixed_size = 18 + 10 + 2 + 9 + 9 + 6;  // ids, kind, times and flags
    const proper_text name(of.name);
    const auto attributes = of.attributes.bytes();
    const std::uint32_t dropped = of.attributes.dropped();
    const std::string status = of.failed ? encode_status(of) : std::string();
    std::size_t size =
        fixed_size + pb::bytes_size(span_name, name.view().size()) + attributes.size() + of.events.size();
    if (!state.empty()) size += pb::bytes_size(span_trace_state, state.size());
    if (of.has_parent) size += pb::bytes_size(span_parent_span_id, of.parent.size());
    if (dropped) size += 1 + pb::varint_size(dropped);
    if (of.dropped_events) size += 1 + pb::varint_size(of.dropped_events);
    if (of.failed) size += pb::bytes_size(span_status, status.size());
    std::string made;
    made.resize_and_overwrite(size, [&](char* bytes, std::size_t) {
        pb::field_writer to(bytes);
        to.bytes(span_trace_id, bytes_of(of.trace));
        to.bytes(span_span_id, bytes_of(of.id));
        if (!state.empty()) to.bytes(span_trace_state, state);
        if (of.has_parent) to.bytes(span_parent_span_id, bytes_of(of.parent));
        to.bytes(span_name, name.view());
        to.number(span_kind_of, static_cast<std::uint64_t>(of.kind));
        to.fixed64(span_start, of.start);
        to.fixed64(span_end, of.end);
        to.raw(attributes);
        if (dropped) to.number(span_dropped_attributes, dropped);
        to.raw(of.events);
        if (of.dropped_events) to.number(span_dropped_events, of.dropped_events);
        if (of.failed) to.bytes(span_status, status);
        to.fixed32(span_flags, of.flags | knows_remote | (of.remote_parent ? is_remote : 0));
        return size;
    });
    return made;
}

std::string encode_log(const log_data& of) {
    const auto& [number, text] = severities[static_cast<std::size_t>(of.level)];
    std::string body;
    append_text(body, text_of_value, of.message);
    constexpr std::size_t other_fields = 96;
    std::string made;
    made.reserve(other_fields + body.size() + of.attributes.bytes().size());
    pb::append_fixed64(made, log_time, of.time);
    pb::append_unsigned(made, log_severity, number);
    pb::append_bytes(made, log_severity_text, text);
    pb::append_bytes(made, log_body, body);
    made += of.attributes.bytes();
    if (of.attributes.dropped()) pb::append_unsigned(made, log_dropped_attributes, of.attributes.dropped());
    if (!of.trace) return made;
    pb::append_fixed32(made, log_flags, of.flags);
    pb::append_bytes(made, log_trace_id, bytes_of(*of.trace));
    pb::append_bytes(made, log_span_id, bytes_of(of.span));
    return made;
}

std::string encode_resource(std::span<const log::field> attributes) {
    std::string made;
    for (const auto& f : attributes) append_attribute(made, resource_attributes, f);
    return made;
}

std::string encode_export(std::string_view resource, std::string_view version, std::span<const std::string> items) {
    std::string scope;
    pb::append_bytes(scope, scope_name, "apus");
    pb::append_bytes(scope, scope_version, version);
    std::size_t size_of_scope = pb::bytes_size(scope_itself, scope.size());
    for (const auto& one : items) size_of_scope += pb::bytes_size(items_of_scope, one.size());
    const std::size_t size_of_resource =
        pb::bytes_size(resource_itself, resource.size()) + pb::bytes_size(resource_scopes, size_of_scope);

    std::string made;
    made.reserve(pb::bytes_size(export_resources, size_of_resource));
    pb::append_head(made, export_resources, size_of_resource);
    pb::append_bytes(made, resource_itself, resource);
    pb::append_head(made, resource_scopes, size_of_scope);
    pb::append_bytes(made, scope_itself, scope);
    for (const auto& one : items) pb::append_bytes(made, items_of_scope, one);
    return made;
}

partial_success decode_partial_success(std::string_view response) noexcept {
    using codec::protobuf::field_reader;
    using codec::protobuf::wire_type;
    constexpr std::uint32_t partial_success_field = 1, rejected_field = 1, message_field = 2;
    partial_success found;
    field_reader::field one;
    for (field_reader outer(response); outer.next(one) == field_reader::outcome::field;) {
        if (one.number != partial_success_field || one.type != wire_type::sized) continue;
        for (field_reader inner(one.bytes); inner.next(one) == field_reader::outcome::field;) {
            // A negative number rejects nothing.
            if (one.number == rejected_field && one.type == wire_type::varint)
                found.rejected = one.value >> 63U ? 0 : one.value;
            if (one.number == message_field && one.type == wire_type::sized) found.message = one.bytes;
        }
    }
    return found;
}

}  // namespace apus::tracing
