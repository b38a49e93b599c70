// SPDX-License-Identifier: Apache-2.0
#include "postgres/busy_transaction.hpp"
#include "postgres/encode.hpp"
#include "sql/parameters.hpp"

#include <utility>

namespace apus::postgres {

task<std::int64_t> transaction::copy_in(sql::copy_piece piece) {
    constexpr std::size_t longest = std::size_t(1) << 30U;  // lengths are `int` in libpq
    const busy_transaction busy(*this);
    connection* in = co_await busy.in();
    auto text = std::make_shared<const std::string>("copy " + piece.table + " (" + piece.columns + ") from stdin");
    call c(pool_, call::kind::copy_in, {.text = {*text, text}, .deadline = piece.deadline});
    const auto values = piece.values->values();
    for (std::size_t at = 0; at < values.size(); at += piece.column_count)
        append_copy_row(c.copied, values.subspan(at, piece.column_count));
    if (c.copied.size() > longest) co_await fail(413, "a row is too large for the database");
    c.in = in;
    c.in_transaction = true;
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
    co_return c.changed;
}

task<std::unique_ptr<sql::text_cursor>> transaction::copy_out(sql::statement_text text, std::uint64_t) {
    co_return std::make_unique<copy_cursor>(*this, nullptr, std::move(text));
}

// Closes the connection of an abandoned COPY, since the server would send the remaining rows.
copy_cursor::~copy_cursor() {
    if (begun_ && !ended_) in_.end();
}

task<std::optional<std::string>> copy_cursor::next(std::uint64_t deadline) {
    if (ended_) co_return std::nullopt;
    const busy_transaction busy(in_);
    connection* in = co_await busy.in();
    const auto what = std::exchange(begun_, true) ? call::kind::copy_more : call::kind::copy_out;
    call c(in_.pool_, what, {.text = text_, .deadline = deadline, .result_size = in_.pool_.options().result_size});
    c.in = in;
    c.in_transaction = true;
    co_await c;
    ended_ = !c.has_more;
    if (ended_ && whole_) co_await whole_->rollback();
    if (c.failed) co_await failure(*std::move(c.failed));
    if (c.copied.empty()) co_return std::nullopt;
    co_return std::move(c.copied);
}

}  // namespace apus::postgres
