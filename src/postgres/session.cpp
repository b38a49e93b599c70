// SPDX-License-Identifier: Apache-2.0
#include "postgres/session.hpp"

#include "postgres/busy_transaction.hpp"
#include "sql/failure.hpp"
#include "sql/parameters.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace apus::postgres {
namespace {

sql::outcome outcome_of(call& c) {
    sql::outcome made;
    made.changed = c.changed;
    made.started = c.started;
    if (c.rows.format) made.found = std::make_unique<result_rows>(std::move(c.rows));
    return made;
}

}  // namespace

task<sql::outcome> run(pool& p, sql::statement s, connection* in) {
    call c(p, call::kind::execute, std::move(s));
    c.in = in;
    c.in_transaction = in != nullptr;
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
    co_return outcome_of(c);
}

task<std::int64_t> run_batch(pool& p, sql::batch b, connection* in) {
    if (b.values.empty()) co_return 0;
    call c(p, call::kind::batch, {.text = std::move(b.text), .deadline = b.deadline});
    c.lists = std::move(b.values);
    c.in = in;
    c.in_transaction = in != nullptr;
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
    co_return c.changed;
}

task<> run_script(pool& p, sql::statement_text text, std::uint64_t deadline, connection* in) {
    call c(p, call::kind::script, {.text = std::move(text), .deadline = deadline});
    c.in = in;
    c.in_transaction = true;
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
}

sql::statement notify_statement(const std::string& channel, const std::string& payload, std::uint64_t deadline) {
    auto values = std::make_shared<sql::parameters>(std::max(channel.size(), payload.size()));
    values->add_copy(sql::value::of_text(channel), false);
    values->add_copy(sql::value::of_text(payload), false);
    return {.text = {"select pg_notify($1, $2)"}, .values = std::move(values), .deadline = deadline};
}

task<std::unique_ptr<transaction>> begin(pool& p, std::string how, std::uint64_t deadline) {
    call c(p, call::kind::lease, {.text = {"begin"}, .deadline = deadline});
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
    connection* in = c.take();
    if (!in || in->dead()) co_await failure(sql::unreachable("the connection was lost"));
    co_return std::make_unique<transaction>(*in, p, std::move(how));
}

transaction::transaction(connection& c, pool& p, std::string how) : in_(&c), pool_(p) {
    c.lend(*this);
    c.begin_with(std::move(how));
    idle_.of = this;
    idle_.fire = [](runtime::timer& t) noexcept {
        transaction& self = *static_cast<idle_timer&>(t).of;
        self.why_ = "rolled back after database_options::idle_transaction_timeout";
        self.end();
    };
}

transaction::~transaction() { end(); }

void transaction::end() noexcept {
    if (!in_) return;
    pool_.loop().timers().remove(idle_);
    std::exchange(in_, nullptr)->take_back();
}

void transaction::lost() noexcept {
    pool_.loop().timers().remove(idle_);
    in_ = nullptr;
    state_ = "08006";
    why_ = "the connection of the transaction was lost";
}

task<sql::outcome> transaction::execute(sql::statement s) {
    const busy_transaction busy(*this);
    connection* in = co_await busy.in();
    co_return co_await run(pool_, std::move(s), in);
}

task<std::int64_t> transaction::execute_batch(sql::batch b) {
    const busy_transaction busy(*this);
    connection* in = co_await busy.in();
    co_return co_await run_batch(pool_, std::move(b), in);
}

task<> transaction::execute_script(sql::statement_text text, std::uint64_t deadline) {
    const busy_transaction busy(*this);
    connection* in = co_await busy.in();
    co_await run_script(pool_, std::move(text), deadline, in);
}

task<> transaction::notify(std::string channel, std::string payload, std::uint64_t deadline) {
    (void)co_await execute(notify_statement(channel, payload, deadline));
}

// The server answers COMMIT of a failed transaction with ROLLBACK, and does not report an error.
task<> transaction::commit() {
    if (in_ && !in_->begun()) {
        end();
        co_return;
    }
    const busy_transaction busy(*this);
    connection* in = co_await busy.in();
    const std::uint64_t deadline = pool_.loop().due_in(pool_.options().statement_timeout);
    call c(pool_, call::kind::execute, {.text = {"commit"}, .deadline = deadline});
    c.in = in;
    c.in_transaction = true;
    co_await c;
    const bool committed = c.tag == "COMMIT";
    end();
    if (c.failed) co_await failure(*std::move(c.failed));
    if (!committed)
        co_await failure(sql::make_error({.state = "25P02", .message = "a statement of the transaction has failed"}));
}

task<> transaction::rollback() {
    end();
    co_return;
}

task<> transaction::rollback_to_savepoint(unsigned depth, std::uint64_t deadline) {
    ++rollbacks_;
    return sql::engine_transaction::rollback_to_savepoint(depth, deadline);
}

// If the savepoint no longer exists, the server fails the whole transaction.
void transaction::abandon_savepoint(unsigned depth) noexcept {
    ++rollbacks_;
    try {
        const std::string name = sql::savepoint_name(depth);
        post("rollback to savepoint " + name);
        post("release savepoint " + name);
    } catch (const std::bad_alloc&) {
        why_ = "rolled back, since a savepoint could not be rolled back: out of memory";
        end();
    }
}

void transaction::post(const std::string& sql) noexcept {
    if (in_) in_->post(sql);
}

// The parameters of the query become those of DECLARE.
task<std::unique_ptr<sql::cursor>> transaction::open(sql::statement s, std::size_t rows_at_once) {
    std::string name = "apus_cursor" + std::to_string(++cursors_);
    auto text =
        std::make_shared<const std::string>("declare " + name + " no scroll cursor for " + std::string(s.text.sql));
    s.text = {*text, text};
    (void)co_await execute(std::move(s));
    co_return std::make_unique<server_cursor>(*this, nullptr, std::move(name), rows_at_once);
}

server_cursor::server_cursor(transaction& in, std::unique_ptr<transaction> whole, std::string name,
                             std::size_t rows_at_once)
    : in_(in),
      whole_(std::move(whole)),
      rollbacks_(in.rollbacks()),
      name_(std::move(name)),
      fetch_(std::make_shared<const std::string>("fetch " + std::to_string(rows_at_once) + " from " + name_)) {}

// After a rollback to a savepoint, the cursor may not exist, and to close it would fail the transaction. If it exists,
// it ends with the transaction.
server_cursor::~server_cursor() {
    if (!whole_ && !ended_ && rollbacks_ == in_.rollbacks()) in_.post("close " + name_);
}

task<std::unique_ptr<sql::rows>> server_cursor::next(std::uint64_t deadline) {
    if (ended_) co_return nullptr;
    auto got = co_await in_.execute({.text = {*fetch_, fetch_}, .deadline = deadline});
    if (got.found && got.found->size() != 0) co_return std::move(got.found);
    ended_ = true;
    if (whole_) co_await whole_->commit();
    else in_.post("close " + name_);
    co_return nullptr;
}

}  // namespace apus::postgres
