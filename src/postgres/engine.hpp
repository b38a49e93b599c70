// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/pool.hpp"
#include "sql/engine.hpp"

#include <memory>

namespace apus::postgres {

/// A PostgreSQL database of the process, with a pool on each core that uses it.
class engine final : public sql::engine {
public:
    /// Throws `std::invalid_argument` for an invalid URL.
    engine(std::string_view url, const sql::database_options&);
    ~engine() override;

    task<sql::outcome> execute(sql::statement) override;
    task<std::int64_t> execute_batch(sql::batch) override;
    task<std::unique_ptr<sql::cursor>> open(sql::statement, std::size_t rows_at_once) override;
    task<> execute_script(sql::statement_text, std::uint64_t deadline) override;
    task<std::unique_ptr<sql::text_cursor>> copy_out(sql::statement_text, std::uint64_t deadline) override;
    task<> notify(std::string channel, std::string payload, std::uint64_t deadline) override;
    std::unique_ptr<sql::listener> listen(const std::string& channel) override;
    task<std::unique_ptr<sql::engine_transaction>> begin(const sql::transaction_options&, std::uint64_t) override;

    bool has_composites() const noexcept override { return true; }
    std::string_view name() const noexcept override { return "postgres"; }
    std::string_view migration_lock() const noexcept override { return "select pg_advisory_xact_lock(6240711531)"; }

private:
    pool& here() const { return pool::of_this_core(shared_); }

    std::shared_ptr<shared_state> shared_;
};

}  // namespace apus::postgres
