// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bulk transfer of rows by COPY of PostgreSQL.

#include <apus/detail/sql_call.hpp>
#include <apus/sql/text.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace apus::sql {

namespace detail {

struct copy_in_parts;
struct copy_out_parts;

/// A COPY in progress that stores rows.
class open_copy {
public:
    open_copy(const shared_session& in, std::string_view table, const schema::type& row);
    bool add(const void* row);  // false: `store` must be awaited
    task<> store();
    task<std::int64_t> finish();

private:
    apus::detail::owned_parts<copy_in_parts> parts_;
};

}  // namespace detail

/// Stores rows in a table atomically. Returned by `executor::copy_in`.
/// Keeps up to 256 KiB of rows in memory. Without `finish`, the destructor discards all rows.
template <class Row>
class [[nodiscard("rows are stored only by write and finish")]] copy_writer {
    static_assert(apus::detail::schema_aggregate<Row>, "copy_in: a row must be a struct with the columns as fields");

public:
    explicit copy_writer(detail::open_copy to) : to_(std::move(to)) {}  ///< Used by the library.

    /// Adds a row.
    /// Awaitable: waits while earlier rows are sent. Errors are the errors of statements. An error may be caused by a
    /// previous row. After an error, no row is stored, and the writer cannot be used. The time between two rows is
    /// limited by `database_options::idle_transaction_timeout`.
    task<> write(const Row& row) {
        if (!to_.add(&row)) return to_.store();
        return []() -> task<> { co_return; }();
    }
    /// Stores the rows, and returns their number. Awaitable.
    /// Inside a transaction, its commit stores the rows.
    task<std::int64_t> finish() { return to_.finish(); }

private:
    detail::open_copy to_;
};

/// Text formats of `executor::copy_out`.
enum class copy_format : unsigned char {
    csv,  ///< Values with a comma, quote or line break are quoted (RFC 4180). NULL is empty. Lines end in LF.
    text  ///< Separated by tabs, with backslash escapes. NULL is \N.
};

/// Options of `executor::copy_out`.
struct copy_options {
    copy_format format = copy_format::csv;
    bool header = true;  ///< Begin with a line of column names.
};

/// The rows of a query as text. Returned by `executor::copy_out`. Occupies a connection.
class [[nodiscard("a stream that is not read starts no query: call next")]] copy_stream {
public:
    copy_stream(const detail::shared_session& in, std::string_view sql, const copy_options&);  ///< Used by the library.

    /// Returns the next lines, about 64 KiB, or nullopt at the end.
    /// Awaitable. At most one call at a time. The first call starts the query. Without a waiting call, the stream
    /// buffers little more than one piece. Destruction before the end closes the connection, which rolls back the
    /// transaction of the query.
    task<std::optional<std::string>> next();

private:
    apus::detail::owned_parts<detail::copy_out_parts> parts_;
};

}  // namespace apus::sql
