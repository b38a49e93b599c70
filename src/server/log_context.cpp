// SPDX-License-Identifier: Apache-2.0
#include "server/log_context.hpp"

#include "http/request_trace.hpp"
#include "runtime/carried_context.hpp"
#include "server/request_summary.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace apus::server {
namespace {

// Returns a field of the same kind and number, with another key, and another text if it is a text.
log::field renamed(const log::field& f, std::string_view key, std::string_view text) noexcept {
    switch (f.type()) {
        case log::field::kind::none: break;
        case log::field::kind::text: return {key, text};
        case log::field::kind::signed_number: return {key, static_cast<std::int64_t>(f.number())};
        case log::field::kind::unsigned_number: return {key, f.number()};
        case log::field::kind::truth: return {key, f.number() != 0};
        case log::field::kind::real: return {key, f.real()};
    }
    return {};
}

using http::exchange_here;
using kind = log::field::kind;

// The fields of a request, with copies of their texts.
class copied_fields final : public runtime::carried_context {
public:
    explicit copied_fields(std::span<const log::field> of) : fields_(of.begin(), of.end()) {
        std::size_t size = 0;
        for (const auto& f : of) size += f.key().size() + text_of(f).size();
        texts_ = std::make_unique_for_overwrite<char[]>(size);
        char* end = texts_.get();
        const auto keep = [&](std::string_view text) {
            if (!text.empty()) std::memcpy(end, text.data(), text.size());
            return std::string_view(std::exchange(end, end + text.size()), text.size());
        };
        for (auto& f : fields_) f = renamed(f, keep(f.key()), keep(text_of(f)));
    }

    std::span<const log::field> all() const noexcept { return fields_; }

    static std::span<const log::field> here() noexcept {
        const auto* const c = static_cast<const copied_fields*>(carried_context::here());
        return c ? c->all() : std::span<const log::field>();
    }

    static std::unique_ptr<const carried_context> copy(const void* request) noexcept {
        auto& x = *static_cast<http::exchange*>(const_cast<void*>(request));
        try {
            return std::make_unique<copied_fields>(fields_of_request(x).all());
        } catch (const std::bad_alloc&) {
            return nullptr;  // the records of the call do not identify the request
        }
    }

private:
    static std::string_view text_of(const log::field& f) noexcept {
        return f.type() == kind::text ? f.text() : std::string_view();
    }

    std::vector<log::field> fields_;
    std::unique_ptr<char[]> texts_;
};

[[maybe_unused]] const bool carried_to_other_threads = (runtime::carried_context::copy = copied_fields::copy, true);

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
    return renamed(e.value, e.key, e.text);
}

const log_context* log_context::here() noexcept {
    http::exchange* const x = exchange_here();
    return x ? x->in.find<log_context>() : nullptr;
}

bool fields_of_request::any() noexcept { return exchange_here() || !copied_fields::here().empty(); }

fields_of_request::fields_of_request(std::span<const log::field> given) noexcept {
    for (const auto& f : given.first(std::min(given.size(), max_fields)))
        if (f.type() != kind::none) fields_[count_++] = f;
    if (http::exchange* const x = exchange_here()) add_fields_of(*x);
    else
        for (const auto& f : copied_fields::here()) add(f);
}

fields_of_request::fields_of_request(http::exchange& x) noexcept { add_fields_of(x); }

void fields_of_request::add_fields_of(http::exchange& x) noexcept {
    const auto r = request_summary::of(&x);
    add(optional_field("method", r.method));
    add(optional_field("route", r.route));
    add(optional_field("request_id", r.id));
    if (const tracing::trace* const in = http::recorded_trace(&x)) {
        codec::trace_context::write_id(in->id(), trace_id_);
        codec::trace_context::write_id(in->innermost(), span_id_);
        add({"trace_id", std::string_view(trace_id_, sizeof trace_id_)});
        add({"span_id", std::string_view(span_id_, sizeof span_id_)});
    }
    const auto* const more = x.in.find<log_context>();
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
