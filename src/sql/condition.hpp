// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/parameters.hpp"

#include <apus/sql/condition.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apus::sql::detail {

/// Placeholders in the text of a condition.
/// `value_mark` stands for a parameter, `find_mark` for the function that finds a text in another text.
constexpr char value_mark = '\1', find_mark = '\2';

/// A condition: text with placeholders, and the values in the order of their placeholders.
struct condition_parts {
    std::string sql;
    std::vector<std::shared_ptr<parameters>> values = {};
    std::optional<error> refused = {};
};

/// Returns a name in quotes. Only for names that `is_name` accepts, and names of struct members.
std::string quoted_name(std::string_view name);
/// Whether a name consists of letters, digits and `_`.
bool is_name(std::string_view name) noexcept;

/// Returns the field at an offset. Throws `std::logic_error` if no field has this offset.
const schema::field& field_at(const schema::type& row, std::size_t offset);
/// Whether rows can be sorted by a field: the field cannot be NULL, and its values are ordered.
bool is_sortable(const schema::type& field) noexcept;

}  // namespace apus::sql::detail
