// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>
#include <apus/json_value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace apus::openapi {

/// The schemas (JSON Schema 2020-12) of one document.
/// Aggregates and enumerations become components with the type's name. A number is appended if the name is already
/// used.
class schema_set {
public:
    json_value of(const schema::type& t);

    /// Returns the schema for a value in a query, path or form.
    /// An optional has the schema of its value, as null cannot occur. Texts contain no NUL.
    json_value of_plain(const schema::type& t);

    /// Returns the schema for a struct as a whole form. Forms may have additional names.
    json_value of_form(const schema::type& t);

    /// Returns the schema of a field with its annotations, and with its default if optional.
    /// `made`: an object with initial values.
    json_value of_field(const schema::field& f, bool required, const void* made, bool plain);

    /// Adds a component that has no type.
    void add(std::string_view name, json_value schema);

    /// Returns all components by name, in the order of their first use.
    json_value components() &&;

private:
    struct component {
        const schema::type* of;  // null for entries that are not types
        std::string_view tag;    // if not empty: the alternative of a variant, with this value of the member "type"
        std::string name;
        json_value schema;
    };

    json_value reference(const schema::type& t, std::string_view tag);
    std::string free_name(std::string_view wanted) const;
    json_value object(const schema::type& t, std::string_view tag);
    json_value variant(const schema::type& t);

    std::vector<component> components_;
};

}  // namespace apus::openapi
