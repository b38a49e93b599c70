// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/postgres/request.hpp"
#include "postgres/wire.hpp"
#include "sql/value.hpp"

#include <span>
#include <string>

namespace apus::postgres {

/// Encodes `values` for parameters of `types`. Both must have the same size.
/// If a value does not fit its type, returns a message that names the parameter; otherwise, returns an empty text.
std::string append_values(codec::postgres::bind_writer& to, std::span<const sql::value> values,
                          std::span<const oid> types);

/// Appends a row in the text format of COPY.
void append_copy_row(std::string& to, std::span<const sql::value>);

}  // namespace apus::postgres
