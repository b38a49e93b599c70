// SPDX-License-Identifier: Apache-2.0
#include "tracing/otlp.hpp"

#include "codec/protobuf/writer.hpp"

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

constexpr std::uint32_t resource_attributes = 1;
constexpr std::uint32_t resource_spans = 1, resource_of_spans = 1, scope_spans = 2;
constexpr std::uint32_t scope_of_spans = 1, spans_of_scope = 2, scope_name = 1, scope_version = 2;

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
    constexpr std::size_t other_fields = 128;
    std::string made;
    made.reserve(other_fields + of.name.size() + state.size() + of.attributes.bytes().size() + of.events.size());
    pb::append_bytes(made, span_trace_id, bytes_of(of.trace));
    pb::append_bytes(made, span_span_id, bytes_of(of.id));
    if (!state.empty()) pb::append_bytes(made, span_trace_state, state);
    if (of.has_parent) pb::append_bytes(made, span_parent_span_id, bytes_of(of.parent));
    append_text(made, span_name, of.name);
    pb::append_unsigned(made, span_kind_of, static_cast<std::uint64_t>(of.kind));
    pb::append_fixed64(made, span_start, of.start);
    pb::append_fixed64(made, span_end, of.end);
    made += of.attributes.bytes();
    if (of.attributes.dropped()) pb::append_unsigned(made, span_dropped_attributes, of.attributes.dropped());
    made += of.events;
    if (of.dropped_events) pb::append_unsigned(made, span_dropped_events, of.dropped_events);
    if (of.failed) pb::append_bytes(made, span_status, encode_status(of));
    pb::append_fixed32(made, span_flags, of.flags | knows_remote | (of.remote_parent ? is_remote : 0));
    return made;
}

std::string encode_resource(std::span<const log::field> attributes) {
    std::string made;
    for (const auto& f : attributes) append_attribute(made, resource_attributes, f);
    return made;
}

std::string encode_export(std::string_view resource, std::string_view version, std::span<const std::string> spans) {
    std::string scope;
    pb::append_bytes(scope, scope_name, "apus");
    pb::append_bytes(scope, scope_version, version);
    std::size_t size_of_scope = pb::bytes_size(scope_of_spans, scope.size());
    for (const auto& one : spans) size_of_scope += pb::bytes_size(spans_of_scope, one.size());
    const std::size_t size_of_resource =
        pb::bytes_size(resource_of_spans, resource.size()) + pb::bytes_size(scope_spans, size_of_scope);

    std::string made;
    made.reserve(pb::bytes_size(resource_spans, size_of_resource));
    pb::append_head(made, resource_spans, size_of_resource);
    pb::append_bytes(made, resource_of_spans, resource);
    pb::append_head(made, scope_spans, size_of_scope);
    pb::append_bytes(made, scope_of_spans, scope);
    for (const auto& one : spans) pb::append_bytes(made, spans_of_scope, one);
    return made;
}

}  // namespace apus::tracing
