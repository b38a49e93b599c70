// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/wire.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace apus::postgres {

/// A type that is not part of the server, as described by its catalog.
struct program_type {
    char what = ' ';               ///< pg_type.typtype: 'c' for composite types, 'd' for domains.
    oid base = oid::unknown;       ///< Type of the items of an array, or base type of a domain.
    std::vector<oid> fields = {};  ///< Of a composite type, in order.
};

/// Types of the parameters of a connection so far, and the types of their fields.
class program_types {
public:
    /// Returns the types that are unknown, as a list for `query`. Empty if all are known.
    std::string unknown(const std::vector<oid>& types) const;
    /// Returns the statement that describes types.
    static std::string query(const std::string& unknown);
    /// Reads the body of a DataRow of `query`. Returns false if it is malformed.
    bool read(std::string_view row);
    /// Call this after the last row of `query`.
    /// A type that was dropped meanwhile has no row. It counts as described, so that it is not asked for again.
    void described(const std::vector<oid>& types);

    void add(oid type, program_type what);
    /// Whether a type is a composite type, an array of composite values, or a domain over such a type.
    bool is_composite(oid type) const;
    bool is_json(oid type) const;           ///< Including domains over json and jsonb.
    bool is_array_of_json(oid type) const;  ///< Including domains.
    /// Returns the type of a field of a composite type, or of the items of an array.
    /// `unknown` if there is no such type.
    oid member(oid of, std::size_t number) const;
    bool has_json() const noexcept { return has_json_; }  ///< Whether any known composite type has fields with JSON.

private:
    const program_type* find(oid type) const;
    oid without_domain(oid type) const;

    std::map<oid, program_type> all_;
    std::size_t rows_ = 0;  // read so far: types and fields
    bool has_json_ = false;
};

}  // namespace apus::postgres
