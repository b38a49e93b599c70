// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/decode.hpp"
#include "sql/engine.hpp"

#include <apus/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apus::postgres {

/// Names and types of the columns of a statement's rows.
struct row_format {
    struct column {
        std::string name;
        oid type;
    };
    std::vector<column> columns;
};

/// Reads the body of a RowDescription. Returns null if the body is malformed.
std::shared_ptr<const row_format> read_row_format(std::string_view body);

/// The rows of a statement as the server has sent them.
struct received_rows {
    std::shared_ptr<const row_format> format;  ///< Null if the statement returns no rows.
    std::string bytes;                         ///< For each row its size, 32 bits in network order, and its DataRow.
    std::size_t count = 0;

    /// Appends a row, which `is_row` has accepted.
    void add(std::string_view row);
};

/// Rows whose values are decoded when they are read.
class result_rows final : public sql::rows {
public:
    /// `r` must have a format.
    explicit result_rows(received_rows r);
    result_rows(const result_rows&) = delete;
    result_rows& operator=(const result_rows&) = delete;

    std::size_t size() const noexcept override { return of_.count; }
    unsigned columns() const noexcept override { return static_cast<unsigned>(of_.format->columns.size()); }
    std::string_view column_name(unsigned column) const noexcept override;
    std::string_view column_type(unsigned column) const noexcept override;
    /// Throws `std::runtime_error` if the received bytes are invalid for the column's type.
    /// Reading rows in order is fast. Reading an earlier row searches from the first row.
    sql::value cell(std::size_t row, unsigned column) override;

    static void* operator new(std::size_t size) { return apus::detail::frame_allocate(size); }
    static void operator delete(void* at, std::size_t size) noexcept { apus::detail::frame_free(at, size); }

private:
    void find_row(std::size_t row);

    received_rows of_;
    struct cell_position {
        std::size_t at;
        std::int32_t size;  // -1: NULL
    };
    std::array<cell_position, 8> few_;  // most results have few columns
    std::vector<cell_position> many_;
    std::span<cell_position> cells_;  // positions in the row before `next_`; stored in `few_` or `many_`
    std::size_t next_ = 0, next_at_ = 0;
    decode_room room_;
};

std::string_view name_of(oid type) noexcept;  ///< Returns the SQL name; empty for unknown types.

/// An ErrorResponse of the server.
struct server_error {
    std::string state;  ///< SQLSTATE.
    error what;         ///< The error that the program gets.
};

/// Reads the body of an ErrorResponse. Returns nullopt if the body is malformed.
std::optional<server_error> read_error(std::string_view body, std::string_view statement);

}  // namespace apus::postgres
