// SPDX-License-Identifier: Apache-2.0
#include "postgres/connection.hpp"

#include "postgres/pool.hpp"
#include "sql/failure.hpp"
#include "sql/parameters.hpp"

#include <algorithm>
#include <utility>

#include <sys/ioctl.h>

namespace apus::postgres {

using runtime::readiness;

connection::connection(pool& p, pgconn_ptr c)
    : descriptor_watch(PQsocket(c.get())),
      pool_(p),
      conn_(std::move(c)),
      cancel_request_(PQgetCancel(conn_.get()), PQfreeCancel) {
    cancel_timer_.of = this;
    cancel_timer_.fire = [](runtime::timer& t) noexcept { static_cast<cancel_timer&>(t).of->on_cancel_time(); };
    pool_.loop().io().watch(*this, readiness::in);
}

connection::~connection() {
    lost("the server stops");
    if (holder) holder->lost();
    pool_.loop().timers().remove(cancel_timer_);
}

void connection::close() noexcept {
    if (std::exchange(dead_, true)) return;
    pool_.loop().io().watch(*this, readiness::none);
    conn_.reset();
    pool_.clean_up_later();
}

void connection::push(step what, prepared* statement, call* of) {
    if (items_.empty()) progress_ = pool_.loop().now();
    items_.push_back({.what = what, .statement = statement, .of = of});
}

bool connection::sync(call* of) {
    if (PQpipelineSync(conn_.get()) != 1) return lost(PQerrorMessage(conn_.get())), false;
    push(step::sync, nullptr, of);
    flush();
    return true;
}

// Sends what libpq has buffered, as far as the socket has room.
void connection::flush() {
    const int left = PQflush(conn_.get());
    if (left < 0) return;  // reading reports the error
    if (std::exchange(wants_room_, left > 0) != wants_room_)
        pool_.loop().io().watch(*this, wants_room_ ? readiness::both : readiness::in);
}

void connection::submit(call& c) {
    c.in = this;
    if (dead_) return refuse(c, "08006", "the connection of the transaction was lost");
    if (c.what == call::kind::copy_more) return continue_copy(c);
    if (copies_out_) return refuse(c, "55000", "a COPY of this connection has not ended");
    if (c.what == call::kind::script || c.what == call::kind::copy_in || c.what == call::kind::copy_out)
        return start_script(c);
    prepared* known = statements_.find(c.of.text.sql);
    if (!known) return prepare(c);
    if (known->ready) execute(c, *known);
    else known->waiting.push_back(&c);
}

// The server infers the types of the parameters, and the values are sent in these types.
void connection::prepare(call& c) {
    prepared& p = statements_.add(c.of.text.sql);
    p.waiting.push_back(&c);
    if (const std::string old = statements_.evict(); !old.empty()) {
        PQsendQueryParams(conn_.get(), ("deallocate " + old).c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1);
        push(step::plain);
        if (!sync()) return;
    }
    PQsendPrepare(conn_.get(), p.name.c_str(), p.sql.c_str(), 0, nullptr);
    push(step::prepare, &p);
    PQsendDescribePrepared(conn_.get(), p.name.c_str());
    push(step::describe, &p);
    if (sync()) items_.back().statement = &p;
}

void connection::refuse(call& c, std::string_view state, const std::string& message) {
    c.failed = sql::make_error({.state = state, .message = message, .statement = c.of.text.sql});
    c.state = state;
    c.in = nullptr;
    c.finish();
}

bool connection::bind(prepared& p, const sql::parameters* list, call& c) {
    const auto values = list ? list->values() : std::span<const sql::value>();
    std::string fault;
    if (values.size() != p.types.size())
        fault = std::to_string(p.types.size()) + " parameters expected, " + std::to_string(values.size()) + " given";
    else fault = parameters_.encode(values, p.types);
    if (fault.empty()) return true;
    refuse(c, values.size() != p.types.size() ? "42P02" : "22003", fault);
    return false;
}

void connection::execute(call& c, prepared& p) {
    const std::shared_ptr<const sql::parameters>* lists = c.what == call::kind::batch ? c.lists.data() : &c.of.values;
    const std::size_t count = c.what == call::kind::batch ? c.lists.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (!bind(p, lists[i].get(), c)) {
            // The values of earlier lists are already sent: a failing statement rolls them back.
            if (i != 0) {
                for (item& one : items_)
                    if (one.of == &c) one.of = nullptr;
                PQsendQueryParams(conn_.get(), "select 1/0", 0, nullptr, nullptr, nullptr, nullptr, 1);
                push(step::plain);
                sync();
            }
            return;
        }
        if (leased && !begin_.empty() && !std::exchange(begun_, true)) {
            PQsendQueryParams(conn_.get(), begin_.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1);
            push(step::plain);
        }
        c.begin();
        PQsendQueryPrepared(conn_.get(), p.name.c_str(), parameters_.count(), parameters_.values(),
                            parameters_.lengths(), parameters_.formats(), 1);
        push(step::execute, &p, &c);
        ++p.in_use;
    }
    sync(&c);
}

