// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schema/fault.hpp"

#include <apus/detail/schema_table.hpp>

namespace apus::codec::url {

/// Result of reading a query or form.
struct query_report {
    const char* malformed = nullptr;  ///< Invalid percent-encoding, invalid UTF-8 or NUL; null: well-formed.
    schema::fault_list list;

    bool fine() const noexcept { return !malformed && list.faults.empty(); }
};

/// Parses `name=value&...` into an aggregate of plain values, optionals and lists.
/// The format is application/x-www-form-urlencoded of the URL standard. Ignores unknown names. A duplicate name is a
/// violation, unless its field is a list, which gets all values. Adds all violations to `out`.
void read_query(std::string_view text, const schema::type& t, void* value, query_report& out);

}  // namespace apus::codec::url
