// SPDX-License-Identifier: Apache-2.0
#include "postgres/connection.hpp"

#include "codec/postgres/request.hpp"
#include "postgres/encode.hpp"
#include "postgres/pool.hpp"
#include "sql/failure.hpp"
#include "sql/parameters.hpp"

#include <algorithm>
#include <utility>

namespace apus::postgres {

using codec::postgres::transaction_state;
using runtime::readiness;

namespace {

// Prepares and executes a statement without parameters, whose rows are ignored.
void append_plain(std::string& to, const std::string& sql) {
    codec::postgres::append_parse(to, "", sql);
    codec::postgres::bind_writer(to, "", 0).end();
    codec::postgres::append_execute(to);
}

// Sends the types too: the values are in the types that the server inferred when it described the statement.
void append_parse(std::string& to, const prepared& p) {
    std::vector<std::uint32_t> types;
    types.reserve(p.types.size());
    for (const oid type : p.types) types.push_back(static_cast<std::uint32_t>(type));
    codec::postgres::append_parse(to, p.name, p.sql, types);
}

}  // namespace

connection::connection(pool& p, pgconn_ptr c)
    : descriptor_watch(PQsocket(c.get())),
      pool_(p),
      stream_(std::move(c)),
      cancel_request_(PQgetCancel(stream_.connection().get()), PQfreeCancel) {
    cancel_timer_.of = flush_.of = this;
    cancel_timer_.fire = [](runtime::timer& t) noexcept { static_cast<cancel_timer&>(t).of->on_cancel_time(); };
    flush_.run = [](runtime::deferred& d) noexcept {
        auto& f = static_cast<flush_call&>(d);
        // Other deferred calls of this event loop iteration may add statements, so sending waits until the output no
        // longer grows.
        if (std::exchange(f.seen, f.of->stream_.out.size()) != f.of->stream_.out.size()) f.of->flush_later();
        else f.of->flush();
    };
    pool_.loop().io().watch(*this, readiness::in);
}

connection::~connection() {
    lost("this process is shutting down");
    if (holder) holder->lost();
    pool_.loop().timers().remove(cancel_timer_);
}

void connection::close() noexcept {
    if (std::exchange(dead_, true)) return;
    pool_.loop().forget(flush_);
    pool_.loop().io().watch(*this, readiness::none);
    stream_.close();
    expect(-expected_);
    note_use();
    pool_.clean_up_later();
}

// Tells the pool, for its metrics, when the connection begins or ends to be used.
void connection::note_use() noexcept {
    const bool now = !dead_ && (leased || !items_.empty());
    if (std::exchange(used_, now) != now) pool_.count_use(now);
}

// Tells the event loop how many responses follow.
void connection::expect(int more) noexcept {
    expected_ += more;
    pool_.loop().io().expect_responses(more);
}

void connection::push(step what, prepared* statement, call* of) {
    if (items_.empty()) progress_ = pool_.loop().now();
    items_.push_back({.what = what, .statement = statement, .of = of});
    ++unsent_;
    if (what == step::sync) expect(1);
    note_use();
}

void connection::sync(call* of) {
    codec::postgres::append_sync(stream_.out);
    push(step::sync, nullptr, of);
    flush_later();
}

// Large output is sent immediately, so that the output of an event loop iteration is not completely in memory.
void connection::flush_later() {
    constexpr std::size_t large = std::size_t(32) << 10U;
    if (wants_room_) return;
    if (stream_.out.size() >= large) flush();
    else pool_.loop().later(flush_);
}

void connection::flush() {
    flush_.seen = 0;
    unsent_ = 0;
    const bool left = stream_.send();
    if (std::exchange(wants_room_, left) != left)
        pool_.loop().io().watch(*this, left ? readiness::both : readiness::in);
}

void connection::submit(call& c) {
    c.in = this;
    if (dead_) return refuse(c, "08006", "the connection of the transaction was lost");
    if (c.what == call::kind::copy_more) return continue_copy(c);
    if (copies_out_) return refuse(c, "55000", "a COPY of this connection has not ended");
    const bool script = c.what == call::kind::script || c.what == call::kind::copy_in || c.what == call::kind::copy_out;
    if (prepared* known = script ? nullptr : statements_.find(c.of.text.sql)) {
        if (known->ready) execute(c, *known);
        else known->waiting.push_back(&c);
        return;
    }
    if (c.of.text.sql.size() > codec::postgres::max_request / 2 || c.of.text.sql.contains('\0'))
        return refuse(c, "42601", "a statement is too long, or contains NUL");
    if (script) start_script(c);
    else prepare(c);
}

// The server infers the types of the parameters. The values are then sent in these types.
void connection::prepare(call& c) {
    prepared& p = statements_.add(c.of.text.sql, pool_.options().prepared_statements);
    p.waiting.push_back(&c);
    if (const std::string old = statements_.evict(); !old.empty()) {
        codec::postgres::append_close_statement(stream_.out, old);
        push(step::close);
    }
    codec::postgres::append_parse(stream_.out, p.name, p.sql);
    push(step::prepare, &p);
    codec::postgres::append_describe_statement(stream_.out, p.name);
    push(step::describe, &p);
    sync();
    items_.back().statement = &p;
}

void connection::refuse(call& c, std::string_view state, const std::string& message) {
    c.failed = sql::make_error({.state = state, .message = message, .statement = c.of.text.sql});
    c.state = state;
    c.in = nullptr;
    c.finish();
}

// Appends the values of a statement, after BEGIN if it is the first statement of a transaction, and after the statement
// itself if `parses` is true. Returns false if the values do not match the parameters.
bool connection::bind(prepared& p, const sql::parameters* list, bool parses, call& c) {
    const auto values = list ? list->values() : std::span<const sql::value>();
    if (values.size() != p.types.size()) {
        refuse(c, "42P02",
               std::to_string(p.types.size()) + " parameters expected, " + std::to_string(values.size()) + " given");
        return false;
    }
    const bool begins = leased && !begin_.empty() && !begun_;
    const std::size_t before = stream_.out.size();
    if (begins) append_plain(stream_.out, begin_);
    if (parses) append_parse(stream_.out, p);
    codec::postgres::bind_writer to(stream_.out, p.name, static_cast<std::uint16_t>(values.size()));
    if (const auto fault = append_values(to, values, p.types, pool_.options().value_size, program_types_)) {
        stream_.out.resize(before);
        refuse(c, "22003", fault->why);
        if (fault->refused) c.failed = *list->refused_field();
        if (fault->too_large) c.failed = error(413, "a value is too large for the database").expose();
        return false;
    }
    to.end();
    if (begins) begun_ = true, push(step::plain);
    if (parses) push(step::prepare, nullptr, &c);
    return true;
}

void connection::execute(call& c, prepared& p) {
    const std::shared_ptr<const sql::parameters>* lists = c.what == call::kind::batch ? c.lists.data() : &c.of.values;
    const std::size_t count = c.what == call::kind::batch ? c.lists.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (!bind(p, lists[i].get(), p.name.empty() && i == 0, c)) {
            // The executions with the preceding lists are already in the output. The failing statement `select 1/0`
            // rolls them back.
            if (i != 0) {
                for (item& one : items_)
                    if (one.of == &c) one.of = nullptr;
                add_plain("select 1/0");
                sync();
            }
            return;
        }
        c.begin();
        if (p.varies) codec::postgres::append_describe_portal(stream_.out);
        codec::postgres::append_execute(stream_.out);
        push(step::execute, &p, &c);
        ++p.in_use;
    }
    sync(&c);
}