void connection::post(const std::string& sql) {
    if (dead_) return;
    if (copies_out_) return lost("a statement during COPY");
    PQsendQueryParams(conn_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1);
    push(step::plain);
    sync();
}

void connection::take_back() {
    begin_.clear();
    holder = nullptr;
    if (dead_) return;
    if (script_ || copies_out_) return lost("a script was abandoned");
    const bool open =
        std::exchange(begun_, false) && (!items_.empty() || PQtransactionStatus(conn_.get()) != PQTRANS_IDLE);
    if (!open && items_.empty()) {
        leased = false;
        return pool_.dispatch();
    }
    PQsendQueryParams(conn_.get(), "rollback", 0, nullptr, nullptr, nullptr, nullptr, 1);
    push(step::plain);
    if (!sync()) return;
    items_.back().returns = true;
}

void connection::abandon(const call& c) {
    if (script_ == &c) {
        script_ = nullptr;
        return lost("a script was abandoned");
    }
    statements_.each([&](prepared& p) { std::erase(p.waiting, &c); });
    for (item& one : items_) {
        if (one.of != &c) continue;
        one.of = nullptr;
        if (one.what == step::execute) one.unwanted = true, ++unwanted_;
    }
    plan_cancel();
}

void connection::ready(readiness what) {
    if (runtime::has(what, readiness::out)) flush();
    if (dead_) return;
    const std::size_t before = waits_in_socket();
    PQconsumeInput(conn_.get());  // the results report a failure
    if (before != 0) check_size(before);
    if (dead_) return;
    if (script_) read_script();
    else if (!copies_out_) drain();
}

// Returns the call whose result is incomplete.
call* connection::current() const noexcept {
    if (copies_out_) return script_;
    return partial_ && !items_.empty() ? items_.front().of : nullptr;
}

std::size_t connection::waits_in_socket() const noexcept {
    int bytes = 0;
    if (!current() || ::ioctl(fd(), FIONREAD, &bytes) != 0) return 0;
    return static_cast<std::size_t>(bytes);
}

// libpq keeps a result in memory until it is complete. The received size is only known from the socket: libpq has read
// at least the decrease of the waiting bytes, or one piece of them, and at most all of them. The server may send more
// meanwhile.
void connection::check_size(std::size_t before) {
    constexpr std::size_t piece = 8192, inexact = 64;
    const std::size_t after = waits_in_socket();
    received_ += std::max(before > after ? before - after : 0, std::min(before, piece));
    seen_ += before;
    call* const executed = current();
    if (!executed) return;
    call& c = *executed;
    if (received_ <= c.of.result_size && seen_ / inexact <= c.of.result_size) return;
    c.failed = sql::too_large(c.of.text.sql);
    lost("a result is too large");
}

void connection::drain() {
    if (std::exchange(draining_, true)) return;
    partial_ = true;
    while (!dead_ && !items_.empty() && !PQisBusy(conn_.get())) {
        partial_ = false;
        received_ = seen_ = 0;
        progress_ = pool_.loop().now();
        result_ptr r(PQgetResult(conn_.get()));
        item& head = items_.front();
        if (!r) {
            // After a failed commit, libpq returns one more null.
            if (head.what == step::sync && !std::exchange(sync_failed_, false)) {
                lost(PQerrorMessage(conn_.get()));
            } else if (head.what != step::sync) {
                if (head.what == step::execute) --head.statement->in_use, unwanted_ -= head.unwanted;
                items_.pop_front();
            }
        } else if (PQresultStatus(r.get()) == PGRES_PIPELINE_SYNC && head.what != step::sync) {
            lost("the server has ended a pipeline before its last response");  // calls of later steps would be left
        } else if (PQresultStatus(r.get()) == PGRES_PIPELINE_SYNC) {
            const item done = head;
            items_.pop_front();
            on_sync(done);
        } else {
            on_result(head, std::move(r));
        }
    }
    draining_ = false;
    // otherwise libpq would store them
    while (PGnotify* one = dead_ ? nullptr : PQnotifies(conn_.get())) PQfreemem(one);
    if (!dead_ && PQstatus(conn_.get()) == CONNECTION_BAD) lost(PQerrorMessage(conn_.get()));
    if (dead_) return;
    if (unwanted_ != 0) plan_cancel();
    else if (cancel_ == cancelling::planned) cancel_ = cancelling::no, pool_.loop().timers().remove(cancel_timer_);
    if (accepts()) pool_.dispatch();
}

