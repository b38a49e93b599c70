// SPDX-License-Identifier: Apache-2.0
#include "postgres/engine.hpp"

#include "postgres/connector.hpp"
#include "postgres/session.hpp"
#include "sql/statement_counts.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

namespace apus::postgres {
namespace {

std::string begin_text(const sql::transaction_options& o) {
    std::string text = "begin";
    switch (o.level) {
        case sql::isolation::standard: break;
        case sql::isolation::read_committed: text += " isolation level read committed"; break;
        case sql::isolation::repeatable_read: text += " isolation level repeatable read"; break;
        case sql::isolation::serializable: text += " isolation level serializable"; break;
    }
    if (o.read_only) text += " read only";
    return text;
}

// Returns whether a server cursor can be used, which needs a query. INSERT ... RETURNING and similar statements return
// all rows at once.
bool is_query(std::string_view sql) noexcept {
    const auto begin = sql.find_first_not_of(" \t\r\n(");
    if (begin == sql.npos) return false;
    sql.remove_prefix(begin);
    for (const std::string_view word : {"select", "with", "values", "table"}) {
        const auto same = [](char a, char b) { return (a | 0x20) == b; };
        if (sql.size() >= word.size() && std::ranges::equal(sql.substr(0, word.size()), word, same)) return true;
    }
    return false;
}

/// A cursor over a result that is already in memory. The first call returns all rows.
class whole_cursor final : public sql::cursor {
public:
    explicit whole_cursor(std::unique_ptr<sql::rows> r) noexcept : rows_(std::move(r)) {}
    task<std::unique_ptr<sql::rows>> next(std::uint64_t) override { co_return std::move(rows_); }

private:
    std::unique_ptr<sql::rows> rows_;
};

}  // namespace

engine::engine(std::string_view url, const sql::database_options& o) : shared_(std::make_shared<shared_state>()) {
    shared_->url = url;
    shared_->name = sql::name_in_metrics(url);
    shared_->options = o;
    shared_->most = o.connections ? o.connections : 4 * std::max(1U, std::thread::hardware_concurrency());
    if (const std::string why = fault_in_url(shared_->url); !why.empty())
        throw std::invalid_argument("database: invalid URL: " + why);
}

engine::~engine() { pool::end_here(*shared_); }

task<sql::outcome> engine::execute(sql::statement s) { return run(here(), std::move(s)); }

task<std::int64_t> engine::execute_batch(sql::batch b) { return run_batch(here(), std::move(b)); }

task<std::unique_ptr<sql::cursor>> engine::open(sql::statement s, std::size_t rows_at_once) {
    if (!is_query(s.text.sql)) {
        auto all = co_await run(here(), std::move(s));
        co_return std::make_unique<whole_cursor>(std::move(all.found));
    }
    auto whole = co_await postgres::begin(here(), "begin", s.deadline);
    auto text =
        std::make_shared<const std::string>("declare apus_cursor no scroll cursor for " + std::string(s.text.sql));
    s.text = {*text, text};
    (void)co_await whole->execute(std::move(s));
    transaction& in = *whole;
    co_return std::make_unique<server_cursor>(in, std::move(whole), "apus_cursor", rows_at_once);
}

task<> engine::execute_script(sql::statement_text text, std::uint64_t deadline) {
    auto alone = co_await postgres::begin(here(), "", deadline);
    co_await alone->execute_script(std::move(text), deadline);
}

task<std::unique_ptr<sql::text_cursor>> engine::copy_out(sql::statement_text text, std::uint64_t deadline) {
    auto whole = co_await postgres::begin(here(), "", deadline);
    transaction& in = *whole;
    co_return std::make_unique<copy_cursor>(in, std::move(whole), std::move(text));
}

task<> engine::notify(std::string channel, std::string payload, std::uint64_t deadline) {
    (void)co_await run(here(), notify_statement(channel, payload, deadline));
}

std::unique_ptr<sql::listener> engine::listen(const std::string& channel) {
    return here().notifications().listen(channel);
}

task<std::unique_ptr<sql::engine_transaction>> engine::begin(const sql::transaction_options& o,
                                                             std::uint64_t deadline) {
    co_return co_await postgres::begin(here(), begin_text(o), deadline);
}

}  // namespace apus::postgres

namespace apus::sql {

std::shared_ptr<engine> open_postgres(std::string_view url, const database_options& options) {
    return std::make_shared<postgres::engine>(url, options);
}

}  // namespace apus::sql
