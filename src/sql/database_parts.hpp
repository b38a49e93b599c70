// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/engine.hpp"
#include "sql/parameters.hpp"
#include "sql/row_reader.hpp"
#include "sql/savepoint.hpp"

#include <apus/sql.hpp>

#include <atomic>

namespace apus::sql::detail {

/// State of an executor: a database or a transaction.
struct session_parts {
    std::atomic<std::size_t> users = 1;
    std::shared_ptr<engine> db;
    database_options options;
    std::unique_ptr<engine_transaction> open = nullptr;
    std::string url = {};    // empty for a transaction
    unsigned depth = 0;      // number of transactions around this one; 0 for a database
    bool has_inner = false;  // whether a savepoint of this transaction is open, so that only it may execute statements

    session& target() const noexcept {
        if (open) return transaction();
        return *db;
    }
    engine_transaction& transaction() const noexcept { return has_inner ? transaction_with_savepoint() : *open; }
};

/// Returns the deadline of a statement that begins now, in milliseconds.
std::uint64_t deadline_of(const session_parts&);

std::shared_ptr<parameters> make_parameters(const session_parts&);

/// Begins a transaction of a database.
task<transaction> begin_transaction(shared_session in, transaction_options options);

/// A statement and its parameters. Several lists of parameters make a batch.
struct call_parts {
    shared_session in;
    statement_text text;
    std::shared_ptr<parameters> values = {};  ///< The first list.
    std::vector<std::shared_ptr<parameters>> more = {};
    std::optional<error> refused = {};  ///< If set, the statement is not executed.

    parameters& last() const noexcept { return more.empty() ? *values : *more.back(); }

    statement make() const {
        return {.text = text, .values = values, .deadline = deadline_of(*in), .result_size = in->options.result_size};
    }

    static void* operator new(std::size_t size) { return apus::detail::frame_allocate(size); }
    static void operator delete(void* at, std::size_t size) noexcept { apus::detail::frame_free(at, size); }
};

}  // namespace apus::sql::detail
