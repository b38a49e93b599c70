// SPDX-License-Identifier: Apache-2.0
#include <apus/sql.hpp>

#include "runtime/frame_pool.hpp"
#include "runtime/loop.hpp"
#include "sql/database_parts.hpp"
#include "sql/execution.hpp"
#include "sql/failure.hpp"
#include "sql/statement_counts.hpp"
#include "sql/statement_list.hpp"

#include <apus/sleep.hpp>
#include <apus/sql/table.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>

namespace apus::sql {
namespace {

// Links the function into each program that uses a database, since `src/server` has only a weak reference to it.
[[gnu::used]] constexpr auto* linked = &list_statements;

std::shared_ptr<engine> make_engine(std::string_view url, const database_options& options) {
    if (options.notifications == 0) throw std::invalid_argument("database: `notifications` must be at least 1");
    const bool is_file = url.starts_with("sqlite:");
    if (!is_file && !url.starts_with("postgres://") && !url.starts_with("postgresql://"))
        throw std::invalid_argument("database: the URL must begin with sqlite:, postgres:// or postgresql://");
    auto made = is_file ? open_sqlite(url, options) : open_postgres(url, options);
    made->set_database(name_in_metrics(url));
    return made;
}

// Returns the engine that all cores share, since an SQLite file has one writer per process. Engines are identified by
// URL and options.
std::shared_ptr<engine> shared_engine(std::string_view url, const database_options& options) {
    if (url == "sqlite::memory:") return make_engine(url, options);
    static auto* lock = new std::mutex;
    static auto* known = new std::map<std::string, std::weak_ptr<engine>>;
    std::string key(url);
    for (const std::int64_t n : {options.statement_timeout.nanoseconds(), options.connect_timeout.nanoseconds(),
                                 options.idle_transaction_timeout.nanoseconds(), std::int64_t(options.connections),
                                 std::int64_t(options.queue), std::int64_t(options.value_size),
                                 std::int64_t(options.result_size), std::int64_t(options.durable),
                                 std::int64_t(options.notifications), std::int64_t(options.prepared_statements)})
        key.append(" ").append(std::to_string(n));
    std::lock_guard guard(*lock);
    auto& at = (*known)[key];
    auto found = at.lock();
    if (!found) at = found = make_engine(url, options);
    return found;
}

bool has_secret(const detail::call_parts& of) noexcept {
    const auto secret = [](const auto& list) { return list && list->has_secret(); };
    return secret(of.values) || std::ranges::any_of(of.more, secret);
}

struct found_none final : rows {
    std::size_t size() const noexcept override { return 0; }
    unsigned columns() const noexcept override { return 0; }
    std::string_view column_name(unsigned) const noexcept override { return {}; }
    std::string_view column_type(unsigned) const noexcept override { return {}; }
    value cell(std::size_t, unsigned) override { return {}; }
};

}  // namespace

namespace detail {

std::uint64_t deadline_of(const session_parts& s) {
    const auto wait = static_cast<std::uint64_t>(s.options.statement_timeout.milliseconds());
    return runtime::loop::current().now() + wait;
}

std::shared_ptr<parameters> make_parameters(const session_parts& s) {
    return std::allocate_shared<parameters>(runtime::frame_allocator<parameters>(), s.options.value_size,
                                            s.db->has_composites());
}

void session_owner::keep(session_parts* p) noexcept { p->users.fetch_add(1, std::memory_order_relaxed); }
void session_owner::let_go(session_parts* p) noexcept {
    if (p->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p;
}

struct found_parts {
    std::unique_ptr<rows> held;
    statement_text text;
    row_reader reader;

    static void* operator new(std::size_t size) { return apus::detail::frame_allocate(size); }
    static void operator delete(void* at, std::size_t size) noexcept { apus::detail::frame_free(at, size); }
};

struct cursor_parts {
    call_parts* what;  // null once the cursor is open
    apus::detail::owned_parts<call_parts> call;
    std::unique_ptr<cursor> open = nullptr;
    std::unique_ptr<rows> held = nullptr;
    std::optional<row_reader> reader = {};
    std::size_t at = 0;
};

call::call(const shared_session& in, std::string_view sql, const argument* arguments, std::size_t count)
    : parts_(apus::detail::own_parts(new call_parts{.in = in, .text = {.sql = sql}})) {
    next_list();
    for (std::size_t i = 0; i < count; ++i) add(arguments[i]);
}

void call::next_list() {
    call_parts& p = *parts_;
    if (!p.values) p.values = make_parameters(*p.in);
    else if (!p.last().values().empty()) p.more.push_back(make_parameters(*p.in));
}

void call::add(argument a) {
    if (!a.of) return parts_->last().add_null();
    if (auto added = parts_->last().add(*a.of, a.at); !added && !parts_->refused)
        parts_->refused.emplace(std::move(added.error()));
}

task<std::int64_t> run(call what) {
    auto& parts = *what.parts_;
    if (parts.refused) co_await failure(std::move(*parts.refused));
    execution watched(*parts.in, parts.text.sql);
    auto done = co_await parts.in->target().execute(parts.make()).outcome();
    if (!done) co_await failure(watched.failed(std::move(done.error()), has_secret(parts)));
    watched.succeeded(*done);
    co_return done->changed;
}

task<std::int64_t> run_batch(call what) {
    auto& parts = *what.parts_;
    if (parts.refused) co_await failure(std::move(*parts.refused));
    batch all{.text = parts.text, .values = {}, .deadline = deadline_of(*parts.in)};
    if (!parts.values->values().empty()) all.values.emplace_back(parts.values);
    for (const auto& list : parts.more)
        if (!list->values().empty()) all.values.emplace_back(list);
    if (all.values.empty()) co_return std::int64_t(0);
    execution watched(*parts.in, parts.text.sql);
    auto done = co_await parts.in->target().execute_batch(std::move(all)).outcome();
    if (!done) co_await failure(watched.failed(std::move(done.error()), has_secret(parts)));
    watched.succeeded(*done);
    co_return *done;
}

task<found> query(call what) {
    auto& parts = *what.parts_;
    if (parts.refused) co_await failure(std::move(*parts.refused));
    execution watched(*parts.in, parts.text.sql);
    auto done = co_await parts.in->target().execute(parts.make()).outcome();
    if (!done) co_await failure(watched.failed(std::move(done.error()), has_secret(parts)));
    watched.succeeded(*done);
    if (!done->found) done->found = std::make_unique<found_none>();
    rows& from = *done->found;
    co_return found(
        apus::detail::own_parts(new found_parts{std::move(done->found), parts.text, row_reader(from, parts.text.sql)}));
}

std::size_t found::size() const noexcept { return parts_->held->size(); }

result<void> found::read(std::size_t row, const schema::type& t, void* to) { return parts_->reader.read(row, t, to); }

result<void> found::expect_one(bool may_be_missing) const {
    if (size() == 1 || (size() == 0 && may_be_missing)) return {};
    if (size() == 0) return fail(404, "no such record");
    return fail(500, "a statement returned several rows instead of one")
        .cause(std::string("statement: ").append(parts_->text.sql));
}

open_cursor open(call what) {
    call_parts* parts = &*what.parts_;
    return open_cursor(apus::detail::own_parts(new cursor_parts{.what = parts, .call = std::move(what.parts_)}));
}

task<bool> open_cursor::read(const schema::type& t, void* to) {
    constexpr std::size_t rows_at_once = 256;
    cursor_parts& c = *parts_;
    if (!c.open) {
        if (c.what->refused) co_await failure(std::move(*c.what->refused));
        execution watched(*c.what->in, c.what->text.sql);
        auto opened = co_await c.what->in->target().open(c.what->make(), rows_at_once).outcome();
        if (!opened) co_await failure(watched.failed(std::move(opened.error()), has_secret(*c.what)));
        c.open = *std::move(opened);
    }
    if (!c.held || c.at == c.held->size()) {
        c.held.reset();
        execution watched(*c.what->in, c.what->text.sql);
        auto next = co_await c.open->next(deadline_of(*c.what->in)).outcome();
        if (!next) co_await failure(watched.failed(std::move(next.error()), has_secret(*c.what)));
        c.held = *std::move(next);
        watched.succeeded(static_cast<std::int64_t>(c.held ? c.held->size() : 0));
        c.at = 0;
        if (!c.held || c.held->size() == 0) co_return false;
        c.reader.emplace(*c.held, c.what->text.sql);
    }
    co_await c.reader->read(c.at++, t, to);
    co_return true;
}

task<> wait_before_retry(const executor& in, unsigned attempt) {
    statement_counts(*session_access::of(in)->db).repeats_transaction();
    // Transactions that conflict must not be repeated at the same time, so each wait differs.
    const auto now = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&attempt)) ^
                     runtime::loop::current().io().clock().nanoseconds();
    co_await sleep_for(milliseconds(static_cast<std::int64_t>(1 + now % (5ULL << (attempt < 6 ? attempt : 6)))));
}

bool may_retry(const error& why, unsigned attempt, const transaction_options& options) noexcept {
    return attempt < options.attempts && is_serialization_failure(why);
}

}  // namespace detail

