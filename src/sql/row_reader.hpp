// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/short_vector.hpp"
#include "sql/engine.hpp"

#include <apus/detail/schema_table.hpp>

#include <string>

namespace apus::sql {

/// Reads rows of a result into objects of one type. Finds the columns of the fields once.
class row_reader {
public:
    row_reader(rows& from, std::string_view statement) noexcept : from_(&from), statement_(statement) {}

    /// Reads a row. Returns error 500 for a field without a column, or for a value that does not fit.
    /// The cause of the error names the field.
    result<void> read(std::size_t row, const schema::type&, void* to);

private:
    result<void> find_columns(const schema::type&);
    result<void> read_cell(std::size_t row, unsigned column, std::string_view field, const schema::type&, void* to);
    error mismatch(std::string why) const;

    rows* from_;
    std::string_view statement_;
    const schema::type* of_ = nullptr;
    base::short_vector<unsigned, 8> columns_;
};

/// Stores a value at the address of an object of the type. Returns false if the value does not fit.
bool store_value(const schema::type&, void* to, const value&);

}  // namespace apus::sql
