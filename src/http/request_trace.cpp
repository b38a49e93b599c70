// SPDX-License-Identifier: Apache-2.0
#include "http/request_trace.hpp"

#include "base/ascii.hpp"
#include "codec/http1/host.hpp"
#include "codec/trace_context/baggage.hpp"
#include "codec/trace_context/state.hpp"
#include "http/list_fields.hpp"
#include "runtime/activity.hpp"

#include <charconv>
#include <exception>
#include <optional>
#include <string>

namespace apus::http {
namespace {

using codec::trace_context::parent;
using tracing::trace;

bool has_name(const exchange& x, const codec::http1::field& f) noexcept {
    constexpr std::size_t size = std::string_view("traceparent").size();
    return f.name.size == size && base::same_name(x.bytes + f.name.at, "traceparent");
}

// Returns the caller's span. Invalid and repeated fields are ignored, and a new trace begins (W3C Trace Context, 3.2).
std::optional<parent> caller_of(const exchange& x, const tracing::recorder& by) noexcept {
    if (!x.head.has_trace_parent || !by.options().continue_traces) return std::nullopt;
    const codec::http1::field* found = nullptr;
    for (unsigned i = 0; i < x.head.field_count; ++i) {
        const auto& f = x.head.fields[i];
        if (!has_name(x, f)) continue;
        if (found) return std::nullopt;
        found = &f;
    }
    return found ? codec::trace_context::read_parent(x.text(found->value)) : std::nullopt;
}

template <class List>
void read_list(const exchange& x, std::string_view name, std::string& to) {
    List found;
    bool valid = true;
    for (unsigned i = 0; valid && i < x.head.field_count; ++i) {
        const auto& f = x.head.fields[i];
        if (base::equal_ignoring_case(x.text(f.name), name)) valid = found.add(x.text(f.value));
    }
    if (valid) found.append(to);
}

trace* make_trace(exchange& x, tracing::recorder& by, const std::optional<parent>& caller, bool sampled) {
    auto* made = new trace(by, caller ? &*caller : nullptr, sampled);
    x.trace = made;
    if (caller) read_list<codec::trace_context::state>(x, "tracestate", made->state);
    if (by.options().pass_baggage) read_list<codec::trace_context::baggage>(x, "baggage", made->baggage);
    return made;
}

void add_if_any(tracing::span_data& to, std::string_view name, std::string_view text) {
    if (!text.empty()) to.attributes.add_text(name, text);
}

// Attribute names are from OpenTelemetry's semantic conventions for HTTP.
void describe_request(const served_exchange& x, std::string_view target, tracing::span_data& to) {
    const std::string_view sent = x.text(x.head.verb_text);
    const bool known = x.head.verb != method::other;
    to.attributes.add_text("http.request.method", known ? sent : std::string_view("_OTHER"));
    if (!known) to.attributes.add_text("http.request.method_original", sent);
    const auto query = target.find('?');
    to.attributes.add_text("url.path", target.substr(0, query));
    if (query != target.npos) to.attributes.add_text("url.query", target.substr(query + 1));
    to.attributes.add_text("url.scheme", x.via->records(const_cast<served_exchange&>(x)) ? "https" : "http");
    add_if_any(to, "server.address", codec::http1::without_port(x.text(x.head.host)));
    add_if_any(to, "client.address", x.address);
    add_if_any(to, "user_agent.original", x.field("user-agent"));
}

void describe_response(const served_exchange& x, int status, tracing::span_data& to) {
    if (status == 0) {
        to.failed = true;
        to.attributes.add({"error.type", "cancelled"});
        return;
    }
    to.attributes.add_number("http.response.status_code", static_cast<std::uint64_t>(status));
    if (x.response_bytes) to.attributes.add_number("http.response.body.size", x.response_bytes);
    if (status < 500) return;
    to.failed = true;
    char digits[16];
    const char* const end = std::to_chars(digits, digits + sizeof digits, status).ptr;
    to.attributes.add({"error.type", std::string_view(digits, end)});
}

void record_request(served_exchange& x, tracing::recorder& by, bool chosen) noexcept {
    try {
        const auto caller = caller_of(x, by);
        const bool sampled = caller ? caller->sampled() : chosen;
        if (!sampled && !by.decides_late()) return;
        // The request arrived at the beginning of the event loop iteration or earlier, so the span starts before this
        // point.
        trace* const made = make_trace(x, by, caller, sampled);
        made->begin({}, tracing::span_kind::server, x.started ? made->clock.unix_time(x.started) : 0);
        if (x.address.empty()) x.via->find_address(x);
    } catch (const std::exception&) {
        by.drop(1);  // out of memory
    }
}

}  // namespace

void record_sampled(served_exchange& x, tracing::recorder& by) noexcept {
    by.draw_distance();
    record_request(x, by, true);
}

void record_if_wanted(served_exchange& x, tracing::recorder& by) noexcept { record_request(x, by, false); }

std::uint64_t end_trace(const served_exchange& x, int status, std::string_view route,
                        std::string_view target) noexcept {
    auto* const root = x.trace->root();
    if (!root) return 0;
    auto& data = root->data;
    try {
        const std::string_view verb = x.text(x.head.verb_text);
        data.name = x.head.verb == method::other ? std::string_view("HTTP") : verb;
        if (!route.empty()) (data.name += ' ') += route;
        describe_request(x, target, data);
        add_if_any(data, "http.route", route);
        describe_response(x, status, data);
    } catch (const std::exception&) {
        data.failed = true;  // out of memory; the span is incomplete
    }
    return x.trace->end_root(status >= 500);
}

exchange* exchange_here() noexcept {
    const auto* doing = runtime::activity::here();
    const void* now = doing ? doing->request.load(std::memory_order_relaxed) : nullptr;
    return static_cast<exchange*>(const_cast<void*>(now));
}

tracing::trace* recorded_trace(const exchange* x) noexcept {
    return x && x->trace && x->trace->is_recorded() ? x->trace : nullptr;
}

tracing::trace* trace_to_pass_on() {
    tracing::recorder* const by = tracing::recorder::here();
    exchange* const x = by ? exchange_here() : nullptr;
    if (!x) return nullptr;
    if (x->trace) return x->trace;
    // The request is not sampled, but its trace context is propagated.
    const auto caller = caller_of(*x, *by);
    return make_trace(*x, *by, caller, false);
}

void exchange::drop_trace() noexcept { std::exchange(trace, nullptr)->release(); }

}  // namespace apus::http
