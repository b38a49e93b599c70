// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schema/fault.hpp"

#include <apus/detail/schema_table.hpp>

namespace apus::codec::url {

/// What came of a query or of a form.
struct query_report {
    const char* malformed = nullptr;  ///< Why it is none: a bad percent triplet, no UTF-8, a NUL.
    schema::fault_list list;

    bool fine() const noexcept { return !malformed && list.faults.empty(); }
};

/// Reads `name=value&...` (application/x-www-form-urlencoded, as the URL standard has it) into an
/// aggregate of plain values, optionals and lists. Names that it has not are passed over; one that
/// stands twice is a fault, but for a list, which gets each value. All that is wrong goes to `out`.
void read_query(std::string_view text, const schema::type& t, void* value, query_report& out);

}  // namespace apus::codec::url
