// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/wire.hpp"
#include "sql/value.hpp"

#include <span>
#include <string>
#include <vector>

namespace apus::postgres {

/// Encoded parameters of a statement, as arrays for libpq.
class encoded_parameters {
public:
    /// Encodes `values` for parameters of `types`, in equal number.
    /// Returns an empty text, or a sentence that names the value that does not fit its type.
    std::string encode(std::span<const sql::value> values, std::span<const oid> types);

    int count() const noexcept { return static_cast<int>(pointers_.size()); }
    const char* const* values() const noexcept { return pointers_.data(); }
    const int* lengths() const noexcept { return lengths_.data(); }
    const int* formats() const noexcept { return formats_.data(); }

private:
    std::string bytes_;
    std::vector<const char*> pointers_;
    std::vector<int> lengths_, formats_;
};

/// Appends a row in the text format of COPY.
void append_copy_row(std::string& to, std::span<const sql::value>);

}  // namespace apus::postgres
