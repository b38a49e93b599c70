// SPDX-License-Identifier: Apache-2.0
#include "outbound/client_span.hpp"

#include "http/request_trace.hpp"
#include "outbound/exchange.hpp"
#include "outbound/url.hpp"

#include <charconv>
#include <exception>
#include <utility>

namespace apus::outbound {
namespace {

void add_field(std::string& fields, std::string_view name, std::string_view value) {
    if (!value.empty()) fields.append(name).append(": ").append(value).append("\r\n");
}

/// A new trace of a request that is sent outside of traces. Its span keeps the trace alive.
class own_trace {
public:
    explicit own_trace(tracing::recorder& by) : of_(new tracing::trace(by, nullptr, by.samples())) {}
    own_trace(const own_trace&) = delete;
    own_trace& operator=(const own_trace&) = delete;
    ~own_trace() { of_->release(); }
    tracing::trace& get() const noexcept { return *of_; }

private:
    tracing::trace* of_;
};

// Adds the fields of the trace context that the request does not have.
void pass_on(const tracing::trace& in, const tracing::span_id& from, detail::asked& req) {
    if (field_in(req.fields, "traceparent")) return;
    add_field(req.fields, "traceparent", in.parent_field(from));
    if (!field_in(req.fields, "tracestate")) add_field(req.fields, "tracestate", in.state);
    if (!field_in(req.fields, "baggage")) add_field(req.fields, "baggage", in.baggage);
}

}  // namespace

client_span::client_span(detail::asked& req) {
    tracing::recorder* const by = tracing::recorder::here();
    if (!by || req.untraced) [[likely]]
        return;
    try {
        if (tracing::trace* const in = http::trace_to_pass_on()) {
            const auto parent = in->innermost();
            if (in->is_recorded())
                begin(*new tracing::open_span(*in, req.method, tracing::span_kind::client, parent,
                                              tracing::open_span::nesting::leaf),
                      req);
            pass_on(*in, of_ ? of_->data.id : parent, req);
            return;
        }
        const own_trace made(*by);
        const auto root = made.get().innermost();
        if (made.get().is_recorded()) begin(made.get().begin(req.method, tracing::span_kind::client), req);
        pass_on(made.get(), root, req);
    } catch (const std::exception&) {
        return;  // out of memory
    }
}

client_span::~client_span() { end("cancelled"); }

void client_span::begin(tracing::open_span& made, const detail::asked& req) {
    of_ = &made;
    auto& to = of_->data.attributes;
    to.add({"http.request.method", req.method});
    const auto parsed = url::parse(req.url);
    if (!parsed) return;
    // The URL is recorded without its query, which may contain secrets of the other server.
    url shown = *parsed;
    shown.target.resize(std::min(shown.target.find('?'), shown.target.size()));
    to.add({"url.full", shown.text()});
    to.add({"server.address", parsed->host});
    to.add({"server.port", parsed->port});
}

void client_span::end(std::string_view error_type) noexcept {
    auto* const ended = std::exchange(of_, nullptr);
    if (!ended) return;
    try {
        if (!error_type.empty()) ended->data.attributes.add({"error.type", error_type});
    } catch (const std::exception&) {
        ended->data.failed = true;  // out of memory; the span is incomplete
    }
    const bool failed = ended->data.failed = !error_type.empty();
    if (ended->of().root() == ended) ended->of().end_root(failed);
    else ended->end();
}

void client_span::end(int status) noexcept {
    if (!of_) return;
    char digits[16];
    const char* const last = std::to_chars(digits, digits + sizeof digits, status).ptr;
    try {
        of_->data.attributes.add({"http.response.status_code", status});
    } catch (const std::exception&) {
        of_->data.failed = true;
    }
    end(status >= 400 ? std::string_view(digits, last) : std::string_view());
}

void client_span::end(const error& why) noexcept {
    if (!of_) return;
    end(why.status() == 504 ? "timeout" : why.status() == 502 ? "unreachable" : "rejected");
}

}  // namespace apus::outbound
