// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/postgres/request.hpp"
#include "postgres/program_types.hpp"
#include "postgres/wire.hpp"
#include "sql/value.hpp"

#include <optional>
#include <span>
#include <string>

namespace apus::postgres {

/// A value that does not fit the type of its parameter.
struct misfit {
    std::string why;         ///< Names the parameter.
    bool refused = false;    ///< The value has `composite_shape::refused`.
    bool too_large = false;  ///< The text of a composite value is longer than `longest`.
};

/// Encodes `values` for parameters of `types`. Both must have the same size.
/// `longest`: the maximum size of a composite value as text. Returns the first value that does not fit.
std::optional<misfit> append_values(codec::postgres::bind_writer& to, std::span<const sql::value> values,
                                    std::span<const oid> types, std::size_t longest, const program_types& = {});

/// Appends a row in the text format of COPY.
void append_copy_row(std::string& to, std::span<const sql::value>);

}  // namespace apus::postgres
