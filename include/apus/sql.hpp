// SPDX-License-Identifier: Apache-2.0
#pragma once

// SQL databases: SQLite in a file, PostgreSQL on a server. Rows and parameters are plain structs (schema.hpp).

#include <apus/detail/sql_statement.hpp>
#include <apus/schema.hpp>
#include <apus/sql/copy.hpp>
#include <apus/sql/executed_statement.hpp>
#include <apus/sql/failure.hpp>
#include <apus/sql/migrations.hpp>
#include <apus/sql/notifications.hpp>
#include <apus/sql/options.hpp>
#include <apus/sql/text.hpp>

#include <vector>

namespace apus::sql {

/// Rows that are fetched incrementally. Occupies a connection. Returned by `executor::stream`.
template <class Row>
class [[nodiscard("a stream that is not read starts no statement: call next")]] row_stream {
public:
    explicit row_stream(detail::call what) : cursor_(detail::open(std::move(what))) {}

    /// Returns the next row, or nullopt at the end. Awaitable. At most one call at a time.
    task<std::optional<Row>> next() {
        std::optional<Row> row;
        if (!co_await cursor_.read(apus::detail::schema_table<Row>, &row.emplace())) row.reset();
        co_return std::move(row);
    }

private:
    detail::open_cursor cursor_;
};

/// Executes statements in a database, either separately or in a transaction.
///
/// Statements are constants with placeholders $1, $2, ... on every engine. An argument has a type of schema.hpp, is
/// text, or is `std::nullopt` for NULL. Arguments are copied before the function returns. A struct is passed as its
/// fields, in order. Nested objects are JSON columns; std::vector<unsigned char> is binary data.
///
/// A Row is a struct, filled from columns of the same names, or a single value from the only column. Columns without a
/// field are ignored. A field without a column, a value out of range, and NULL for a non-optional field are errors 500,
/// whose statement, column, field and types are logged.
///
/// docs/sql.md lists the database errors: 409 for a violated unique or foreign key, 503 and 504 for a database that
/// does not respond. `failure_of` returns the SQLSTATE and constraint of an error; `database_options::map_error`
/// replaces errors. Destroying a task cancels its statement: a write may or may not take effect.
class executor {
public:
    /// Returns the only row. No row: 404. Several rows: 500.
    template <class Row, class... A>
    task<Row> one(const detail::statement_of<Row, std::type_identity_t<A>...>& sql, const A&... a) const {
        return detail::one_row<Row>(make(sql.view(), a...));
    }
    /// Returns the only row, or nullopt. Several rows: 500.
    template <class Row, class... A>
    task<std::optional<Row>> maybe(const detail::statement_of<Row, std::type_identity_t<A>...>& sql,
                                   const A&... a) const {
        return detail::maybe_row<Row>(make(sql.view(), a...));
    }
    /// Returns all rows. Over `database_options::result_size`: 500.
    template <class Row, class... A>
    task<std::vector<Row>> all(const detail::statement_of<Row, std::type_identity_t<A>...>& sql, const A&... a) const {
        return detail::all_rows<Row, std::vector<Row>>(make(sql.view(), a...));
    }
    /// Executes a statement. Returns the number of rows inserted, updated or deleted.
    template <class... A>
    task<std::int64_t> run(const detail::statement_of<void, std::type_identity_t<A>...>& sql, const A&... a) const {
        return detail::run(make(sql.view(), a...));
    }
    /// Executes the statement for each item of a list, atomically. Returns the number of rows changed.
    template <class List>
    task<std::int64_t> run_each(const detail::statement_of<void, typename List::value_type>& sql,
                                const List& items) const {
        detail::call what = detail::make_call(session_, sql.view());
        for (const auto& item : items) {
            what.next_list();
            what.add(detail::describe(item));
        }
        return detail::run_batch(std::move(what));
    }
    /// Returns a stream of rows, for results that do not fit in memory.
    /// The first `next` starts the statement.
    template <class Row, class... A>
    row_stream<Row> stream(const detail::statement_of<Row, std::type_identity_t<A>...>& sql, const A&... a) const {
        return row_stream<Row>(make(sql.view(), a...));
    }

    /// Returns a writer of rows for a table, by COPY.
    /// The fields of `Row` are the columns. `table` consists of letters, digits and `_`, with a dot after a schema;
    /// otherwise throws `std::invalid_argument`. SQLite: the rows are inserted in a transaction, which occupies the
    /// writer thread.
    template <class Row>
    copy_writer<Row> copy_in(text table) const {
        return copy_writer<Row>(detail::open_copy(session_, table.view(), apus::detail::schema_table<Row>));
    }
    /// Stores the structs of a range atomically, and returns their number.
    /// Awaitable. The task owns the range and iterates over it once, so a range may generate its rows.
    template <class Range>
    task<std::int64_t> copy_in(text table, Range rows) const {
        return copy_all(copy_in<std::remove_cvref_t<decltype(*rows.begin())>>(table), std::move(rows));
    }
    /// Returns the rows of a query as text, by COPY, for downloads. SQLite: error 501; use `stream`.
    copy_stream copy_out(statement_for<> sql, const copy_options& options = {}) const {
        return copy_stream(session_, sql.view(), options);
    }

