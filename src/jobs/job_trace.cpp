// SPDX-License-Identifier: Apache-2.0
#include "jobs/job_trace.hpp"

#include "codec/trace_context/state.hpp"
#include "http/request_trace.hpp"

#include <charconv>
#include <exception>
#include <utility>

namespace apus::jobs {
namespace {

using codec::trace_context::parent_size;

// The names of spans and attributes follow OpenTelemetry's semantic conventions for messaging.
std::string name_of_span(std::string_view operation, std::string_view kind) {
    return std::string(operation).append(" ").append(kind);
}

void describe(tracing::attribute_list& to, std::string_view operation, std::string_view kind, std::string_view queue) {
    to.add({"messaging.system", "apus"});
    to.add({"messaging.operation.name", operation});
    to.add({"messaging.operation.type", operation});
    to.add({"messaging.destination.name", queue});
    to.add({"apus.job.kind", kind});
}

// Returns the stored value of `tracestate`; empty if it is malformed.
std::string state_in(std::string_view stored) {
    std::string made;
    codec::trace_context::state found;
    if (stored.size() > parent_size + 1 && stored[parent_size] == ' ' && found.add(stored.substr(parent_size + 1)))
        found.append(made);
    return made;
}

}  // namespace

enqueue_span::enqueue_span(std::string_view kind, std::string_view queue) noexcept {
    if (!tracing::recorder::here()) return;
    try {
        tracing::trace* const in = http::trace_to_pass_on();
        if (!in) return;
        const auto parent = in->innermost();
        if (in->is_recorded()) {
            span_ = new tracing::open_span(*in, name_of_span("send", kind), tracing::span_kind::producer, parent,
                                           tracing::open_span::nesting::leaf);
            describe(span_->data.attributes, "send", kind, queue);
        }
        context_ = in->parent_field(span_ ? span_->data.id : parent);
        if (!in->state.empty()) context_->append(" ").append(in->state);
    } catch (const std::exception&) {
        return;  // out of memory
    }
}

enqueue_span::~enqueue_span() {
    if (!span_) return;
    span_->data.failed = true;
    span_->end();
}

void enqueue_span::end(std::int64_t id, bool added) noexcept {
    auto* const ended = std::exchange(span_, nullptr);
    if (!ended) return;
    try {
        ended->data.attributes.add({"messaging.message.id", std::to_string(id)});
        if (!added) ended->data.attributes.add({"apus.job.added", false});
    } catch (const std::exception&) {
        ended->data.failed = true;  // out of memory; the span is incomplete
    }
    ended->end();
}

attempt_trace::attempt_trace(const claimed_job& job, std::string_view queue) {
    auto* const by = tracing::recorder::here();
    if (!by) return;
    const std::string_view stored = job.trace ? std::string_view(*job.trace) : std::string_view();
    const auto caller = codec::trace_context::read_parent(stored.substr(0, stored.find(' ')));
    trace_ = std::make_unique<http::background_trace>(*by, caller ? &*caller : nullptr,
                                                      name_of_span("process", job.kind), tracing::span_kind::consumer);
    if (caller) trace_->context().trace->state = state_in(stored);
    if (!trace_->root()) return;
    auto& to = trace_->root()->data.attributes;
    describe(to, "process", job.kind, queue);
    to.add({"messaging.message.id", std::to_string(job.id)});
    to.add({"apus.job.attempt", job.attempt});
}

task<> attempt_trace::run(task<> work) const { return trace_ ? trace_->run(std::move(work)) : std::move(work); }

void attempt_trace::succeeded() const noexcept {
    if (trace_) trace_->end({});
}

void attempt_trace::failed(std::string_view error_type, std::string_view why) const noexcept {
    if (trace_) trace_->end(error_type, why);
}

void attempt_trace::failed(const error& why) const noexcept {
    char digits[16];
    failed({digits, std::to_chars(digits, digits + sizeof digits, why.status()).ptr}, why.detail());
}

}  // namespace apus::jobs
