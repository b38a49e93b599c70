// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/decode.hpp"
#include "sql/engine.hpp"

#include <apus/error.hpp>

#include <memory>
#include <optional>
#include <string_view>

#include <libpq-fe.h>

namespace apus::postgres {

struct clear_result {
    void operator()(PGresult* r) const noexcept { PQclear(r); }
};
using result_ptr = std::unique_ptr<PGresult, clear_result>;

/// The rows of a libpq result.
class result_rows final : public sql::rows {
public:
    explicit result_rows(result_ptr r) noexcept : of_(std::move(r)) {}

    std::size_t size() const noexcept override { return static_cast<std::size_t>(PQntuples(of_.get())); }
    unsigned columns() const noexcept override { return static_cast<unsigned>(PQnfields(of_.get())); }
    std::string_view column_name(unsigned column) const noexcept override;
    std::string_view column_type(unsigned column) const noexcept override;
    /// Throws `std::runtime_error` if the received bytes are invalid for the column's type.
    sql::value cell(std::size_t row, unsigned column) override;

private:
    result_ptr of_;
    decode_room room_;
};

std::string_view name_of(oid type) noexcept;  ///< The SQL name; empty for unknown types.

/// Returns the SQLSTATE; empty if libpq itself has reported the failure.
std::string_view state_of(const PGresult& failed) noexcept;

/// Returns the error of a failed statement, for users.
error error_of(const PGresult& failed, std::string_view statement);

std::int64_t changed_rows(PGresult& done) noexcept;

}  // namespace apus::postgres