    /// Sends a notification to the listeners of a channel.
    /// Awaitable. In a transaction, the notification is sent at the commit. `channel`: 1 to 63 bytes, case-sensitive.
    /// `payload`: at most 7,999 bytes, otherwise 413. Both are UTF-8 without NUL, otherwise 400. PostgreSQL:
    /// `pg_notify`. SQLite: only listeners of the same database in this process get it; if the task of `commit` is
    /// destroyed, listeners may miss the notification.
    task<> notify(std::string_view channel, std::string_view payload = {}) const;

protected:
    explicit executor(detail::shared_session s) : session_(std::move(s)) {}
    detail::shared_session session_;

private:
    template <class Row, class Range>
    static task<std::int64_t> copy_all(copy_writer<Row> to, Range rows) {
        for (const auto& row : rows) co_await to.write(row);
        co_return co_await to.finish();
    }
    template <class... A>
    detail::call make(std::string_view sql, const A&... a) const {
        return make_plain(sql, detail::plain_argument(a)...);
    }
    template <class... A>
    detail::call make_plain(std::string_view sql, const A&... a) const {
        return detail::make_call(session_, sql, a...);
    }
};

/// A transaction, or a savepoint in a transaction. Belongs to one core.
/// The destructor rolls it back, unless `commit` was called.
class [[nodiscard("a transaction that is not kept is rolled back at once")]] transaction : public executor {
public:
    explicit transaction(detail::shared_session s) : executor(std::move(s)) {}
    transaction(transaction&&) noexcept = default;
    transaction& operator=(transaction&&) noexcept = default;

    /// Commits. Awaitable. After success, the transaction is durable.
    /// Savepoint: its statements become part of the transaction around it.
    task<> commit() const;
    task<> rollback() const;  ///< Undoes all statements. Awaitable.

    /// Sets a savepoint: a transaction in this transaction. Awaitable.
    /// Until the savepoint is committed, rolled back or destroyed, functions of this object fail with 500. At most
    /// `most_savepoints` are nested; others fail with 500.
    task<transaction> savepoint() const;

    /// Runs `f(transaction&) -> task<T>` in a savepoint.
    /// An error of `f` rolls back only the statements of `f`, and is returned: the program may catch it by `outcome()`
    /// and continue the transaction. If the task is destroyed, the statements of `f` are rolled back too, before the
    /// next statement. After an error that ends the whole transaction, such as a lost connection or a full disk of
    /// SQLite, all later statements fail.
    template <class F>
    auto savepoint(F f) const;
};

/// Maximum depth of savepoints in savepoints.
inline constexpr unsigned most_savepoints = 32;

namespace detail {

task<> wait_before_retry(const executor& in, unsigned attempt);
bool may_retry(const error& why, unsigned attempt, const transaction_options&) noexcept;

template <class Database, class F, class T>
task<T> in_transaction(Database db, F f, transaction_options options, std::type_identity<T>) {
    for (unsigned attempt = 1;; ++attempt) {
        transaction t = co_await db.begin(options);
        auto made = co_await f(t).outcome();
        std::optional<error> why;
        if (made) {
            auto done = co_await t.commit().outcome();
            if (!done) why.emplace(std::move(done.error()));
        } else {
            (void)co_await t.rollback().outcome();
            why.emplace(std::move(made.error()));
        }
        if (!why) {
            if constexpr (std::is_void_v<T>) co_return;
            else co_return *std::move(made);
        } else if (!may_retry(*why, attempt, options)) {
            co_await failure(std::move(*why));
        }
        co_await wait_before_retry(db, attempt);
    }
}

template <class F, class T>
task<T> in_savepoint(task<transaction> begun, F f, std::type_identity<T>) {
    transaction t = co_await std::move(begun);
    auto made = co_await f(t).outcome();
    if (!made) {
        (void)co_await t.rollback().outcome();
        co_await failure(std::move(made.error()));
    }
    co_await t.commit();
    if constexpr (std::is_void_v<T>) co_return;
    else co_return *std::move(made);
}

template <class T>
std::type_identity<T> value_of(const task<T>&);

}  // namespace detail

template <class F>
auto transaction::savepoint(F f) const {
    using outcome = decltype(detail::value_of(f(std::declval<transaction&>())));
    return detail::in_savepoint(savepoint(), std::move(f), outcome());
}

/// A database.
/// Copies refer to the same database, and may be used on other cores. Databases with the same URL and options share
/// connections and threads in the process; each `sqlite::memory:` is separate.
class database : public executor {
public:
    /// `sqlite:app.db`, `sqlite:/var/lib/app.db`, `sqlite::memory:`, or `postgres://user@host/name`.
    /// Connects on first use. Throws `std::invalid_argument` for an invalid URL.
    explicit database(std::string_view url, const database_options& options = {});

    /// Begins a transaction, which occupies a connection.
    /// Awaitable. SQLite has one connection for writing.
    task<sql::transaction> begin(transaction_options options = {}) const;

    /// Runs `f(transaction&) -> task<T>` in a transaction, and commits it.
    /// An error of `f` rolls the transaction back. After a serialization conflict (40001, 40P01) the transaction is
    /// repeated, so `f` may run several times.
    template <class F>
    auto transaction(F f, transaction_options options = {}) const {
        using outcome = decltype(detail::value_of(f(std::declval<sql::transaction&>())));
        return detail::in_transaction(*this, std::move(f), options, outcome());
    }

    /// Returns the notifications of a channel: see `notification_stream`.
    /// All channels of a core share one connection, which is not counted in `database_options::connections`.
    notification_stream listen(std::string_view channel) const;

    /// Applies the pending migrations of `program_migrations`, and returns them.
    /// Opens its own connection and blocks the thread: call it in `main` or `serve_options::prepare`. Throws
    /// `migration_error`, also for `sqlite::memory:`.
    std::vector<migration_step> migrate(const migration_options& options = {}) const {
        return migrate(program_migrations(), options);
    }
    /// Like `migrate`, with these files instead of `program_migrations`.
    std::vector<migration_step> migrate(std::span<const migration_file>, const migration_options& = {}) const;
};

}  // namespace apus::sql
