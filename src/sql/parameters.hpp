// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/short_vector.hpp"
#include "sql/value.hpp"

#include <apus/detail/schema_table.hpp>
#include <apus/error.hpp>

#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apus::sql {

bool is_bytes(const schema::type& list) noexcept;  ///< Whether a list is binary data.
/// Whether a type can be an item of an array in the database; lists of other types become JSON.
bool is_plain(const schema::type&) noexcept;

bool is_list_of_structs(const schema::type&) noexcept;  ///< The items may be optional.

/// Parameters of a statement: values and the memory they refer to.
/// Immutable once built, so any thread may read it.
class parameters {
public:
    /// `composites`: whether structs need the values of their fields too, for composite types.
    explicit parameters(std::size_t longest_value, bool composites = false)
        : longest_(longest_value), composites_(composites) {}
    parameters(const parameters&) = delete;
    parameters& operator=(const parameters&) = delete;

    /// Copies a value; for an aggregate, the values of its fields in order.
    /// Nested structs become JSON, with the values of their fields for composite types.
    /// Errors: 400 for invalid UTF-8 or NUL in text, 413 for a value over the limit, 500 for NaN.
    result<void> add(const schema::type&, const void* at);
    result<void> add_one(const schema::type&, const void* at);  ///< Like `add`, but an aggregate becomes JSON.
    void add_null();
    void add_copy(const value&, bool secret);  ///< Copies a value that is not a list from other parameters.

    std::span<const value> values() const noexcept { return values_.all(); }
    /// Returns the error of a value with `composite_shape::refused`, or null.
    const error* refused_field() const noexcept { return refused_field_ ? &*refused_field_ : nullptr; }
    bool has_secret() const noexcept { return has_secret_; }  ///< If true, database messages may contain a secret.

private:
    result<value> convert(const schema::type&, const void* at);
    result<value> convert_list(const schema::type&, const void* at);
    result<value> convert_represented(const schema::type&, const void* at);
    result<value> convert_json(const schema::type&, const void* at);
    result<value> convert_composite(const schema::type&, const void* at);
    result<value> convert_member(const schema::type&, const void* at, unsigned depth);
    result<value> keep_items(composite_shape, std::vector<value>);
    result<value> keep_text(std::string_view);
    result<value> keep_bytes(value_kind, std::string_view);

    std::size_t longest_;
    bool composites_;
    bool has_secret_ = false;
    std::optional<error> refused_field_;
    base::short_vector<value, 4> values_;
    std::list<std::string> texts_;  // allocates nothing while empty, unlike std::deque
    std::list<std::vector<value>> lists_;
};

}  // namespace apus::sql
