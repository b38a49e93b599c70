// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/engine.hpp"
#include "sql/statement_counts.hpp"
#include "tracing/trace.hpp"

#include <cstdint>
#include <string_view>

namespace apus::sql::detail {

struct session_parts;

/// One execution of a statement, from the construction to `succeeded` or `failed`.
/// Converts the error, counts and logs the statement, calls `on_statement`, and records a span.
class execution {
public:
    /// Both arguments must outlive this object. `text` is logged and passed to `on_statement`.
    execution(const session_parts& in, std::string_view text) noexcept;
    execution(const execution&) = delete;
    execution& operator=(const execution&) = delete;
    ~execution();

    /// Returns the error for the program, changed by `database_options::map_error`.
    /// `secret`: the error may repeat a value that must not be logged.
    error failed(error why, bool secret = false);
    void succeeded(std::int64_t rows, std::uint64_t started = 0);  ///< `started`: see `outcome`.
    void succeeded(const outcome&);

private:
    void end(std::int64_t rows, std::uint64_t started, const error* why, statement_end how);
    void begin_span() noexcept;
    void end_span(std::int64_t rows, const error* why, bool cancelled) noexcept;

    const session_parts& in_;
    const std::string_view text_;
    std::uint64_t begun_;  // in ms
    std::uint64_t begun_nanoseconds_;
    statement_counts counts_;
    bool ended_ = false;
    tracing::open_span* span_ = nullptr;
};

/// Awaits a task of `in.open` or `in.db`, and records it as an `execution` with this text.
/// `text` must have static storage.
task<> measured(const session_parts& in, std::string_view text, task<>);

}  // namespace apus::sql::detail