database::database(std::string_view url, const database_options& options)
    : executor(detail::shared_session(
          new detail::session_parts{.db = shared_engine(url, options), .options = options, .url = std::string(url)})) {
    const detail::statement_counts listed(
        *session_->db);  // so that `/metrics` has the series before the first statement
}

std::vector<migration_step> database::migrate(std::span<const migration_file> files,
                                              const migration_options& options) const {
    return migrator(session_->url, files).migrate(options);
}

task<transaction> detail::begin_transaction(shared_session held, transaction_options options) {
    execution watched(*held, "begin");
    auto begun = co_await held->db->begin(options, deadline_of(*held)).outcome();
    if (!begun) co_await failure(watched.failed(std::move(begun.error())));
    watched.succeeded(0);
    co_return sql::transaction(
        shared_session(new session_parts{.db = held->db, .options = held->options, .open = *std::move(begun)}));
}

task<transaction> database::begin(transaction_options options) const {
    return detail::begin_transaction(session_, options);
}

task<> transaction::commit() const {
    const detail::shared_session held = session_;
    co_await detail::measured(*held, held->depth == 0 ? "commit" : "release savepoint", held->transaction().commit());
}
task<> transaction::rollback() const {
    const detail::shared_session held = session_;
    co_await detail::measured(*held, held->depth == 0 ? "rollback" : "rollback to savepoint",
                              held->transaction().rollback());
}

namespace {

task<transaction> set_savepoint(detail::shared_session held) {
    const unsigned depth = held->depth + 1;
    if (depth > most_savepoints)
        co_await failure(make_error({.state = "3B001", .message = "too many savepoints are nested"}));
    // Set before the savepoint exists, so that another task can neither set a savepoint nor execute a statement.
    engine_transaction& in = held->transaction();
    struct reservation {
        detail::session_parts& of;
        bool armed;
        ~reservation() {
            if (armed) of.has_inner = false;
        }
    } reserved{*held, !held->has_inner};
    held->has_inner = true;
    co_await detail::measured(*held, "savepoint", in.savepoint(depth, deadline_of(*held)));
    reserved.armed = false;
    co_return transaction(detail::open_savepoint(held, depth));
}

}  // namespace

// The session is copied now: the transaction may be moved before the task starts.
task<transaction> transaction::savepoint() const { return set_savepoint(session_); }

}  // namespace apus::sql