void connection::on_result(item& head, result_ptr r) {
    const auto status = PQresultStatus(r.get());
    const bool bad = status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
    if (bad && state_of(*r).empty()) return lost(PQresultErrorMessage(r.get()));
    if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) return refuse_copy(head);
    if (bad) {
        sync_failed_ = head.what == step::sync;
        abort_state_ = state_of(*r);
        std::string_view sql;
        if (head.of) sql = head.of->of.text.sql;
        else if (head.statement) sql = head.statement->sql;
        abort_reason_ = error_of(*r, sql);
    }
    if (bad || status == PGRES_PIPELINE_ABORTED) {
        if (head.statement && (head.what == step::prepare || head.what == step::describe)) {
            head.statement->failed = abort_reason_;
            head.statement->state = abort_state_;
        } else if (head.of && !head.of->failed) {
            head.of->failed = abort_reason_;
            head.of->state = abort_state_;
        }
        return;
    }
    if (head.what == step::describe) {
        const int n = PQnparams(r.get());
        for (int i = 0; i < n; ++i) head.statement->types.push_back(static_cast<oid>(PQparamtype(r.get(), i)));
    } else if (head.what == step::execute && head.of) {
        head.of->changed += changed_rows(*r);
        head.of->last = std::move(r);
    }
}

// COPY data are not results: libpq would return this result again and again.
void connection::refuse_copy(const item& head) {
    if (head.of) {
        head.of->failed = sql::make_error(
            {.state = "0A000", .message = "COPY is not possible here", .statement = head.of->of.text.sql});
        head.of->sent = true;
    }
    lost("COPY as a statement");
}

// A commit can fail too, since it checks deferred constraints. Its error replaces the next result.
void connection::on_sync(const item& done) {
    if (done.of && !done.of->failed && abort_reason_) {
        done.of->failed = abort_reason_;
        done.of->state = abort_state_;
    }
    abort_reason_.reset();
    abort_state_.clear();
    const auto transaction = PQtransactionStatus(conn_.get());
    if (done.fences && --fences_ == 0 && cancel_ == cancelling::fenced) {
        cancel_ = cancelling::no;
        pool_.loop().timers().remove(cancel_timer_);
    }
    if (done.returns) leased = false;
    if (!leased && transaction != PQTRANS_IDLE && transaction != PQTRANS_ACTIVE) {
        // Other calls' statements would become part of the transaction.
        if (done.of) refuse(*done.of, "25001", "a statement outside of a transaction has begun one");
        return lost("another statement has begun a transaction");
    }
    if (done.of) settle(*done.of);
    if (done.statement) on_prepared(*done.statement);
}

void connection::on_prepared(prepared& p) {
    const auto waiting = std::exchange(p.waiting, {});
    if (!p.failed) {
        p.ready = true;
        for (call* c : waiting)
            if (dead_) pool_.repeat(*c);
            else execute(*c, p);
        return;
    }
    // First, since a repeated call would wait for this statement.
    const error why = *std::move(p.failed);
    const std::string state = std::move(p.state);
    statements_.remove(p);
    for (call* c : waiting) {
        c->failed = why;
        c->state = state;
        settle(*c);
    }
}

void connection::forget_statement(call& c) {
    prepared* p = statements_.find(c.of.text.sql);
    if (!p || !p->ready || p->in_use != 0) return;
    const std::string name = p->name;
    statements_.remove(*p);
    if (!c.in_transaction && c.state == "0A000") post("deallocate " + name);
}

// Repeats a failed statement outside a transaction, which had no effect, if Apus caused the failure: the statement's
// plan was made for an older schema, or a cancel request for another statement has cancelled it.
void connection::settle(call& c) {
    const bool stale = c.state == "0A000" || c.state == "26000";
    if (stale) forget_statement(c);
    const bool hit = c.state == "57014" && cancel_ != cancelling::no;
    c.in = nullptr;
    if (c.failed && !c.in_transaction && (stale || hit) && c.repeats++ < 3) {
        c.failed.reset();
        c.state.clear();
        c.last.reset();
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
    std::vector<call*> waiting;
    statements_.each([&](prepared& p) {
        for (call* c : p.waiting) waiting.push_back(c);
        p.waiting.clear();
    });
    const bool executes =
        script_runs_ || std::ranges::any_of(items, [](const item& i) { return i.what == step::execute; });
    if (script_) waiting.push_back(std::exchange(script_, nullptr));
    if (executes) close_and_stop(conn_, cancel_request_);
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
