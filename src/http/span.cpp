// SPDX-License-Identifier: Apache-2.0
#include <apus/span.hpp>

#include "http/request_trace.hpp"

#include <exception>
#include <utility>

namespace apus {
namespace {

using tracing::open_span;
using tracing::span_kind;

// Outside of requests, a span begins a trace, and only the span owns this trace.
open_span* begin_trace_of(std::string_view name) {
    tracing::recorder* const by = tracing::recorder::here();
    if (!by || !by->samples()) return nullptr;
    auto* const made = new tracing::trace(*by, nullptr, true);
    open_span& root = made->begin(name, span_kind::internal);
    made->release();
    return &root;
}

// Tracing must not cause failures: if memory is exhausted, the span is not recorded.
template <class F>
open_span* try_to_record(F make) noexcept {
    try {
        return make();
    } catch (const std::exception&) {
        return nullptr;
    }
}

}  // namespace

span::span(std::string_view name)
    : of_(try_to_record([name]() -> open_span* {
          http::exchange* const x = http::exchange_here();
          if (!x) return begin_trace_of(name);
          tracing::trace* const in = http::recorded_trace(x);
          return in ? new open_span(*in, name, span_kind::internal, in->innermost()) : nullptr;
      })) {}

span span::child(std::string_view name) const {
    return span(try_to_record([&]() -> open_span* {
        if (!of_) return nullptr;
        return new open_span(of_->of(), name, span_kind::internal, of_->data.id, open_span::nesting::leaf);
    }));
}

span& span::set(const log::field& attribute) {
    if (of_) of_->data.attributes.add(attribute);
    return *this;
}

span& span::event(std::string_view name, std::initializer_list<log::field> attributes) {
    if (of_) of_->data.add_event(name, of_->of().clock.now(), {attributes.begin(), attributes.size()});
    return *this;
}

span& span::error(std::string_view why) {
    if (!of_) return *this;
    of_->data.failed = true;
    of_->data.why = why.substr(0, tracing::max_text);
    return *this;
}

void span::end() noexcept {
    if (of_) std::exchange(of_, nullptr)->end();
}

std::string trace_id() {
    const tracing::trace* const in = http::recorded_trace(http::exchange_here());
    if (!in) return {};
    std::string made(2 * in->id().size(), '0');
    codec::trace_context::write_id(in->id(), made.data());
    return made;
}

}  // namespace apus
