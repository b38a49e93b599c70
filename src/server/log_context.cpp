// SPDX-License-Identifier: Apache-2.0
#include "server/log_context.hpp"

#include "http/request_trace.hpp"
#include "server/request_summary.hpp"

#include <algorithm>
#include <new>

namespace apus::server {
namespace {

using http::exchange_here;
using kind = log::field::kind;

}  // namespace

void log_context::put(const log::field& f) {
    if (f.type() == kind::none) return;
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto found = std::find_if(entries_.begin(), end, [&](const entry& e) { return e.key == f.key(); });
    if (found == entries_.end()) return;
    if (found == end) found->key = f.key();
    found->text.clear();
    if (f.type() == kind::text) {
        const bool cut = f.text().size() > max_text;
        found->text = f.text().substr(0, max_text);
        if (cut) found->text += "...";
    }
    found->value = f;
    if (found == end) ++count_;
}

log::field log_context::at(std::size_t index) const noexcept {
    const entry& e = entries_[index];
    switch (e.value.type()) {
        case kind::none: break;
        case kind::text: return {e.key, e.text};
        case kind::signed_number: return {e.key, static_cast<std::int64_t>(e.value.number())};
        case kind::unsigned_number: return {e.key, e.value.number()};
        case kind::truth: return {e.key, e.value.number() != 0};
        case kind::real: return {e.key, e.value.real()};
    }
    return {};
}

const log_context* log_context::here() noexcept {
    http::exchange* const x = exchange_here();
    return x ? x->in.find<log_context>() : nullptr;
}

bool fields_of_request::any() noexcept { return exchange_here() != nullptr; }

fields_of_request::fields_of_request(std::span<const log::field> given) noexcept {
    for (const auto& f : given.first(std::min(given.size(), max_fields)))
        if (f.type() != kind::none) fields_[count_++] = f;
    const auto r = request_summary::here();
    add(optional_field("method", r.method));
    add(optional_field("route", r.route));
    add(optional_field("request_id", r.id));
    if (const tracing::trace* const in = http::recorded_trace(exchange_here())) {
        codec::trace_context::write_id(in->id(), trace_id_);
        codec::trace_context::write_id(in->innermost(), span_id_);
        add({"trace_id", std::string_view(trace_id_, sizeof trace_id_)});
        add({"span_id", std::string_view(span_id_, sizeof span_id_)});
    }
    const auto* const more = log_context::here();
    for (std::size_t i = 0; more && i < more->size(); ++i) add(more->at(i));
}

void fields_of_request::add(const log::field& f) noexcept {
    const auto is_there = [&](const log::field& other) { return other.key() == f.key(); };
    if (f.type() != kind::none && std::ranges::none_of(all(), is_there)) fields_[count_++] = f;
}

}  // namespace apus::server

namespace apus {

void log::add(const field& f) noexcept {
    http::exchange* const x = server::exchange_here();
    if (!x) return;
    try {
        auto* to = x->in.find<server::log_context>();
        (to ? *to : x->in.set(server::log_context())).put(f);
    } catch (const std::bad_alloc&) {
        return;  // the field is dropped, as when the maximum number of fields is reached
    }
}

}  // namespace apus