void connection::add_plain(const std::string& sql, step what, prepared* of) {
    append_plain(stream_.out, sql);
    push(what, of);
}

void connection::post(const std::string& sql) {
    if (dead_) return;
    if (copies_out_) return lost("a statement during COPY");
    add_plain(sql);
    sync();
}

void connection::take_back() {
    begin_.clear();
    holder = nullptr;
    if (dead_) return;
    if (runs_script()) return lost("a script was abandoned");
    const bool open = std::exchange(begun_, false) && (!items_.empty() || state_ != transaction_state::idle);
    if (!open && items_.empty()) {
        leased = false;
        note_use();
        return pool_.dispatch();
    }
    add_plain("rollback");
    sync();
    items_.back().returns = true;
}

void connection::abandon(const call& c) {
    statements_.each([&](prepared& p) { std::erase(p.waiting, &c); });
    bool script = false;
    for (item& one : items_) {
        if (one.of != &c) continue;
        one.of = nullptr;
        script |= one.what == step::script;
        if (one.what == step::execute) one.unwanted = true, ++unwanted_;
    }
    if (script) lost("a script was abandoned");
    else plan_cancel();
}

void connection::forget_statement(call& c) {
    prepared* p = statements_.find(c.of.text.sql);
    if (!p || !p->ready || p->in_use != 0) return;
    const std::string name = p->name;
    statements_.remove(*p);
    if (name.empty() || c.in_transaction || c.state != "0A000") return;
    codec::postgres::append_close_statement(stream_.out, name);
    push(step::close);
    sync();
}

// Finishes a call. Repeats a failed statement outside a transaction if Apus caused the failure: by a prepared plan for
// an older schema, or by a cancel request for another statement. Such a statement has had no effect.
void connection::settle(call& c) {
    const bool stale = c.state == "0A000" || c.state == "26000";
    if (stale) forget_statement(c);
    const bool hit = c.state == "57014" && cancel_ != cancelling::no;
    c.in = nullptr;
    if (c.failed && !c.in_transaction && (stale || hit) && c.repeats++ < 3) {
        c.failed.reset();
        c.state.clear();
        c.rows = {};
        c.changed = 0;
        c.sent = false;
        return pool_.repeat(c);
    }
    c.finish();
}

void connection::lost(std::string_view why) {
    if (dead_) return;
    const std::string reason(why);
    auto items = std::exchange(items_, {});
    const auto sent = items.end() - static_cast<std::ptrdiff_t>(std::min(std::exchange(unsent_, 0), items.size()));
    for (auto one = sent; one != items.end(); ++one)
        if (one->of) one->of->sent = false;
    bool executes = false;
    for (auto one = items.begin(); one != sent; ++one) {
        if (one->of) one->of->sent = true;
        executes |= one->what == step::execute || one->what == step::script;
    }
    std::vector<call*> waiting;
    statements_.each([&](prepared& p) {
        for (call* c : p.waiting) waiting.push_back(c);
        p.waiting.clear();
    });
    if (executes) close_and_stop(stream_.connection(), cancel_request_);
    close();
    const auto fail = [&](call& c) {
        c.in = nullptr;
        if (!c.sent && !c.in_transaction && !c.failed) return pool_.repeat(c);
        if (!c.failed) c.failed = sql::make_error({.state = "08006", .message = reason, .statement = c.of.text.sql});
        if (c.state.empty()) c.state = "08006";
        c.finish();
    };
    for (const item& one : items)
        if (one.of) waiting.push_back(one.of);
    std::ranges::sort(waiting);
    const auto again = std::ranges::unique(waiting);
    waiting.erase(again.begin(), again.end());
    for (call* c : waiting) fail(*c);
}

}  // namespace apus::postgres
