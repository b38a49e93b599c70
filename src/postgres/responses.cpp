// SPDX-License-Identifier: Apache-2.0
#include "postgres/connection.hpp"

#include "postgres/pool.hpp"
#include "sql/failure.hpp"

#include <algorithm>
#include <utility>

// Receives the responses of the server, which answers the items in the order in which they were sent. An unexpected
// message closes the connection. After an ErrorResponse, the server ignores the items up to the next synchronization
// point.

namespace apus::postgres {

using codec::postgres::message;
using codec::postgres::message_type;
using codec::postgres::transaction_state;
using runtime::readiness;

void connection::ready(readiness what) {
    if (runtime::has(what, readiness::out)) flush();
    if (dead_ || !runtime::has(what, readiness::in)) return;
    receive();
}

void connection::receive() {
    stream_.receive(*this);
    if (dead_) return;
    if (unwanted_ != 0) plan_cancel();
    else if (cancel_ == cancelling::planned) cancel_ = cancelling::no, pool_.loop().timers().remove(cancel_timer_);
    if (accepts()) pool_.dispatch();
}

std::size_t connection::max_row() const noexcept {
    const call* const of = items_.empty() ? nullptr : items_.front().of;
    return of ? of->of.result_size : pool_.options().result_size;
}

void connection::on_end(const codec::refusal* why, std::string_view reason) {
    call* const of = items_.empty() ? nullptr : items_.front().of;
    if (of && why == &codec::postgres::refusals::message_too_long) of->failed = sql::too_large(of->of.text.sql);
    lost(reason);
}

void connection::unexpected() { lost("PostgreSQL has sent an unexpected or malformed message"); }

bool connection::on_message(const message& m) {
    switch (m.type) {
        case message_type::notice:
        case message_type::parameter_status:
        case message_type::notification: return true;
        case message_type::error: on_error(m.body); break;
        case message_type::ready: on_ready(m.body); break;
        default:
            if (items_.empty() || abort_reason_) unexpected();
            else on_response(items_.front(), m);
    }
    return !dead_ && (!copies_out_ || items_.front().of);
}

void connection::pop() {
    const item& head = items_.front();
    if (head.what == step::execute) {
        --head.statement->in_use;
        unwanted_ -= head.unwanted;
    } else if (head.what == step::sync) {
        expect(-1);
    }
    items_.pop_front();
    unsent_ = std::min(unsent_, items_.size());
    at_ = progress::none;
    format_.reset();
    progress_ = pool_.loop().now();
    if (items_.empty()) note_use();
}

void connection::on_response(item& head, const message& m) {
    switch (head.what) {
        case step::prepare:
        case step::close: return on_prepare(head, m);
        case step::describe: return on_description(head, m);
        case step::types: return on_types(head, m);
        case step::plain: return on_plain(head, m);
        case step::execute: return on_execute(head, m);
        case step::script: return on_script(head, m);
        case step::sync: return unexpected();
    }
}

void connection::on_prepare(item& head, const message& m) {
    const auto wanted = head.what == step::prepare ? message_type::parse_complete : message_type::close_complete;
    if (m.type == wanted) pop();
    else unexpected();
}

void connection::on_description(item& head, const message& m) {
    prepared& p = *head.statement;
    if (at_ == progress::none && m.type == message_type::parameter_description) {
        at_ = progress::parsed;
        p.types.clear();
        if (!codec::postgres::read_parameters(m.body, [&](std::uint32_t t) { p.types.push_back(static_cast<oid>(t)); }))
            unexpected();
        return;
    }
    const bool rows = m.type == message_type::row_description;
    if (at_ != progress::parsed || (!rows && m.type != message_type::no_data)) return unexpected();
    if (rows) p.format = read_row_format(m.body);
    if (rows && !p.format) return unexpected();
    pop();
}

void connection::on_plain(item&, const message& m) {
    if (at_ == progress::none && m.type == message_type::parse_complete) at_ = progress::parsed;
    else if (at_ == progress::parsed && m.type == message_type::bind_complete) at_ = progress::bound;
    else if (at_ != progress::bound) unexpected();
    else if (m.type == message_type::command_complete || m.type == message_type::empty_query) pop();
    else if (m.type != message_type::data_row) unexpected();
}

void connection::on_execute(item& head, const message& m) {
    if (at_ == progress::none) {
        if (m.type != message_type::bind_complete) return unexpected();
        at_ = head.statement->varies ? progress::bound : progress::described;
        if (!head.statement->varies) format_ = head.statement->format;
    } else if (at_ == progress::bound) {
        at_ = progress::described;
        if (m.type == message_type::row_description) format_ = read_row_format(m.body);
        if (m.type == message_type::row_description ? !format_ : m.type != message_type::no_data) unexpected();
    } else if (m.type == message_type::data_row) {
        on_row(head, m.body);
    } else {
        on_done(head, m);
    }
}

// Ignores the rest of a result that is too large, like the result of an abandoned statement.
void connection::on_row(item& head, std::string_view row) {
    if (!format_ || !codec::postgres::is_row(row, format_->columns.size())) return unexpected();
    if (!head.of || head.of->what == call::kind::batch) return;
    call& c = *head.of;
    if (c.rows.bytes.size() + row.size() <= c.of.result_size) return c.rows.add(row);
    c.failed = sql::too_large(c.of.text.sql);
    c.rows = {};
    abandon(c);
    c.in = nullptr;
    c.finish();
}

void connection::on_done(item& head, const message& m) {
    const bool copies =
        m.type == message_type::copy_in || m.type == message_type::copy_out || m.type == message_type::copy_both;
    if (copies) return refuse_copy(head);
    const auto tag = m.type == message_type::command_complete ? codec::postgres::read_tag(m.body) : std::string_view();
    if (!tag || (m.type != message_type::command_complete && m.type != message_type::empty_query)) return unexpected();
    if (head.of) {
        head.of->changed += codec::postgres::changed_rows(*tag);
        head.of->tag = *tag;
        head.of->rows.format = std::move(format_);
    }
    pop();
}

// Rejects a COPY that was executed as a statement: its data cannot be returned as rows.
void connection::refuse_copy(const item& head) {
    if (head.of) {
        head.of->failed = sql::make_error(
            {.state = "0A000", .message = "COPY needs copy_in or copy_out", .statement = head.of->of.text.sql});
        head.of->sent = true;
    }
    lost("COPY was executed as a statement");
}

// An ErrorResponse while no item is in flight, or a second one for an item, is the reason why the server closes the
// connection.
void connection::on_error(std::string_view body) {
    std::string_view sql;
    if (!items_.empty() && items_.front().of) sql = items_.front().of->of.text.sql;
    else if (!items_.empty() && items_.front().statement) sql = items_.front().statement->sql;
    auto why = read_error(body, sql);
    if (!why) return unexpected();
    if (items_.empty() || abort_reason_) return lost(why->what.cause());
    copies_out_ = false;
    abort_reason_ = std::move(why->what);
    abort_state_ = std::move(why->state);
    while (items_.front().what != step::sync) {
        const item& head = items_.front();
        if (head.statement && head.what <= step::types) {
            head.statement->failed = abort_reason_;
            head.statement->state = abort_state_;
        } else if (head.of && !head.of->failed) {
            head.of->failed = abort_reason_;
            head.of->state = abort_state_;
        }
        pop();
    }
}

void connection::on_ready(std::string_view body) {
    const auto state = codec::postgres::read_ready(body);
    if (!items_.empty() && items_.front().what == step::script && at_ == progress::described && !copies_out_) pop();
    if (!state || items_.empty() || items_.front().what != step::sync) return unexpected();
    state_ = *state;
    const item done = items_.front();
    pop();
    on_sync(done);
}

// A commit can fail too, since it checks deferred constraints.
void connection::on_sync(const item& done) {
    if (done.of && !done.of->failed && abort_reason_) {
        done.of->failed = abort_reason_;
        done.of->state = abort_state_;
    }
    abort_reason_.reset();
    abort_state_.clear();
    if (done.fences && --fences_ == 0 && cancel_ == cancelling::fenced) {
        cancel_ = cancelling::no;
        pool_.loop().timers().remove(cancel_timer_);
    }
    if (done.returns) leased = false;
    if (items_.empty()) note_use();
    if (!leased && state_ != transaction_state::idle) {
        // Other calls' statements would become part of the transaction.
        if (done.of) refuse(*done.of, "25001", "the statement has begun a transaction: use database::begin");
        return lost("another statement has begun a transaction");
    }
    if (done.of) settle(*done.of);
    if (done.statement) on_prepared(*done.statement);
}

// Values for parameters of composite types differ from values for other types of the program, such as enumerations. The
// server is asked once for each type. Returns false if all types are known.
bool connection::ask_for_types(prepared& p) {
    const std::string unknown = program_types_.unknown(p.types);
    if (unknown.empty()) return false;
    add_plain(program_types::query(unknown), step::types, &p);
    sync();
    items_.back().statement = &p;
    return true;
}

void connection::on_types(item& head, const message& m) {
    if (m.type != message_type::data_row) {
        if (at_ == progress::bound && m.type == message_type::command_complete)
            program_types_.described(head.statement->types);
        return on_plain(head, m);
    }
    if (at_ != progress::bound || !program_types_.read(m.body)) unexpected();
}

void connection::on_prepared(prepared& p) {
    if (!p.failed && !dead_ && ask_for_types(p)) return;
    const auto waiting = std::exchange(p.waiting, {});
    if (!p.failed) {
        p.ready = true;
        for (call* c : waiting)
            if (dead_) pool_.repeat(*c);
            else execute(*c, p);
        return;
    }
    // Removes the statement first, since a repeated call would wait for it.
    const error why = *std::move(p.failed);
    const std::string state = std::move(p.state);
    statements_.remove(p);
    for (call* c : waiting) {
        c->failed = why;
        c->state = state;
        settle(*c);
    }
}

}  // namespace apus::postgres
