// SPDX-License-Identifier: Apache-2.0
#include "postgres/connection.hpp"

#include "codec/postgres/request.hpp"
#include "postgres/pool.hpp"
#include "sql/failure.hpp"

#include <algorithm>
#include <utility>

// Executes statements with the simple query protocol: several statements in one text, and COPY. This needs exclusive
// use of the connection.

namespace apus::postgres {

using codec::postgres::message;
using codec::postgres::message_type;
using runtime::readiness;

bool connection::runs_script() const noexcept {
    return std::ranges::any_of(items_, [](const item& one) { return one.what == step::script; });
}

void connection::start_script(call& c) {
    if (runs_script()) return refuse(c, "55000", "the connection is in use");
    copied_in_ = false;
    c.begin();
    std::string text(c.of.text.sql);
    if (leased && !begin_.empty() && !std::exchange(begun_, true)) text = begin_ + ";" + text;
    codec::postgres::append_query(stream_.out, text);
    push(step::script, nullptr, &c);
    push(step::sync, nullptr, &c);  // the responses end with ReadyForQuery
    flush_later();
}

// `at_` is `none` before the first response, `bound` while rows arrive, `parsed` after COPY data, and `described` after
// the end of a statement.
void connection::on_script(item& head, const message& m) {
    using enum message_type;
    if (copies_out_ && m.type == copy_data) return copy_row(head, m.body);
    if (copies_out_ && m.type == copy_done) {
        copies_out_ = false;
        at_ = progress::parsed;
        return;
    }
    const bool in_rows = at_ == progress::bound;
    if (copies_out_) return unexpected();
    if (m.type == data_row && in_rows) {
        if (!codec::postgres::is_row(m.body, format_->columns.size())) unexpected();
    } else if (m.type == row_description && !in_rows) {
        format_ = read_row_format(m.body);
        at_ = progress::bound;
        if (!format_) unexpected();
    } else if (m.type == command_complete) {
        const auto tag = codec::postgres::read_tag(m.body);
        if (!tag) return unexpected();
        if (head.of) head.of->changed = codec::postgres::changed_rows(*tag);
        at_ = progress::described;
    } else if (m.type == empty_query && !in_rows) {
        at_ = progress::described;
    } else {
        start_copy(head, m);
    }
}

void connection::start_copy(item& head, const message& m) {
    const bool in = m.type == message_type::copy_in, out = m.type == message_type::copy_out;
    const bool both = m.type == message_type::copy_both;
    if ((!in && !out && !both) || at_ == progress::bound || !codec::postgres::is_copy_response(m.body))
        return unexpected();
    call* const c = head.of;
    if (in && c && c->what == call::kind::copy_in && !std::exchange(copied_in_, true)) {
        codec::postgres::append_copy_data(stream_.out, std::exchange(c->copied, {}));
        codec::postgres::append_copy_done(stream_.out);
        return flush_later();
    }
    if (!out || !c || c->what != call::kind::copy_out) return lost("COPY in a script");
    copies_out_ = true;
}

// When enough rows have arrived, finishes the call, and stops receiving until the next call, so that the server waits.
void connection::copy_row(item& head, std::string_view row) {
    constexpr std::size_t enough = std::size_t(64) << 10U;
    call& c = *head.of;
    c.copied.append(row);
    if (c.copied.size() < enough) return;
    for (item& one : items_)
        if (one.of == &c) one.of = nullptr;
    pool_.loop().io().watch(*this, readiness::none);
    c.has_more = true;
    c.in = nullptr;
    c.finish();
}

void connection::continue_copy(call& c) {
    if (!copies_out_ || items_.size() < 2 || items_.front().of) return refuse(c, "55000", "no COPY to continue");
    items_[0].of = items_[1].of = &c;
    c.begin();
    pool_.loop().io().watch(*this, wants_room_ ? readiness::both : readiness::in);
    receive();
}

}  // namespace apus::postgres
