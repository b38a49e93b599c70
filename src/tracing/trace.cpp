// SPDX-License-Identifier: Apache-2.0
#include "tracing/trace.hpp"

#include <exception>

namespace apus::tracing {

using codec::trace_context::parent;

trace::trace(recorder& by, const parent* incoming, bool sampled)
    : by_(by), id_(incoming ? incoming->trace : by.new_trace_id()), root_id_(by.new_span_id()) {
    if (incoming) {
        caller_ = incoming->span;
        has_caller_ = true;
        flags_ = incoming->flags;
        sampled = incoming->sampled();
    } else if (sampled) {
        flags_ = parent::sampled_flag;
    }
    if (sampled) decision_ = decision::kept;
    else if (by.decides_late()) decision_ = decision::undecided;
}

trace::~trace() { by_.end_hold(held_bytes_, held_.size()); }

span_id trace::innermost() const noexcept { return newest_ ? newest_->data.id : root_id_; }

open_span& trace::begin(std::string_view name, span_kind kind, std::uint64_t start) {
    auto* made = new open_span(*this, name, kind, caller_, open_span::nesting::scope, start);
    made->data.id = root_id_;
    made->data.has_parent = made->data.remote_parent = has_caller_;
    root_ = made;
    return *made;
}

std::uint64_t trace::end_root(bool failed) noexcept {
    const auto& options = by_.options();
    auto& data = root_->data;
    const std::uint64_t end = data.end = clock.now();
    const bool slow = options.keep_slower && end > data.start && end - data.start > options.keep_slower;
    decide((options.keep_errors && failed) || slow);
    root_->end();
    return end;
}

void trace::decide(bool keep) noexcept {
    if (decision_ != decision::undecided) return;
    decision_ = keep ? decision::kept : decision::dropped;
    auto spans = std::exchange(held_, {});
    by_.end_hold(std::exchange(held_bytes_, 0), spans.size());
    if (!keep) return;
    for (auto& one : spans) by_.push(std::move(one));
}

std::string trace::parent_field(const span_id& from) const {
    std::string made(codec::trace_context::parent_size, '0');
    codec::trace_context::write_parent({.trace = id_, .span = from, .flags = flags_}, made.data());
    return made;
}

void trace::ended(const span_data& what) noexcept {
    if (!is_recorded()) return;
    try {
        if (by_.summarizes) {
            if (!summary_) summary_ = std::make_unique<tracing::ended_spans>();
            summary_->add({what.id, what.parent, what.start, what.end, what.failed, base::short_text<45>(what.name)},
                          what.id == root_id_);
        }
        std::string made = encode(what, state);
        if (decision_ == decision::kept) return by_.push(std::move(made));
        if (held_.size() == max_held || held_bytes_ + made.size() > max_held_bytes) return by_.drop(1);
        const std::size_t size = made.size();
        held_.push_back(std::move(made));
        if (!by_.hold(size)) return held_.pop_back(), by_.drop(1);
        held_bytes_ += size;
    } catch (const std::exception&) {
        by_.drop(1);  // out of memory
    }
}

open_span::open_span(trace& of, std::string_view name, span_kind kind, const span_id& parent, nesting how,
                     std::uint64_t start)
    : of_(of), linked_(how == nesting::scope) {
    data.trace = of.id_;
    data.id = of.by_.new_span_id();
    data.parent = parent;
    data.has_parent = true;
    data.flags = of.flags_;
    data.kind = kind;
    data.start = start ? start : of.clock.now();
    data.name = name.substr(0, max_text);
    of_.hold();
    if (!linked_) return;
    outer_ = of.newest_;
    if (outer_) outer_->inner_ = this;
    of.newest_ = this;
}

// Spans may end in any order.
open_span::~open_span() {
    if (linked_) {
        if (outer_) outer_->inner_ = inner_;
        (inner_ ? inner_->outer_ : of_.newest_) = outer_;
    }
    if (of_.root_ == this) of_.root_ = nullptr;
    of_.release();
}

void open_span::end() noexcept {
    if (data.end == 0) data.end = of_.clock.now();
    of_.ended(data);
    delete this;
}

}  // namespace apus::tracing
